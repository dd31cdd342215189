import { render, screen, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '../../web/app.tsx'
import { RecruitmentMap } from '../../web/site/map/recruitment-map.tsx'
import { answerPoints, giveMapsASize, pins, useMapsInSight } from './maps.ts'
import { MAIN_SITE } from './page.tsx'
import { provider } from './samples.ts'

useMapsInSight()

const QUILL = provider(1, { practiceName: 'Quill Clinic' })
const CLOSED = provider(2, { status: 'f', latitude: 39.74, longitude: -104.99 })

beforeEach(() => giveMapsASize())
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the map of the page for clinics', () => {
  it('counts the active providers and names none', async () => {
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    const user = show()
    await screen.findByText('1 certified provider')
    await waitFor(() => expect(pins()).toHaveLength(2))
    await user.click(pins()[0] as HTMLElement)
    await waitFor(() =>
      expect(document.querySelector('.leaflet-popup-content')?.textContent).toBe('Certified Provider'),
    )
    expect(pins().map(({ title }) => title)).toEqual([
      'Certified provider',
      'Certified provider, not taking new patients',
    ])
    // To Leaflet two clicks within 200 ms are a double click.
    await new Promise((resolve) => setTimeout(resolve, 250))
    await user.click(pins()[1] as HTMLElement)
    await waitFor(() =>
      expect(document.querySelector('.leaflet-popup-content')?.textContent).toBe(
        'Certified ProviderNot taking new patients',
      ),
    )
    expect(screen.queryByText(/Quill/)).toBeNull()
    for (const sign of ['Certified Provider', 'Your Location']) {
      expect(screen.getByRole('list', { name: 'Legend' }).textContent).toContain(sign)
    }
  })

  it.each([
    { count: 0, words: '0 certified providers' },
    { count: 1, words: '1 certified provider' },
    { count: 1234, words: '1,234 certified providers' },
  ])('says $words', async ({ count, words }) => {
    answerPoints({ active: Array.from({ length: count }, (_, index) => provider(index + 1)) })
    show()
    await screen.findByText(words)
  })

  it('counts what it knows when one list fails, and tries again when asked', async () => {
    answerPoints({ active: [QUILL], fail: ['inactive'] })
    const user = show()
    await screen.findByText('1 certified provider')
    screen.getByText(/Failed to fetch inactive providers/)
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(pins()).toHaveLength(2))
    screen.getByText('1 certified provider')
    expect(screen.queryByText(/Failed to fetch/)).toBeNull()
  })

  it('claims no number when both lists fail', async () => {
    answerPoints({ fail: ['active', 'inactive'] })
    show()
    await screen.findByText('Certified providers')
    screen.getByText(/Failed to fetch active providers/)
  })

  it('only logs it when the visitor does not say where that is', async () => {
    answerPoints({ active: [QUILL] })
    const logged = vi.spyOn(console, 'info').mockImplementation(() => {})
    const user = show()
    await user.click(screen.getByRole('button', { name: 'Find Providers Near Me' }))
    await waitFor(() => expect(logged).toHaveBeenCalledWith(expect.stringMatching(/^No location: /)))
    expect(screen.queryByTitle('Your Location')).toBeNull()
    await screen.findByText('1 certified provider')
  })
})

function show(): UserEvent {
  render(
    <App data={MAIN_SITE}>
      <RecruitmentMap />
    </App>,
  )
  return userEvent.setup()
}
