import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PAGE_DATA_ID } from '../../core/contract/page.ts'
import { PART_MISSING } from '../../web/lib/early-clicks.ts'
import { lazyPart } from '../../web/lib/lazy-parts.ts'
import { ErrorBoundary } from '../../web/ui/error-boundary.tsx'

const LOST = new TypeError('Failed to fetch dynamically imported module')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.getElementById(PAGE_DATA_ID)?.remove()
})

it('shows a part whose script came at the second try', async () => {
  const load = vi.fn(async () => () => <p>The part</p>).mockRejectedValueOnce(LOST)
  await show(load)
  screen.getByText('The part')
  expect(load).toHaveBeenCalledTimes(2)
})

it('says that something went wrong on a page that is nothing without its script', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await show(() => Promise.reject(LOST))
  screen.getByText('Something went wrong')
})

it('asks the server for a page that was reached without it', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const missing = vi.fn()
  window.addEventListener(PART_MISSING, missing, { once: true })
  standsAsRenderedByTheServer()
  window.history.pushState(null, '', '/reached-without-the-server')

  await show(() => Promise.reject(LOST))
  expect(reload).toHaveBeenCalledTimes(1)
  expect(missing).toHaveBeenCalledTimes(1)
  expect(logged).toHaveBeenCalledWith(LOST)
  screen.getByText('As it was')
})

async function show(load: Parameters<typeof lazyPart>[0]): Promise<void> {
  const Part = lazyPart(load)
  await act(async () => {
    render(
      <ErrorBoundary>
        <Suspense fallback="As it was">
          <Part />
        </Suspense>
      </ErrorBoundary>,
    )
  })
  await act(() => vi.runAllTimersAsync())
}

function standsAsRenderedByTheServer(): void {
  const data = document.createElement('script')
  data.id = PAGE_DATA_ID
  data.type = 'application/json'
  document.body.append(data)
}
