import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Attention, ConditionId, ConditionLine } from '../../core/conditions/contract/conditions.ts'
import { CONDITION_IDS } from '../../core/conditions/contract/conditions.ts'
import { HOUR } from '../../core/contract/time.ts'
import { answer, type CallName, type MadeCall, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, findToast, NO_ATTENTION, NO_VALUES, openDashboard } from './page.tsx'
import { lead, leadDetails, providerRecord } from './samples.ts'

const since = new Date(Date.now() - 3 * HOUR).toISOString()
const clinic = { id: 72, name: 'Front Range Vitality', phone: '(303) 555-0107', email: 'box@front.example' }
const line = (kind: ConditionId, rest: Partial<ConditionLine>): ConditionLine => ({
  ...{ kind, key: `${kind}:7`, version: Date.parse(since), since, mark: null },
  ...{ title: 'Jordan Avery7', words: 'Words', search: '?tab=leads&lead=7' },
  ...rest,
})
const ofClinic = (kind: ConditionId, rest: Partial<ConditionLine> = {}) =>
  line(kind, { key: `${kind}:72`, title: clinic.name, search: '?tab=providers&provider=72', clinic, ...rest })

const NOT_REACHED = ofClinic('not-reached', { leads: { total: 9, older: 0, ids: [9, 8, 7] } })
const NO_ANSWER = ofClinic('no-answer', { leads: { total: 1, older: 0, ids: [7] } })
const UNMATCHED = line('unmatched', { leadId: 7, do_not_contact: false })
const FAR = { ...UNMATCHED, no_provider_near: 'unsaid' } as const
const WRONG_NUMBER = line('wrong-number', { leadId: 7, do_not_contact: false })
const CRM = line('crm', { key: 'crm:refused:ab12', title: 'Refused', leads: { total: 2, older: 0, ids: [5, 4] } })
const STOP = ofClinic('stop', { key: 'stop:9', optOutId: 9, leadId: 7, person: 'Jordan Avery7' })
const HELD = line('held', { key: 'held:8', leadId: 8, title: 'Rowan Quill', heldReason: 'honeypot' })
const APPLIED = { key: 'application:5', applicationId: 5, title: 'Calloway Clinic', open: 'Review' }
const APPLICATION = line('application', APPLIED)
const SYNC = line('sync', { key: 'sync:failed:4', title: 'Sync failed', open: 'See the sync' })
const PAUSED = ofClinic('paused', { open: 'Open' })

let stored: ConditionLine[]
let aside: ConditionLine[]

/** Answers with the stored lines, and sets them aside as the server does. Returns the marks. */
function storeLines(...lines: ConditionLine[]): MadeCall[] {
  stored = lines.toSorted((a, b) => CONDITION_IDS.indexOf(a.kind) - CONDITION_IDS.indexOf(b.kind))
  aside = []
  answer('GET /api/attention', ({ query }) => listOf(query.aside ? aside : stored))
  return answer('POST /api/attention/mark', ({ body }) => {
    const isMarked = ({ key }: ConditionLine) => body.lines.some((each: { key: string }) => each.key === key)
    const mark = body.undo ? null : { until: body.until ?? null, by: 'staff', by_name: null }
    const [from, to] = body.undo ? [aside, stored] : [stored, aside]
    const left = from.filter((line) => !isMarked(line))
    const moved = [...to, ...from.filter(isMarked).map((line) => ({ ...line, mark }))]
    ;[stored, aside] = body.undo ? [moved, left] : [left, moved]
    return { success: true }
  })
}

function listOf(lines: ConditionLine[]): Attention {
  const counts: Attention['counts'] = {}
  for (const { kind } of stored) counts[kind] = (counts[kind] ?? 0) + 1
  return { ...NO_ATTENTION, lines, counts, total: stored.length, aside: aside.length }
}

const row = async (title: string) =>
  within((await screen.findByRole('link', { name: title })).closest('li') as HTMLElement)
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)

const ATTENTION = '/admin?tab=attention'

beforeEach(() => {
  emptyDashboard()
  storeLines()
})

