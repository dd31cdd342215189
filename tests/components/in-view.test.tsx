import { act, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useOnceInView, useSeen } from '../../web/ui/in-view.ts'

/** Reports what it is told to, as a browser does: one or more crossings at once. */
class Reported extends IntersectionObserver {
  static report: (...ratios: number[]) => void

  constructor(tell: IntersectionObserverCallback) {
    super(tell)
    let isConnected = true
    this.disconnect = () => {
      isConnected = false
    }
    Reported.report = (...ratios) => {
      const entries = ratios.map((ratio) => ({ isIntersecting: ratio > 0, intersectionRatio: ratio }))
      if (isConnected) act(() => tell(entries as IntersectionObserverEntry[], this))
    }
  }
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', Reported)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('what moves once waits out of sight, and moves when a part of it is in the window', () => {
  const element = moving()
  Reported.report(0)
  expect(element.dataset.motion).toBe('waiting')
  Reported.report(0.1)
  expect(element.dataset.motion).toBe('waiting')
  Reported.report(0.3)
  expect(element.dataset.motion).toBe('moving')
  Reported.report(0)
  expect(element.dataset.motion).toBe('moving')
})

it.each([{ ratios: [0, 0.3] }, { ratios: [0, 0.1, 0.3] }, { ratios: [0, 0.3, 0] }])(
  'what moves once is seen by a busy browser, too, that reports $ratios at once',
  ({ ratios }) => {
    const element = moving()
    Reported.report(...ratios)
    expect(element.dataset.motion).toBe('moving')
  },
)

it('what is in the window at first stays as it is', () => {
  const element = moving()
  Reported.report(0.05, 0.3)
  Reported.report(0)
  expect(element.dataset.motion).toBeUndefined()
})

it('an element has been seen from the first report of it, even if others come with that', () => {
  const { container } = render(<Seen />)
  Reported.report(0)
  expect(container.textContent).toBe('not yet')
  Reported.report(0, 0.1, 0)
  expect(container.textContent).toBe('seen')
  Reported.report(0)
  expect(container.textContent).toBe('seen')
})

function moving(): HTMLElement {
  return render(<Moving />).getByText('moves')
}

function Moving() {
  return <div ref={useOnceInView<HTMLDivElement>()}>moves</div>
}

function Seen() {
  const element = useRef<HTMLDivElement>(null)
  return <div ref={element}>{useSeen(element) ? 'seen' : 'not yet'}</div>
}
