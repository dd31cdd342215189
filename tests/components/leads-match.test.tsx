import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { MatchCandidates } from '../../core/contract/lead-match.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { rowOf, type StoredLeads, storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails, provider } from './samples.ts'

let stored: StoredLeads
let assignments: MadeCall[]

const NEAR = { name: 'Dr. Ines Calloway', practiceName: 'Calloway Clinic', city: 'Austin', state: 'TX' }
const FAR = { name: 'Dr. Omar Castellano', practiceName: 'Front Range Vitality', city: 'Denver', state: 'CO' }
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
  miles: 2,
  obstacle: null,
  ...parts,
})

beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(lead(7, { provider_id: null, zip_code: '78702' }))
  storeProviders(provider(1), provider(2))
  offer()
  assignments = answer('PATCH /api/leads/{id}/provider', ({ params, body }) => {
    const matched = lead(params.id, { provider_id: body.providerId })
    stored.leads = [matched]
    return matched
  })
})

/** The nearest clinics are these; a search finds the far one and one that is inactive. */
function offer(more: Partial<MatchCandidates> = {}): MadeCall[] {
  return answer('GET /api/leads/{id}/candidates', ({ query }) => ({
    candidates: query.q
      ? [candidate(2, { ...FAR, zipCode: '80202', miles: 771.4 }), candidate(3, { status: 'f', miles: null })]
      : [candidate(1, { ...NEAR, miles: 0.6 }), candidate(2, { ...FAR, zipCode: '80202', miles: 771.4 })],
    radiusMiles: 100,
    samePerson: [],
    ...more,
  }))
}

