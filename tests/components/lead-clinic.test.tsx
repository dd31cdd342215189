import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MatchCandidates } from '../../core/leads/contract/lead-changes.ts'
import type { LeadDetails } from '../../core/leads/contract/leads.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { openLead, openLeads, rowOf, type StoredLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard, rowsOf } from './page.tsx'
import { lead } from './samples.ts'

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR + 30_000).toISOString()
/** The time for an answer that ends in so many hours, or never. */
const clock = (hours: number | null) => ({
  ...{ started_at: inHours(-4), due_at: hours === null ? null : inHours(hours), answered_at: null },
})
const LATE = clock(-26)
beforeEach(() => emptyDashboard())

describe('the match of a lead', () => {
  let stored: StoredLeads
  let assignments: MadeCall[]
  const candidate = (id: number, parts: Partial<MatchCandidates['candidates'][number]>) => ({
    ...{
      id,
      name: `Dr. Test ${id}`,
      practiceName: null,
      zipCode: '78701',
      city: null,
      state: null,
      status: 't' as const,
    },
    ...{ miles: 2, obstacle: null, answerTime: null, booked: null, ...parts },
  })
  const NEAR = { name: 'Dr. Ines Calloway', practiceName: 'Calloway Clinic', city: 'Austin', state: 'TX' }
  const RATES = { answerTime: 2 * HOUR, booked: 0.338 }
  const FAR = candidate(2, {
    ...{ name: 'Dr. Omar Castellano', practiceName: 'Front Range Vitality', city: 'Denver', state: 'CO' },
    ...{ zipCode: '80202', miles: 771.4 },
  })
  beforeEach(() => {
    stored = storeLeads(lead(7, { provider_id: null, zip_code: '78702' }))
    offer()
    assignments = answer('PATCH /api/leads/{id}/provider', ({ params, body }) => {
      const matched = lead(params.id, { provider_id: body.providerId })
      stored.leads = [matched]
      return matched
    })
  })

  /** The nearest clinics are these; a search finds the far one and one that is inactive. */
  function offer(more: Partial<MatchCandidates> = {}): MadeCall[] {
    const inactive = candidate(3, { status: 'f', miles: null })
    return answer('GET /api/leads/{id}/candidates', ({ query }) => ({
      candidates: query.q ? [FAR, inactive] : [candidate(1, { ...NEAR, miles: 0.6, ...RATES }), FAR],
      ...{ radiusMiles: 100, samePerson: [], next: null, ...more },
    }))
  }

  async function openMatch() {
    const user = await openDashboard()
    const name = 'Match with provider... Jordan Avery7'
    await user.click(within(await rowOf('Jordan Avery7')).getByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Match with provider' }))
    await dialog.findByRole('option', { name: /Ines Calloway/ })
    return { user, dialog }
  }
  const sendButton = (dialog: { getByRole: typeof screen.getByRole }, name: string | RegExp) =>
    dialog.getByRole<HTMLButtonElement>('button', { name })

  it('offers the nearest ones, the first of them chosen, goes nowhere by the keys that choose, and is undone', async () => {
    const { user, dialog } = await openMatch()
    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      '✓Dr. Ines Calloway - 78701Calloway Clinic · Austin, TX · less than a mile · answers in 2 h · 34% booked, chosen',
      'Dr. Omar Castellano - 80202Front Range Vitality · Denver, CO · 771 miles',
    ])
    // Only a browser gives it the focus when the dialog opens.
    await user.click(dialog.getByRole('combobox'))
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}{Enter}{Enter}')
    expect(assignments).toEqual([])
    await user.click(sendButton(dialog, 'Send to Calloway Clinic, Austin, TX (less than a mile)'))
    await findToast('Success', 'Lead provider updated successfully')
    expect(assignments.map(({ params, body }) => ({ ...params, ...body }))).toEqual([{ id: 7, providerId: 1 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const undone = answer('POST /api/leads/{id}/undo-match', ({ params }) => {
      stored.leads = [lead(params.id, { provider_id: null })]
      return { success: true }
    })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await findToast('Success', 'Changes to 1 lead undone')
    expect(undone.map(({ params }) => params)).toEqual([{ id: 7 }])
    within(await rowOf('Jordan Avery7')).getByText('Unmatched')
  })

  it('has no clinic chosen beforehand that is beyond the radius or cannot take it', async () => {
    for (const first of [{ miles: 100.1 }, { miles: null }, { obstacle: { reason: 'paused', until: null } as const }]) {
      offer({ candidates: [candidate(1, { ...NEAR, ...first })] })
      const { dialog } = await openMatch()
      expect(sendButton(dialog, 'Send to...').disabled).toBe(true)
      cleanup()
    }
  })

  it('is made beyond the radius after a warning, which also names another request of the person', async () => {
    const other = { id: 3, created_at: '2026-11-08T12:00:00.000Z', held_reason: null, outcome: null }
    offer({ samePerson: [{ ...other, provider_id: 2, provider_name: 'Dr. Omar Castellano' }] })
    const { user, dialog } = await openMatch()
    dialog.getByText('The same person sent request #3 on Nov 8, 2026, which Dr. Omar Castellano has.')
    await user.click(dialog.getByRole('option', { name: /Omar Castellano/ }))
    dialog.getByText('Front Range Vitality is 771 miles from zip code 78702, beyond the radius of 100 miles.')
    await user.click(sendButton(dialog, 'Send anyway'))
    await waitFor(() => expect(assignments).toHaveLength(1))
  })

  it('is looked for by words, which stay when the search fails; inactive clinics cannot be chosen', async () => {
    const { user, dialog } = await openMatch()
    const asked = offer()
    await user.type(dialog.getByRole('combobox'), 'denver')
    await user.click(await dialog.findByRole('option', { name: /Dr\. Test 3 - 78701.*Inactive/ }))
    expect(asked.at(-1)?.query).toEqual({ q: 'denver' })
    expect(sendButton(dialog, 'Send to...').disabled).toBe(true)
    answer('GET /api/leads/{id}/candidates', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await user.type(dialog.getByRole('combobox'), ' co')
    await dialog.findByText(/Not now\./)
    expect(dialog.getByRole<HTMLInputElement>('combobox').value).toBe('denver co')
  })

  it('goes to another clinic from the panel', async () => {
    const { user } = await openLead({ provider_id: 1 })
    await user.click(await screen.findByRole('button', { name: 'Change provider...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change provider' }))
    await dialog.findByText(/, now with Dr\. Test 1$/)
    // Not the one that it has.
    expect(await dialog.findAllByRole('option')).toHaveLength(1)
    await user.click(dialog.getByRole('option', { name: /Omar Castellano/ }))
    dialog.getByText(/^Dr\. Test 1 is asked not to call/)
    await user.click(sendButton(dialog, 'Send anyway'))
    await findToast('Success', 'Lead provider updated successfully')
  })

  it('stays as it is when the API refuses', async () => {
    const error = 'Dr. Test 1 is inactive and cannot get leads.'
    answer('PATCH /api/leads/{id}/provider', () => refusal(409, { error, code: 'conflict' }))
    const { user, dialog } = await openMatch()
    await user.click(sendButton(dialog, /^Send to/))
    await findToast('Failed to update lead provider', `409: ${error}`)
    expect(sendButton(dialog, /^Send to/).disabled).toBe(false)
  })
})

describe('passing a lead on', () => {
  const GRANITE = { id: 4, name: 'Dr. Ida Stone', practiceName: 'Granite Wellness', miles: 12.2 }

  it.each(['manager', 'agent'] as const)(
    'names the next clinic and its distance to a %s, and can be undone',
    async (role) => {
      emptyDashboard({ role })
      answer('GET /api/leads/{id}/candidates', { candidates: [], radiusMiles: 100, samePerson: [], next: GRANITE })
      const { user, panel } = await openLead({ answer: LATE })
      const calls = answer('POST /api/leads/{id}/pass-on', lead(7, { provider_id: 4 }))
      await user.click(await panel.findByRole('button', { name: /^Pass on to Granite Wellness, 12/ }))
      await screen.findByText('Lead passed on successfully')
      expect(calls).toMatchObject([{ params: { id: 7 } }])
      const undone = answer('POST /api/leads/{id}/undo-match', { success: true })
      await user.click(screen.getByRole('button', { name: /^Undo/ }))
      await waitFor(() => expect(undone).toMatchObject([{ params: { id: 7 } }]))
    },
  )

  it('is in the row of a late lead, and in no other', async () => {
    storeLeads(lead(7, { answer: LATE }), lead(8, { answer: { ...LATE, answered_at: inHours(-27) } }), lead(9))
    const user = await openLeads()
    const name = (id: number) => `Pass on Jordan Avery${id} to the next provider`
    const calls = answer('POST /api/leads/{id}/pass-on', lead(7, { provider_id: 4 }))
    for (const id of [8, 9]) expect(screen.queryByRole('button', { name: name(id) })).toBeNull()
    await user.click(screen.getByRole('button', { name: name(7) }))
    await waitFor(() => expect(calls).toHaveLength(1))
  })
})

describe('the outcome of a lead', () => {
  it('stands in its column, or the time that is left for one', async () => {
    storeLeads(
      lead(1, { outcome: 'booked', outcome_at: inHours(-1), answer: { ...clock(5), answered_at: inHours(-1) } }),
      ...[5, 0.9, -26, null].map((hours, index) => lead(index + 2, { answer: clock(hours) })),
      lead(6, { outcome: 'opened', outcome_at: inHours(-1), answer: clock(1) }),
      lead(7, { provider_id: null }),
    )
    await openLeads()
    const column = screen
      .getAllByRole('columnheader')
      .findIndex(({ textContent }) => textContent?.startsWith('Outcome'))
    const words = ['Booked', '5 h left', '54 min left', 'Late 1 d', 'No answer yet', 'Opened1 h left', '']
    expect(rowsOf(screen.getByRole('table')).map((cells) => cells[column])).toEqual(words)
  })

  async function openForm() {
    storeLeads(lead(1), lead(2))
    const user = await openDashboard()
    ;(await rowOf('Jordan Avery1')).focus()
    await user.keyboard('s')
    return { user, dialog: within(screen.getByRole('dialog', { name: 'Outcome for Jordan Avery1' })) }
  }

  it('is recorded by a key, the arrows and Enter', async () => {
    const calls = answer('POST /api/leads/{id}/outcomes', { success: true })
    const { user, dialog } = await openForm()
    expect(document.activeElement).toBe(dialog.getByRole('radio', { name: 'Reached' }))
    await user.keyboard('{ArrowDown}{Enter}')
    await findToast('Success', 'Outcome recorded')
    expect(calls).toMatchObject([{ params: { id: 1 }, body: { kind: 'no_answer' } }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it.each([
    ['reached', 'Booked'],
    ['booked', 'Attended'],
    ['treated', undefined],
  ] as const)('of a lead that was %s is preselected as %s at most', async (outcome, expected) => {
    storeLeads(lead(1, { outcome, outcome_at: inHours(-1) }))
    const user = await openDashboard()
    ;(await rowOf('Jordan Avery1')).focus()
    await user.keyboard('s')
    const dialog = within(screen.getByRole('dialog', { name: 'Outcome for Jordan Avery1' }))
    expect(dialog.queryByRole('radio', { checked: true })?.parentElement?.textContent).toBe(expected)
    if (expected) return
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await dialog.findByText('Choose an outcome')
  })

  it('needs what belongs to it, and sends dollars as cents', async () => {
    const calls = answer('POST /api/leads/{id}/outcomes', { success: true })
    const { user, dialog } = await openForm()
    expect(dialog.queryByLabelText(/^Value/)).toBeNull()
    await user.click(dialog.getByRole('radio', { name: 'Booked' }))
    await user.type(dialog.getByLabelText(/^Day of the appointment/), '2026-12-01')
    await user.type(dialog.getByLabelText(/^Value/), 'a lot')
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await dialog.findByText('Write an amount like 1200 or 99.50')
    await user.clear(dialog.getByLabelText(/^Value/))
    await user.type(dialog.getByLabelText(/^Value/), '$1,250.50')
    await user.type(dialog.getByLabelText(/^Note/), 'At nine.{Enter}')
    await findToast('Success', 'Outcome recorded')
    const body = { kind: 'booked', booked_for: '2026-12-01', value_cents: 125_050, note: 'At nine.' }
    expect(calls.map((call) => call.body)).toEqual([body])
  })

  it('needs a reason where a clinic declined, and keeps the form when the server refuses', async () => {
    answer('POST /api/leads/{id}/outcomes', () => refusal(409, { error: 'This lead is held.', code: 'conflict' }))
    const { user, dialog } = await openForm()
    await user.click(dialog.getByRole('radio', { name: 'Declined' }))
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await dialog.findByText('Choose a reason')
    await user.click(dialog.getByRole('radio', { name: 'Too far away' }))
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await findToast('Failed to record the outcome', 'This lead is held.')
    dialog.getByRole('radio', { name: 'Declined' })
  })

  it('is recorded for several leads at once', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    storeLeads(lead(1), lead(2))
    const user = await openLeads()
    await user.click(screen.getByRole('checkbox', { name: 'Select every lead on this page' }))
    await user.click(screen.getByRole('button', { name: 'Record an outcome...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Record an outcome of 2 leads' }))
    await user.click(dialog.getByRole('radio', { name: 'Treated' }))
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await findToast('Success', 'Outcome of 2 leads recorded')
    const body = { action: 'record-outcome', ids: [1, 2], outcome: { kind: 'treated' } }
    expect(calls.map((call) => call.body)).toEqual([body])
  })
})

describe('the bar of a lead on a phone', () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: object): void } }
  beforeEach(() => happyDOM.setViewport({ width: 390, height: 844 }))
  afterEach(() => happyDOM.setViewport({ width: 1440, height: 900 }))

  const MORE = 'More for Jordan Avery7'
  const FAILED = { status: 'failed', next_attempt_at: null } as const
  const SENT = { status: 'success', next_attempt_at: null } as const
  const HELD = { held_reason: 'honeypot', provider_id: null } as const
  const OUTCOME = 'Record an outcome...'

  it.each<['manager' | 'agent' | 'viewer', string, Partial<LeadDetails>, string[]]>([
    ['manager', 'is not matched', { provider_id: null, matched_at: null, deliveries: {} }, ['Call', 'Match...', MORE]],
    ['manager', 'is held', HELD, ['Call', 'Release', MORE]],
    ['manager', 'misses the clinic', { deliveries: { crm: FAILED, clinic: FAILED } }, ['Call', 'Resend Email', MORE]],
    ['manager', 'is late', { answer: LATE }, ['Call', 'Pass on Jordan Avery7 to the next provider', MORE]],
    ['manager', 'misses the CRM', { deliveries: { crm: FAILED, clinic: SENT } }, ['Call', 'Retry CRM Sync', MORE]],
    ['manager', 'must not be contacted', { do_not_contact: true }, [OUTCOME, MORE]],
    ['agent', 'is delivered', {}, ['Call', OUTCOME, MORE]],
    ['agent', 'is held', HELD, ['Call', MORE]],
  ])('offers a %s what a lead asks for that %s', async (role, _, details, expected) => {
    emptyDashboard({ role })
    const { panel } = await openLead(details)
    await panel.findByText('Received')
    const bar = screen.getByRole('complementary', { name: 'Jordan Avery7' }).lastElementChild as HTMLElement
    const shown = [...within(bar).queryAllByRole('link'), ...within(bar).queryAllByRole('button')]
    expect(shown.map((part) => part.getAttribute('aria-label') ?? part.textContent)).toEqual(expected)
  })

  it('covers the page, which is as before once the lead is closed', async () => {
    const { user, panel } = await openLead()
    const covered = () => [document.querySelector('header')?.inert, document.documentElement.style.overflow]
    expect(covered()).toEqual([true, 'hidden'])
    await user.click(panel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(covered()).toEqual([false, ''])
  })
})