describe('the tab', () => {
  it('is the last of five in fixed places, and has its number in sight, also in the browser’s tab', async () => {
    storeLines(NOT_REACHED, UNMATCHED)
    answer('GET /api/attention', { ...listOf(stored), is_red: true })
    await openDashboard('/admin')
    const five = ['Leads (0)', 'Providers (0)', 'Applications (0)', 'Overview', 'Needs attention (2)']
    await waitFor(() => expect(tabs()).toEqual([...five, 'Settings: something fails']))
    expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^Leads/)
    expect(location.search).toBe('')
    await waitFor(() => expect(document.title).toMatch(/^\(2\) Admin Dashboard/))
  })

  it('is one of five for agents, who have no settings', async () => {
    emptyDashboard({ role: 'agent' })
    await openDashboard('/admin?tab=health')
    await waitFor(() => expect(tabs()).toHaveLength(5))
    expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^Leads/)
  })

  it('says what is wrong, since when, and leads to its page', async () => {
    storeLines(PAUSED)
    await openDashboard(ATTENTION)
    const paused = await row('Front Range Vitality')
    paused.getByText('Words')
    paused.getByText('3 hours ago')
    const open = paused.getByRole('link', { name: 'Open Front Range Vitality' })
    expect(open.getAttribute('href')).toContain('provider=72')
  })

  it('groups the lines by cause, red ones first, with their numbers', async () => {
    storeLines(NOT_REACHED, NO_ANSWER, UNMATCHED, CRM, STOP, HELD, APPLICATION, SYNC)
    await openDashboard(ATTENTION)
    await row('Calloway Clinic')
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      ...['Stop not confirmed 1', 'Provider not reached 1', 'CRM does not accept leads 1', 'No answer in time 1'],
      ...['Unmatched 1', 'Provider sync 1', 'Held for review 1', 'Applications 1'],
    ])
  })
})

describe('the action of a line', () => {
  it('resends what did not reach a clinic, and says what became of it', async () => {
    storeLines(NOT_REACHED)
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 2, failed: 1, failures: [{ error: '552 full' }] })
    const user = await openDashboard(ATTENTION)
    const line = await row('Front Range Vitality')
    const call = line.getByRole('link', { name: 'Call Front Range Vitality, (303) 555-0107' })
    expect(call).toHaveProperty('href', 'tel:+13035550107')
    await user.click(line.getByRole('button', { name: /^Resend 3/ }))
    await findToast('Resent', '2 delivered, 1 refused, 0 waiting. 552 full')
    expect(calls).toMatchObject([{ body: { action: 'retry-email', ids: [9, 8, 7], to_clinic: 72 } }])
  })

  it('passes a late lead on, which can be undone by a key', async () => {
    storeLines(NO_ANSWER)
    const calls = answer('POST /api/leads/{id}/pass-on', lead(7))
    const undone = answer('POST /api/leads/{id}/undo-match', { success: true })
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: 'Pass on the request of Front Range Vitality' }))
    await screen.findByText('Lead passed on successfully')
    expect(calls).toMatchObject([{ params: { id: 7 } }])
    await user.keyboard('u')
    await waitFor(() => expect(undone).toMatchObject([{ params: { id: 7 } }]))
  })

  it('closes old requests as unanswered instead of passing them on', async () => {
    storeLines({ ...NO_ANSWER, leads: { total: 2, older: 2, ids: [5, 4] } })
    answer('GET /api/providers/{id}/waiting', { total: 2, ids: [], olderIds: [4, 5], clinics: [], unplaced: 0 })
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: 'Close 2 old requests of Front Range Vitality' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(await dialog.findByRole('button', { name: 'Close 2 requests as unanswered' }))
    await screen.findByText('2 requests closed as unanswered')
    expect(calls).toMatchObject([{ body: { action: 'record-outcome', ids: [4, 5], outcome: { kind: 'no_answer' } } }])
    expect(dialog.getByRole('button', { name: 'Pass on' }).hasAttribute('disabled')).toBe(true)
  })

  it.each([
    ['Correct the phone number of Jordan Avery7', WRONG_NUMBER, 'Edit the lead'],
    ['Match Jordan Avery7 with a provider', UNMATCHED, 'Change provider'],
  ])('opens the dialog of its lead: %s', async (name, line, dialog) => {
    storeLines(line)
    answer('GET /api/leads/{id}', leadDetails(7, { outcome: 'wrong_number', outcome_at: since }))
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name }))
    await screen.findByRole('dialog', { name: dialog })
  })

  it('releases a held lead, or deletes it, which can be undone', async () => {
    storeLines(HELD)
    const released = answer('POST /api/leads/{id}/release', { success: true })
    const deleted = answer('DELETE /api/leads/{id}', { success: true })
    const user = await openDashboard(ATTENTION)
    const line = await row('Rowan Quill')
    await user.click(line.getByRole('button', { name: 'Release' }))
    await waitFor(() => expect(released).toMatchObject([{ params: { id: 8 } }]))
    await user.click(line.getByRole('button', { name: 'Delete Rowan Quill' }))
    await screen.findByRole('button', { name: /^Undo/ })
    expect(deleted).toMatchObject([{ params: { id: 8 } }])
  })

  it.each<[string, ConditionLine, CallName, button: string, confirm: string, id: number]>([
    [
      ...(['records that a clinic has stopped', STOP, 'POST /api/opt-outs/{id}/confirm'] as const),
      ...(['Confirm the stop of Front Range Vitality', 'It has stopped', 9] as const),
    ],
    [
      ...(['writes to a person that no provider is near', FAR, 'POST /api/leads/{id}/no-provider'] as const),
      ...(['Tell them that no provider is near: Jordan Avery7', 'Send the email', 7] as const),
    ],
  ])('%s, after a question', async (_, line, call, button, confirm, id) => {
    storeLines(line)
    const calls = answer(call, { success: true })
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: button }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: confirm }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id } }]))
  })

  it('gives a lead to a colleague', async () => {
    storeLines({ ...HELD, owner: null })
    answer('GET /api/leads/filter-values', { ...NO_VALUES, staff: [{ id: 3, name: 'Ben Ito' }] })
    const calls = answer('PATCH /api/leads/{id}/work', { success: true })
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: 'Owner of Rowan Quill: No owner' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Ben Ito' }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id: 8 }, body: { owner_id: 3 } }]))
  })

  it.each([
    ['viewer', ['link Call Front Range Vitality, (303) 555-0107']],
    ['agent', ['link Call Front Range Vitality, (303) 555-0107', 'button Snooze', 'button Done']],
  ] as const)('is not there for an account without the right: %s', async (role, expected) => {
    emptyDashboard({ role })
    storeLines(NOT_REACHED, HELD, UNMATCHED, ...(role === 'viewer' ? [NO_ANSWER, STOP] : []))
    await openDashboard(ATTENTION)
    await row('Rowan Quill')
    const line = within(document.querySelector<HTMLElement>('[data-line="not-reached:72"]') as HTMLElement)
    const [, ...links] = line.getAllByRole('link')
    const shown = [
      ...links.map((link) => `link ${link.getAttribute('aria-label')}`),
      ...line.queryAllByRole('button').map(({ textContent }) => `button ${textContent}`),
    ]
    expect(shown).toEqual(expected)
    expect(screen.queryByRole('button', { name: /^(Release|Delete|Match|Pass on|Confirm)/ })).toBeNull()
  })
})

