import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answer, refusal } from './api.ts'
import { openPage } from './page.tsx'

beforeEach(() => {
  answer('GET /api/clinic/session', session(QUILL))
  answer('GET /api/clinic/settings', SETTINGS)
})

const TOKEN = 'a'.repeat(43)
const QUILL = { id: 7, name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', email: 'front@quill.example' }
const ELM = { id: 8, name: 'Dr. Elm', practiceName: null, email: 'desk@elm.example' }
const session = (clinic: typeof QUILL | typeof ELM | null) => ({ clinic, time_zone: 'UTC' })

/** Opens a link to the pages of Quill Clinic in a browser that may be signed in already. */
function openLink(signedIn: typeof ELM | null) {
  answer('GET /api/clinic/session', session(signedIn))
  answer('GET /api/clinic/requests', { requests: [], total: 0, open: 0 })
  const { email, ...clinic } = QUILL
  answer('POST /api/clinic/link/look-up', { clinic, email })
  const signIns = answer('POST /api/clinic/session', session(QUILL))
  return { signIns, user: openPage(`/clinic#${TOKEN}`) }
}

it('a link of another clinic asks before it replaces the session, which may stay', async () => {
  const { signIns, user } = openLink(ELM)
  await screen.findByText(/This browser is signed in to Dr\. Elm, which it will leave\.$/)
  await user.click(screen.getByRole('button', { name: 'Stay with Dr. Elm' }))
  await screen.findByRole('heading', { level: 1, name: 'Dr. Elm' })
  expect(signIns).toEqual([])
})

it('a link that no longer works says so, and a new one can be asked for', async () => {
  answer('GET /api/clinic/session', session(null))
  const error = 'This link is no longer valid. It was used already, or it is too old.'
  answer('POST /api/clinic/link/look-up', () => refusal(404, { code: 'not_found', error }))
  openPage(`/clinic#${TOKEN}`)
  await screen.findByText(new RegExp(error))
  screen.getByRole('button', { name: 'Send the link' })
})

const RULES = {
  ...{ is_paused: false, paused_until: null, paused_because: null },
  ...{ daily_cap: null, weekly_cap: null, monthly_cap: null, hours: null, time_zone: null },
}
const NO_FIGURE = { own: null, network: null }
const FIGURES = {
  ...{ days: 90, answer_time: NO_FIGURE, answered_in_time: NO_FIGURE, reached: NO_FIGURE },
  booked: { own: 0.47, network: 0.5 },
  months: [{ month: '2026-11', requests: 8, reached: 6, booked: 4, came: 2 }],
}
const SETTINGS = { rules: RULES, used: { day: 0, week: 0, month: 0 }, people: [], new_email: null, figures: FIGURES }

it('hours start with the usual ones, are copied, and say before they are saved which days would be closed', async () => {
  const saves = answer('PATCH /api/clinic/settings', SETTINGS)
  const user = openPage('/clinic?tab=settings')
  const monday = await screen.findByLabelText('Monday from')
  expect(monday).toHaveProperty('value', '09:00')
  expect(screen.getByLabelText('Saturday')).toHaveProperty('checked', false)
  fireEvent.change(monday, { target: { value: '08:30' } })
  await user.click(screen.getByRole('button', { name: 'Copy to Monday–Friday' }))
  await user.click(screen.getByLabelText('Friday'))
  screen.getByText('You would be closed Friday to Sunday.')
  await user.selectOptions(screen.getByLabelText('Time zone'), 'Central')
  await user.click(screen.getByRole('button', { name: 'Save hours' }))
  await screen.findByText('Saved.')
  const long = [['08:30', '17:00']]
  expect(saves.map(({ body }) => body)).toEqual([
    { hours: { 1: long, 2: long, 3: long, 4: long, 5: [] }, time_zone: 'America/Chicago' },
  ])
})

it('draws results month by month, each bar as a share of 100 %', async () => {
  openPage('/clinic?tab=figures')
  await screen.findByText('Nov 2026')
  const booked = within(screen.getByRole('heading', { name: 'Booked' }).closest('section') as HTMLElement)
  const bars = ['→ 6 reached', '→ 4 booked', '→ 2 came'].map((label) => screen.getByText(label))
  const widthOf = (label: HTMLElement) =>
    label.closest('div')?.parentElement?.querySelector<HTMLElement>('[style]')?.style.width
  expect([...bars, booked.getByText('You')].map(widthOf)).toEqual(['75%', '50%', '25%', '47%'])
})

it('asks before a call outside the hours of the place of the visitor', async () => {
  onTestFinished(() => void vi.useRealTimers())
  const request = {
    ...{ id: 3, url: '/r/token', first_name: 'Ana', last_name: 'Flores', email: 'ana@visitors.example' },
    phone: '(775) 555-0101',
    ...{ do_not_contact: false, zip_code: '89501', city: 'Reno', state: 'NV', time_zone: 'America/Los_Angeles' },
    ...{ miles: null, received_at: '2026-11-27T05:00:00Z', outcome: null, outcome_at: null, reason: null },
    ...{ booked_for: null, note: null, answer: null },
  }
  answer('GET /api/clinic/requests', { requests: [request], total: 1, open: 1 })
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T10:10:00-05:00') })
  const user = openPage('/clinic')
  const link = await screen.findByRole('link', { name: 'Call Ana Flores' })
  await user.click(link)
  const dialog = await screen.findByRole('dialog', { name: 'Call now?' })
  within(dialog).getByText('It is 7:10 AM in Reno. Call between 8 AM and 8 PM there.')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  vi.setSystemTime(new Date('2026-11-27T11:10:00-05:00'))
  // The link would take the window of this file and the next one to “about:blank”.
  const stay = (event: Event) => event.preventDefault()
  window.addEventListener('click', stay)
  onTestFinished(() => window.removeEventListener('click', stay))
  await user.click(link)
  expect(screen.queryByRole('dialog')).toBeNull()
})

const ADDED = { added_at: '2026-11-20T15:00:00.000Z', added_by: QUILL.email }
const OWN = { id: null, email: QUILL.email, added_at: null, added_by: null, confirmed_at: null }
const NURSE = { id: 4, email: 'nurse@quill.example', ...ADDED, confirmed_at: ADDED.added_at, gets: null }
const NEW = { id: 5, email: 'new@quill.example', ...ADDED, confirmed_at: null, gets: null }

/** Opens the people of Quill Clinic. Returns their rows. */
async function openPeople(newEmail: string | null = null) {
  const people = [{ ...OWN, gets: 'requests' }, NURSE, NEW] as const
  answer('GET /api/clinic/settings', { ...SETTINGS, people: [...people], new_email: newEmail })
  const user = openPage('/clinic?tab=people')
  await screen.findByText(/^nurse@quill\.example/)
  const rows = screen.getAllByRole('listitem').map((row) => within(row))
  return { user, rows }
}

it('confirms the address that WordPress has by now, after a question', async () => {
  const { user } = await openPeople('desk@quill.example')
  const confirmed = answer('POST /api/clinic/email', { success: true })
  await user.click(screen.getByRole('button', { name: 'Use the new address' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Use desk@quill.example?' }))
  await user.click(dialog.getByRole('button', { name: 'Use the new address' }))
  await vi.waitFor(() => expect(confirmed.map(({ body }) => body)).toEqual([{ email: 'desk@quill.example' }]))
})
