import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdEarlyClicks, PART_MISSING } from '../../web/lib/early-clicks.ts'
import { openPage } from './page.tsx'

const listening = vi.spyOn(window, 'addEventListener')

beforeEach(() => {
  vi.useFakeTimers()
  listening.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  for (const [type, listener, options] of listening.mock.calls) window.removeEventListener(type, listener, options)
})
afterAll(() => listening.mockRestore())

it('holds the click on a form whose code may still come, and sends the form by itself after a while', async () => {
  const { sent, press } = pageWithPlainForm()
  press()
  expect(sent).not.toHaveBeenCalled()
  await vi.runAllTimersAsync()
  expect(sent).toHaveBeenCalledTimes(1)
})

it('sends the form by itself as soon as a part turns out to be missing', async () => {
  const { sent, press } = pageWithPlainForm()
  press()
  window.dispatchEvent(new Event(PART_MISSING))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toHaveBeenCalledTimes(1)
})

it('sends the form by itself at once when a part is known to be missing', () => {
  const { sent, press } = pageWithPlainForm()
  window.dispatchEvent(new Event(PART_MISSING))
  press()
  expect(sent).toHaveBeenCalledTimes(1)
})

it('holds the click on a button of a part that is hydrated later', async () => {
  holdEarlyClicks(Promise.resolve())
  await vi.advanceTimersByTimeAsync(0)
  render(
    <section data-plain="" aria-label="Part">
      <button type="button">Show</button>
    </section>,
  )
  const button = screen.getByRole('button', { name: 'Show' })
  fireEvent.click(button)
  // Now it is hydrated.
  const clicked = vi.fn()
  button.addEventListener('click', clicked)
  screen.getByRole('region', { name: 'Part' }).removeAttribute('data-plain')
  await vi.advanceTimersByTimeAsync(0)
  expect(clicked).toHaveBeenCalledTimes(1)
})

it.each([
  { path: '/do-not-contact', data: { optOut: { of: 'person', state: 'ask' } as const } },
  { path: '/called/sample', data: { called: { state: 'ask' } as const } },
])('holds no click on $path, whose forms need no code', async ({ path, data }) => {
  vi.useRealTimers()
  holdEarlyClicks(Promise.resolve())
  openPage(path, data)
  await screen.findByRole('heading', { level: 1 })
  const forms = [...document.querySelectorAll<HTMLFormElement>('main form')]
  expect(forms).not.toEqual([])
  for (const form of forms) {
    const sent = vi.fn((event: SubmitEvent) => event.preventDefault())
    form.addEventListener('submit', sent)
    fireEvent.click(within(form).getByRole('button'))
    expect(sent).toHaveBeenCalledTimes(1)
  }
})

/** A page that React has, with a form whose code is not there. */
function pageWithPlainForm() {
  holdEarlyClicks(Promise.resolve())
  const sent = vi.fn((event: SubmitEvent) => event.preventDefault())
  render(
    <form data-plain="">
      <button type="submit">Send</button>
    </form>,
  )
  const button = screen.getByRole('button', { name: 'Send' })
  button.closest('form')?.addEventListener('submit', sent)
  return { sent, press: () => fireEvent.click(button) }
}