describe('the keys', () => {
  it('move between the lines, and open one', async () => {
    storeLines(NOT_REACHED, UNMATCHED)
    answer('GET /api/providers/{providerId}/record', providerRecord(72))
    const user = await openDashboard(ATTENTION)
    await row('Jordan Avery7')
    const focused = () => document.activeElement?.textContent
    await user.keyboard('j')
    expect(focused()).toBe('Front Range Vitality')
    await user.keyboard('jj')
    expect(focused()).toBe('Jordan Avery7')
    await user.keyboard('k{Enter}')
    await waitFor(() => expect(location.search).toBe('?tab=providers&provider=72'))
  })

  it('set a line aside and take it back, and the focus goes on', async () => {
    const marks = storeLines(NOT_REACHED, UNMATCHED)
    const user = await openDashboard(ATTENTION)
    await row('Jordan Avery7')
    await user.keyboard('je')
    await waitFor(() => expect(screen.queryByText('Front Range Vitality')).toBeNull())
    await waitFor(() =>
      expect(marks).toMatchObject([{ body: { lines: [{ key: 'not-reached:72', version: NOT_REACHED.version }] } }]),
    )
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Jordan Avery7'))
    await waitFor(() => expect(document.title).toMatch(/^\(1\)/))
    await user.keyboard('u')
    await row('Front Range Vitality')
  })

  it('snooze a line until a time', async () => {
    const marks = storeLines(UNMATCHED)
    const user = await openDashboard(ATTENTION)
    await row('Jordan Avery7')
    await user.keyboard('jz')
    await user.click(await screen.findByRole('menuitem', { name: 'Tomorrow, 8:00 AM' }))
    await findToast('Snoozed until', '8:00 AM')
    expect(Date.parse(marks[0]?.body.until)).toBeGreaterThan(Date.now())
    await screen.findByText('Nothing needs attention.')
  })
})