async function openMatch(button = 'Match with provider... Jordan Avery7') {
  const user = await openDashboard()
  await user.click(within(await rowOf('Jordan Avery7')).getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Match with provider' }))
  await dialog.findByRole('option', { name: /Ines Calloway/ })
  return { user, dialog }
}
const sendButton = (dialog: { getByRole: typeof screen.getByRole }, name: string | RegExp) =>
  dialog.getByRole<HTMLButtonElement>('button', { name })

describe('a lead that has no clinic', () => {
  it('is offered the nearest ones with practice, place and distance, the first of them chosen', async () => {
    const { dialog } = await openMatch()
    dialog.getByText('Select Provider')
    const options = dialog.getAllByRole('option').map(({ textContent }) => textContent)
    expect(options).toEqual([
      '✓Dr. Ines Calloway - 78701Calloway Clinic · Austin, TX · less than a mile, chosen',
      'Dr. Omar Castellano - 80202Front Range Vitality · Denver, CO · 771 miles',
    ])
  })

  it('goes nowhere by the keys that choose, and where a button says when that is pressed', async () => {
    const { user, dialog } = await openMatch()
    // Only a browser gives it the focus when the dialog opens.
    await user.click(dialog.getByRole('combobox'))
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}{Enter}{Enter}')
    expect(assignments).toEqual([])

    await user.click(sendButton(dialog, 'Send to Calloway Clinic, Austin, TX (less than a mile)'))
    await findToast('Success', 'Lead provider updated successfully')
    expect(assignments.map(({ params, body }) => ({ ...params, ...body }))).toEqual([{ id: 7, providerId: 1 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('has no clinic chosen beforehand that is beyond the radius or cannot take it', async () => {
    for (const first of [{ miles: 100.1 }, { miles: null }, { obstacle: { reason: 'paused', until: null } as const }]) {
      offer({ candidates: [candidate(1, { ...NEAR, ...first })] })
      const { dialog } = await openMatch()
      expect(sendButton(dialog, 'Send to...').disabled).toBe(true)
      cleanup()
    }
  })

  it('is sent beyond the radius after a warning', async () => {
    const { user, dialog } = await openMatch()
    await user.click(dialog.getByRole('option', { name: /Omar Castellano/ }))
    dialog.getByText('Front Range Vitality is 771 miles from zip code 78702, beyond the radius of 100 miles.')
    await user.click(sendButton(dialog, 'Send anyway'))
    await waitFor(() => expect(assignments).toHaveLength(1))
  })

  it('is looked for by words; inactive clinics are marked and cannot be chosen', async () => {
    const asked = offer()
    const { user, dialog } = await openMatch()
    await user.type(dialog.getByRole('combobox'), 'denver')
    const inactive = await dialog.findByRole('option', { name: /Dr\. Test 3 - 78701.*Inactive/ })
    expect(asked.at(-1)?.query).toEqual({ q: 'denver' })
    await user.click(inactive)
    expect(sendButton(dialog, 'Send to...').disabled).toBe(true)
  })

  it('says so where nothing is found', async () => {
    offer({ candidates: [] })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery7')).getByRole('button', { name: /^Match with provider/ }))
    await screen.findByText('There is no active provider.')
    await user.type(screen.getByRole('combobox', { name: 'Provider' }), 'nowhere')
    await screen.findByText('No results for “nowhere”')
  })

  it('keeps the search when it fails, and looks again at the next word', async () => {
    const { user, dialog } = await openMatch()
    answer('GET /api/leads/{id}/candidates', () =>
      refusal(503, { error: 'The database is away.', code: 'unavailable' }),
    )
    await user.type(dialog.getByRole('combobox'), 'denver')
    await dialog.findByText(/The database is away\./, undefined, { timeout: 5000 })
    expect(dialog.getByRole<HTMLInputElement>('combobox').value).toBe('denver')
    offer()
    await user.type(dialog.getByRole('combobox'), ' co')
    await dialog.findByRole('option', { name: /Omar Castellano/ })
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it('is taken back by Undo', async () => {
    const undone = answer('POST /api/leads/{id}/undo-match', ({ params }) => {
      stored.leads = [lead(params.id, { provider_id: null })]
      return { success: true }
    })
    const { user, dialog } = await openMatch()
    await user.click(dialog.getByRole('option', { name: /Ines Calloway/ }))
    await user.click(sendButton(dialog, /^Send to/))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await findToast('Success', 'Changes to 1 lead undone')
    expect(undone.map(({ params }) => params)).toEqual([{ id: 7 }])
    within(await rowOf('Jordan Avery7')).getByText('Unmatched')
  })
})

describe('before a lead is sent, the dialog says', () => {
  it('that it is held', async () => {
    stored.leads = [lead(7, { provider_id: null, held_reason: 'too_fast' })]
    const { dialog } = await openMatch()
    dialog.getByText(/^This lead is held\. .* Sending it to a clinic releases it\.$/)
  })

  it('that the same person has sent another request', async () => {
    const other = { id: 3, created_at: '2026-11-08T12:00:00.000Z', held_reason: null, outcome: null, linked: false }
    offer({
      samePerson: [
        { ...other, provider_id: 2, provider_name: 'Dr. Omar Castellano' },
        { ...other, id: 2, provider_id: null, provider_name: null },
      ],
    })
    const { dialog } = await openMatch()
    dialog.getByText('The same person sent request #3 on Nov 8, 2026, which Dr. Omar Castellano has.')
    dialog.getByText('The same person sent request #2 on Nov 8, 2026, which no clinic has.')
  })
})

describe('a lead that has a clinic', () => {
  it('goes to another one from its panel', async () => {
    stored.leads = [lead(7, { provider_id: 1 })]
    answer('GET /api/leads/{id}', leadDetails(7, { provider_id: 1 }))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openDashboard('/admin?lead=7')
    await user.click(await screen.findByRole('button', { name: 'Change clinic...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change clinic' }))
    await dialog.findByText(/, now with Dr\. Test 1$/)
    // Not the one that it has.
    expect((await dialog.findAllByRole('option')).map(({ textContent }) => textContent)).toHaveLength(1)
    await user.click(dialog.getByRole('option', { name: /Omar Castellano/ }))
    dialog.getByText(/^Dr\. Test 1 is asked not to call/)
    await user.click(sendButton(dialog, 'Send anyway'))
    await findToast('Success', 'Lead provider updated successfully')
  })

  it('stays where it is when the API refuses', async () => {
    answer('PATCH /api/leads/{id}/provider', () =>
      refusal(409, { error: 'Dr. Test 1 is inactive and cannot get leads.', code: 'conflict' }),
    )
    const { user, dialog } = await openMatch()
    await user.click(dialog.getByRole('option', { name: /Ines Calloway/ }))
    await user.click(sendButton(dialog, /^Send to/))
    await findToast('Failed to update lead provider', '409: Dr. Test 1 is inactive and cannot get leads.')
    expect(sendButton(dialog, /^Send to/).disabled).toBe(false)
  })
})
