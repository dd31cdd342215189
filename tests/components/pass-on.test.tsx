import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OutcomeKind } from '../../core/contract/outcomes.ts'
import type { CalledPage } from '../../core/contract/page.ts'
import { answer } from './api.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard, openPage } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

const started_at = '2026-11-20T15:00:00.000Z'
const LATE = { started_at, due_at: '2026-11-20T20:00:00.000Z', answered_at: null }
const ANSWERED = { ...LATE, answered_at: '2026-11-20T19:00:00.000Z' }
const GRANITE = { id: 4, name: 'Dr. Ida Stone', practiceName: 'Granite Wellness', miles: 12.2 }

beforeEach(() => emptyDashboard())

async function openLead(clinic: typeof GRANITE | null, person = {}, outcome: OutcomeKind | null = null) {
  emptyDashboard(person)
  storeLeads(lead(7, { answer: LATE, outcome }))
  answer('GET /api/leads/{id}', leadDetails(7, { answer: LATE, outcome }))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  const asked = answer('GET /api/leads/{id}/next-clinic', { clinic })
  const user = await openDashboard('/admin?lead=7')
  return { user, asked, panel: within(await screen.findByRole('complementary', { name: 'Jordan Avery7' })) }
}

describe('passing a lead on', () => {
  it('names the next clinic and its distance in the panel, and can be undone', async () => {
    const { user, panel } = await openLead(GRANITE)
    const calls = answer('POST /api/leads/{id}/pass-on', lead(7, { provider_id: 4 }))
    await user.click(await panel.findByRole('button', { name: /^Pass on to Granite Wellness, 12/ }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id: 7 } }]))
    await screen.findByText('Lead passed on successfully')
    await screen.findByRole('button', { name: /^Undo/ })
  })

  it('is there for agents, who can undo it, too', async () => {
    const { user, panel } = await openLead(GRANITE, { role: 'agent' })
    answer('POST /api/leads/{id}/pass-on', lead(7, { provider_id: 4 }))
    await user.click(await panel.findByRole('button', { name: /^Pass on to/ }))
    await screen.findByText('Lead passed on successfully')
    const undone = answer('POST /api/leads/{id}/undo-match', { success: true })
    await user.click(screen.getByRole('button', { name: /^Undo/ }))
    await waitFor(() => expect(undone).toMatchObject([{ params: { id: 7 } }]))
  })

  it('says that nobody is left', async () => {
    const { panel } = await openLead(null)
    await panel.findByText('No other clinic in reach can take this lead.')
  })

  it('is not there for a lead with an appointment', async () => {
    const { panel, asked } = await openLead(GRANITE, {}, 'booked')
    await panel.findByText('Booked')
    expect(asked).toEqual([])
    expect(panel.queryByRole('button', { name: /^Pass on to/ })).toBeNull()
  })

  it('is in the row of a late lead, and in no other', async () => {
    storeLeads(lead(7, { answer: LATE }), lead(8, { answer: ANSWERED }), lead(9))
    const user = await openDashboard()
    const name = (id: number) => `Pass on Jordan Avery${id} to the next clinic`
    const calls = answer('POST /api/leads/{id}/pass-on', lead(7, { provider_id: 4 }))
    const button = within(await rowOf('Jordan Avery7')).getByRole('button', { name: name(7) })
    for (const id of [8, 9]) expect(screen.queryByRole('button', { name: name(id) })).toBeNull()
    await user.click(button)
    await waitFor(() => expect(calls).toHaveLength(1))
  })
})

it.each<[CalledPage, string, string[]]>([
  [{ state: 'ask', clinic: 'Lamar Clinic' }, 'Did the clinic call you?', ['yes', 'not_yet', 'no_longer']],
  [{ state: 'ask', answer: 'not_yet' }, 'Did the clinic call you?', ['not_yet', 'yes', 'no_longer']],
  [{ state: 'done', answer: 'not_yet' }, 'We are on it', []],
  [{ state: 'over' }, 'There is nothing to answer', []],
  [{ state: 'invalid' }, 'This link is not complete', []],
])('the page of the question to a visitor, %j', async (called, title, answers) => {
  openPage('/called/sample', { called })
  await screen.findByRole('heading', { level: 1, name: title })
  const forms = [...document.querySelectorAll('main form')] as HTMLFormElement[]
  expect(forms.map((form) => form.getAttribute('action'))).toEqual(answers.map((answer) => `?answer=${answer}`))
  for (const form of forms) expect(form.method).toBe('post')
})