describe('an old inbox', () => {
  const old = (kind: ConditionId, count: number, days = 30) =>
    Array.from({ length: count }, (_, n) =>
      line(kind, { key: `${kind}:${days}${n}`, title: `${kind} ${n}`, version: Date.now() - days * 24 * HOUR }),
    )

  it('of 57 lines is empty after three presses, and full again after an undo', async () => {
    const marks = storeLines(...old('no-answer', 20), ...old('unmatched', 27), ...old('held', 10))
    const user = await openDashboard(ATTENTION)
    await waitFor(() => expect(tabs()[4]).toBe('Needs attention (57)'))
    for (const group of ['No answer in time', 'Unmatched', 'Held for review']) {
      await user.click(await screen.findByRole('button', { name: `Done all: ${group}` }))
    }
    await screen.findByText('Nothing needs attention.')
    expect(marks.map(({ body }) => body.lines.length)).toEqual([20, 27, 10])
    await user.keyboard('u')
    await waitFor(() => expect(tabs()[4]).toBe('Needs attention (10)'))
  })

  it('folds what had no news for two weeks, which can be set aside alone', async () => {
    storeLines(...old('unmatched', 2, 1), ...old('unmatched', 3))
    const user = await openDashboard(ATTENTION)
    const fold = await screen.findByRole('button', { name: /Older than 14 days \(3\)/ })
    const titles = () => document.querySelectorAll('[data-line]').length
    expect(titles()).toBe(2)
    await user.click(fold)
    expect(titles()).toBe(5)
    await user.click(screen.getByRole('button', { name: 'Snooze all: Unmatched, older' }))
    await user.click(await screen.findByRole('menuitem', { name: 'For 2 hours' }))
    await waitFor(() => expect(titles()).toBe(2))
    expect(screen.queryByRole('button', { name: /Older than/ })).toBeNull()
  })

  it('snoozes to a day that one picks', async () => {
    const marks = storeLines(HELD)
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: 'Snooze Rowan Quill' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Pick a day...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Snooze until a day' }))
    const day = dialog.getByLabelText<HTMLInputElement>('Day, at 8:00 AM')
    await user.clear(day)
    await user.click(dialog.getByRole('button', { name: 'Snooze' }))
    dialog.getByText(/Choose a day within/)
    await user.type(day, day.max)
    await user.click(dialog.getByRole('button', { name: 'Snooze' }))
    await waitFor(() => expect(marks[0]?.body.until).toMatch(new RegExp(`^${day.max}T`)))
  })
})

describe('snoozed and done', () => {
  it('is shown with who did it, and can be brought back', async () => {
    storeLines(UNMATCHED)
    const user = await openDashboard(ATTENTION)
    await user.click((await row('Jordan Avery7')).getByRole('button', { name: 'Done with Jordan Avery7' }))
    await user.click(await screen.findByRole('button', { name: 'Show snoozed and done (1)' }))
    expect((await row('Jordan Avery7')).getByText('Done · staff')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Bring back Jordan Avery7' }))
    await screen.findByText('Nothing is snoozed or done.')
    await user.click(screen.getByRole('button', { name: 'Back to what needs attention' }))
    await row('Jordan Avery7')
  })

  it('closes a lead that nobody is near, until that is undone', async () => {
    storeLines({ ...FAR, no_provider_near: 'said' })
    const user = await openDashboard(ATTENTION)
    await user.click(await screen.findByRole('button', { name: 'Close: Jordan Avery7' }))
    expect(screen.queryByRole('button', { name: /^Tell/ })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await row('Jordan Avery7')
  })

  it('comes back when the server refuses', async () => {
    storeLines(UNMATCHED)
    answer('POST /api/attention/mark', () => refusal(503, { error: 'The database is away.' }))
    const user = await openDashboard(ATTENTION)
    await user.click((await row('Jordan Avery7')).getByRole('button', { name: 'Done with Jordan Avery7' }))
    await findToast('Failed to hide it')
    await row('Jordan Avery7')
  })
})

it('is read again when staff elsewhere set something aside', async () => {
  storeLines(NOT_REACHED, UNMATCHED)
  await openDashboard(ATTENTION)
  await row('Jordan Avery7')
  storeLines(NOT_REACHED)
  FakeEventSource.announce({ attention: true })
  await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
})
