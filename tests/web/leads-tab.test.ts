import { createLoader, createSerializer } from 'nuqs'
import { describe, expect, it } from 'vitest'
import type { JobAttempt, LedgerAct, LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import { attemptsOf } from '../../web/dashboard/job-labels.tsx'
import { timelineOf } from '../../web/dashboard/leads/lead-timeline.tsx'
import { addressOf, EVERY_LEAD, type LeadView, leadAddress, viewOf } from '../../web/dashboard/leads/use-leads-page.ts'
import { changedKeys } from '../../web/dashboard/live/use-live.ts'
import { job as sampleJob } from '../components/samples.ts'

const load = createLoader(leadAddress)
const serialize = createSerializer(leadAddress)
const read = (address: URLSearchParams) => viewOf(load(address))
const write = (address: string, view: LeadView) => serialize(address, addressOf(view))

describe('what is looked for', () => {
  it('is in the address, and comes back from there', () => {
    const view = {
      filter: { q: 'Ávery 787', crm_sync_status: 'failed', unmatched: true, provider_id: 7, from: '2026-11-01' },
      sort: 'name',
      page: 3,
    } as const
    const written = new URLSearchParams(write('?tab=leads&lead=9&held=true', view))
    expect(written.get('tab')).toBe('leads')
    expect(written.get('lead')).toBe('9')
    expect(written.has('held')).toBe(false)
    expect(read(written)).toEqual(view)
  })

  it('is short where nothing special is asked for', () => {
    expect(write('?q=x&sort=name&page=4', EVERY_LEAD)).toBe('')
  })

  it('passes over what makes no sense', () => {
    const address = 'crm_sync_status=lost&from=yesterday&provider_id=-1&sort=phone&page=x&failed=yes'
    expect(read(new URLSearchParams(address))).toEqual(EVERY_LEAD)
  })
})

const FAILED: Partial<LedgerJob> = {
  ...{ id: '0a3c3a52-8d4c-4a7e-9b0e-0d4a3f9b6a11', name: 'send-email', purpose: 'provider', state: 'failed' },
  ...{ created_at: '2026-11-20T12:00:00.000Z', enqueued_at: null, finished_at: '2026-11-20T12:05:00.000Z' },
  ...{ next_attempt_at: '2026-11-20T12:10:00.000Z', last_cause: 'unknown_mailbox', result: { status: 550 } },
  ...{ last_error: 'The mail server refused the email.', last_detail: '550 no such box' },
}
const job = (parts: Partial<LedgerJob>) => sampleJob({ ...FAILED, ...parts })
const NONE = { jobs: [], acts: [], outcomes: [], edits: [] }

const ATTEMPT: JobAttempt = {
  ...{ started_at: '2026-11-20T12:00:00.000Z', duration_ms: 1200, outcome: 'failed', status: 451, error: 'Not yet.' },
  ...{ cause: 'busy', detail: '451 greylisted', next_attempt_at: '2026-11-20T12:01:00.000Z' },
}

it('tells in the order of time what happened, and of what is to come what happened last', () => {
  const lead = {
    ...{ created_at: '2026-11-20T12:00:00.000Z', zip_code: '78702', provider_id: 3, held_reason: null },
    ...{ matched_at: '2026-11-20T12:00:00.000Z', match_kind: 'nearest', match_distance_miles: 1.5 },
  } as Lead
  const open = { state: 'waiting', name: 'sync-crm', finished_at: null } as const
  const sent = { state: 'done', last_error: null, finished_at: '2026-11-20T12:01:00.000Z' } as const
  const tried = [{ ...ATTEMPT, started_at: '2026-11-20T12:02:00.000Z' }]
  const jobs = [
    job({ ...open, id: 'waiting', purpose: 'created', attempt_log: tried }),
    job({ ...open, id: 'new', purpose: 'matched' }),
    job({ id: 'failed' }),
    job({ ...sent, id: 'sent', recipient: 'clinic@clinics.example', result: { response: '250 OK' } }),
  ]
  const timeline = timelineOf(lead, { ...NONE, jobs }, 'Dr. Rosa Quill')
  expect(timeline.map(({ key }) => key)).toEqual(['received', 'matched', 'new', 'sent', 'waiting', 'failed'])
  expect(timeline[1]).toMatchObject({
    title: 'Matched with Dr. Rosa Quill',
    notes: ['Nearest provider that can take it, 2 miles away.'],
  })
  expect(timeline[3]?.notes).toContain('To clinic@clinics.example')
  expect(timeline[4]?.at).toBe('2026-11-20T12:02:01.200Z')
})

describe('what staff did to a lead', () => {
  const at = '2026-11-20T13:00:00.000Z'
  const act = (parts: Partial<LedgerAct>): LedgerAct => ({
    ...{ at, actor: 'ana@leadwell.example', actor_name: 'Ana Flores', action: 'assign-provider', provider: null },
    ...{ previous_provider: null, fields: [], owner: null, consent: null, released: false, ...parts },
  })
  const match = { matched_at: at, match_kind: 'staff', match_distance_miles: 183 }
  const lead = { created_at: '2026-11-20T12:00:00.000Z', provider_id: 3, ...match } as Lead
  const titles = (...acts: LedgerAct[]) => timelineOf(lead, { ...NONE, acts }).map(({ title }) => title)

  it('is told with who did it, a match once', () => {
    const entries = timelineOf(lead, { ...NONE, acts: [act({ provider: 'Sterling Wellness', released: true })] })
    expect(entries.map(({ title }) => title)).toEqual(['Received', 'Matched with Sterling Wellness by Ana Flores'])
    expect(entries[1]?.notes).toEqual(['Matched by staff, 183 miles away.', 'The lead was held until then.'])
  })

  it.each([
    [act({ provider: 'B', previous_provider: 'A' }), 'Moved from A to B by Ana Flores'],
    [act({ action: 'undo-match', previous_provider: 'B' }), 'Match with B undone by Ana Flores'],
    [act({ action: 'release', released: true }), 'Released by Ana Flores'],
    [act({ action: 'delete', actor: 'staff', actor_name: null }), 'Deleted by staff'],
    [act({ action: 'restore', actor: 'command line', actor_name: null }), 'Restored by the command line'],
  ])('is an entry of its own: %#', (one, title) => expect(titles(one)).toContain(title))

  it('is told of the jobs that it made, where it was a retry', () => {
    const badge = (parts: Partial<LedgerJob>, ...acts: LedgerAct[]) =>
      timelineOf(lead, { ...NONE, jobs: [job({ created_at: at, ...parts })], acts }).find(
        ({ key }) => key === job({}).id,
      )?.badges?.[1]?.label
    expect(badge({ name: 'sync-crm' }, act({ action: 'retry-sync' }))).toBe('Retried by Ana Flores')
    expect(badge({ generation: 2 }, act({ action: 'retry-email' }))).toBe('Resent by Ana Flores')
    expect(badge({ generation: 2 }, act({ provider: 'B' }))).toBeUndefined()
    expect(badge({ generation: 2 })).toBe('Run 2')
    expect(titles(act({ action: 'retry-sync' }))).toHaveLength(2)
  })
})

describe('the outcomes of a lead', () => {
  const at = '2026-11-21T15:00:00.000Z'
  const said = (parts: Partial<LeadOutcome>): LeadOutcome => ({
    ...{ id: 1, kind: 'reached', reason: null, value_cents: null, booked_for: null, note: null },
    ...{ source: 'clinic', actor: 'clinic', actor_name: null, clinic: 'Dr. Rosa Quill', at, happened_at: at },
    ...parts,
  })
  const lead = { created_at: '2026-11-20T12:00:00.000Z', provider_id: null } as Lead
  const entry = (parts: Partial<LeadOutcome>) =>
    timelineOf(lead, { ...NONE, outcomes: [said(parts)] }).find(({ title }) => title === 'Outcome')

  it.each([
    [{}, 'By Dr. Rosa Quill.'],
    [{ clinic: null }, 'By the provider.'],
    [{ source: 'staff', actor: 'ana@leadwell.example', actor_name: 'Ana Flores' } as const, 'By Ana Flores.'],
    [{ source: 'staff', actor: 'staff' } as const, 'By staff.'],
    [{ source: 'visitor', actor: 'visitor' } as const, 'By the visitor.'],
    [{ source: 'crm', actor: 'crm' } as const, 'By the CRM.'],
  ])('are told with who said it: %#', (parts, note) => expect(entry(parts)?.notes).toEqual([note]))

  it('are told with everything that was said', () => {
    const parts = { kind: 'booked', booked_for: '2026-12-01', value_cents: 125_050, note: 'At nine.' } as const
    expect(entry(parts)).toMatchObject({
      badges: [{ label: 'Booked', tone: 'good' }],
      notes: ['By Dr. Rosa Quill.', 'Appointment on Dec 1, 2026.', 'Value: $1,250.50.', '“At nine.”'],
    })
    expect(entry({ kind: 'declined', reason: 'too_far' })?.notes).toContain('Reason: too far away.')
  })

  it('stand at the time at which they happened, with the time at which the CRM told it', () => {
    const late = entry({ source: 'crm', actor: 'crm', happened_at: '2026-11-20T15:00:00.000Z' })
    expect(late?.at).toBe('2026-11-20T15:00:00.000Z')
    expect(late?.notes[1]).toMatch(/^Recorded later, on Nov 21, 2026, /)
  })
})

it('attempts are told by the job while one has ended, and listed where there were several or one was cut off', () => {
  const failed = { attempts: 1, last_error: ATTEMPT.error, last_detail: ATTEMPT.detail, attempt_log: [ATTEMPT] }
  const told = { list: [], count: '1 attempt, took 1.2 s', error: ATTEMPT.error, detail: ATTEMPT.detail }
  expect(attemptsOf(job(failed))).toEqual(told)
  const again = [ATTEMPT, { ...ATTEMPT, started_at: '2026-11-20T12:01:00.000Z' }]
  const twice = attemptsOf(job({ ...failed, attempts: 2, attempt_log: again }))
  expect(twice).toMatchObject({ list: again, count: '2 attempts', error: null })
  const cut: JobAttempt = { ...ATTEMPT, outcome: 'interrupted', duration_ms: null, error: null, next_attempt_at: null }
  expect(attemptsOf(job({ ...failed, last_error: null, attempt_log: [cut] })).list).toEqual([cut])
})

it('live changes make the lists and the rows out of date that they name', () => {
  expect(changedKeys({ leads: [1], jobs: [1, 2] })).toEqual([
    ['leads', 'list'],
    ['leads', 'opt-outs'],
    ...[1, 2].flatMap((id) => ['details', 'jobs'].map((part) => ['leads', part, id])),
    ['audit-log'],
    ['erasures'],
  ])
  expect(changedKeys({ providers: [4] })).toEqual([['providers'], ['audit-log']])
  expect(changedKeys({ sending: ['crm'] })).toEqual([['audit-log'], ['attention']])
  expect(changedKeys({ syncs: [4] }, 4)).toEqual([['sync-runs', 'details', 4]])
  expect(changedKeys({ syncs: [4, 5] }, 4)).toContainEqual(['sync-runs', 'list'])
  expect(changedKeys({})).toEqual([])
  expect(changedKeys({ all: true })).toContainEqual(['leads'])
  expect(changedKeys({ accounts: [1] })).toContainEqual(['staff'])
})
