import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SyncRun } from '../../core/contract/sync.ts'
import { SECOND } from '../../core/time.ts'
import {
  askFor,
  resumeSync,
  runOf,
  SignedOutError,
  type SyncOrder,
  startSync,
} from '../../web/dashboard/sync/start-sync.ts'
import {
  countsSentence,
  fieldName,
  leadsSentence,
  progressOf,
  spokenProgressOf,
  starterOf,
  stateOf,
  valueText,
} from '../../web/dashboard/sync/words.ts'
import { HttpError } from '../../web/lib/http.ts'
import { type SyncRunOverrides, syncRun } from '../components/sync-samples.ts'

/** A run that has ended, and has seen a quarter of the pages. */
const run = ({ id = 7, ...overrides }: SyncRunOverrides = {}) =>
  syncRun(id, { pages_done: 3, pages_total: 12, ...overrides })

describe('the words about a run of the sync', () => {
  it('say who or what has started it', () => {
    const account = { started_by: 'ada@leadwell.example' }
    expect(starterOf(run({ ...account, started_by_name: 'Ada Park' }))).toBe('Ada Park')
    expect(starterOf(run(account))).toBe('ada@leadwell.example')
    expect(starterOf(run())).toBe('Shared password')
    expect(starterOf(run({ trigger: 'schedule', started_by: null }))).toBe('Schedule')
    expect(starterOf(run({ trigger: 'command', started_by: 'command line' }))).toBe('Command line')
  })

  it('say what it did, or would do', () => {
    const counts = { seen: 1205, created: 3, deactivated: 1, skipped: 1 }
    expect(countsSentence(run({ counts }))).toBe('1,205 posts seen, 3 created, 1 deactivated, 1 post skipped.')
    const wanted = '1,205 posts seen, 3 to create, 1 to deactivate, 1 post skipped.'
    expect(countsSentence(run({ counts, dry_run: true }))).toBe(wanted)
    expect(countsSentence(run({ counts, state: 'needs_approval' }))).toBe(wanted)
    expect(countsSentence(run({ counts: { seen: 1 } }))).toBe('1 post seen, nothing changed.')
    expect(countsSentence(run({ dry_run: true }))).toBe('0 posts seen, nothing to change.')
  })

  it('say what became of the leads that wait', () => {
    expect(leadsSentence(run())).toBe('No waiting leads had to be checked again.')
    expect(leadsSentence(run({ leads_queued: 1 }))).toBe('1 waiting lead looked at again, none matched so far.')
    expect(leadsSentence(run({ leads_queued: 40, leads_matched: 12 }))).toBe(
      '40 waiting leads looked at again, 12 matched so far.',
    )
  })

  it('say how far it is', () => {
    expect(progressOf(run({ state: 'waiting' }))).toBe('Waiting for a worker')
    expect(progressOf(run({ state: 'running', pages_total: null }))).toBe('Contacting WordPress')
    expect(progressOf(run({ state: 'running' }))).toBe('Page 3 of 12')
    const spoken = [run({ state: 'waiting' }), run({ state: 'running', pages_total: null }), run({ state: 'running' })]
    expect(spoken.map(spokenProgressOf)).toEqual(['Sync under way', 'Sync under way', 'Sync under way: 25%'])
    expect(spokenProgressOf(run({ state: 'running', dry_run: true, pages_done: 5 }))).toBe('Dry run under way: 25%')
    expect(stateOf(run({ dry_run: true })).label).toBe('Dry run')
    expect(stateOf(run({ state: 'needs_approval', can_be_approved: true })).label).toBe('Needs approval')
    expect(stateOf(run({ state: 'needs_approval' })).label).toBe('Not applied')
    expect(stateOf(run({ state: 'failed', dry_run: true }))).toEqual({ label: 'Failed', tone: 'bad' })
  })

  it('say what is in a field', () => {
    expect([null, '', false, true, 30.27].map(valueText)).toEqual(['nothing', 'nothing', 'no', 'yes', '30.27'])
    expect(fieldName('image_url')).toBe('Picture')
  })
})

describe('the run that was asked for', () => {
  const open = { state: 'running', finished_at: null } as const
  const find = (order: SyncOrder, before: SyncRun[] | undefined, after: SyncRun[]) =>
    runOf(askFor(order, before), after)?.id

  it('is the one of that kind that was under way, or the next', () => {
    const before = [run({ id: 8, dry_run: true, ...open }), run({ id: 7 })]
    const after = [run({ id: 10, dry_run: true }), run({ id: 9 }), run({ id: 8, dry_run: true }), run({ id: 7 })]
    expect(find({ kind: 'dry-run' }, before, after)).toBe(8)
    expect(find({ kind: 'sync' }, before, after)).toBe(9)
    expect(find({ kind: 'sync' }, before, before)).toBeUndefined()
    expect(find({ kind: 'sync' }, [], [run({ id: 1 })])).toBe(1)
  })

  it('is the one that approves', () => {
    const before = [run({ id: 8, approves: 7, state: 'failed' }), run({ id: 7, state: 'needs_approval' })]
    const order = { kind: 'approve', id: 7 } as const
    expect(find(order, before, [run({ id: 9 }), ...before])).toBeUndefined()
    expect(find(order, before, [run({ id: 10, approves: 7 }), run({ id: 9 }), ...before])).toBe(10)
  })

  it('is none that has ended where it was not known which there were', () => {
    expect(find({ kind: 'sync' }, undefined, [run({ id: 8 })])).toBeUndefined()
    expect(find({ kind: 'sync' }, undefined, [run({ id: 9, ...open }), run({ id: 8 })])).toBe(9)
  })
})

describe('a sync of which nobody answers', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is said to go on by itself, after longer than a restart takes', async () => {
    const fetch = vi.fn(async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }))
    vi.stubGlobal('fetch', fetch)
    const outcome = vi.fn()
    const started = startSync(askFor({ kind: 'sync' }, [])).catch(outcome)
    await vi.advanceTimersByTimeAsync(50 * SECOND)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(20 * SECOND)
    await started
    expect(outcome.mock.calls[0]?.[0].message).toMatch(
      /^The server is not responding\. If the sync has started, it continues/,
    )
    expect(fetch.mock.calls.length).toBeGreaterThan(20)
  })
})

describe('a sync during which the session ends', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ['while it is followed', () => startSync(askFor({ kind: 'sync' }, []))],
    ['before it is found again', () => resumeSync(askFor({ kind: 'sync' }, []))],
  ])('is not said to have failed: %s', async (_when, wait) => {
    vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) =>
      method === 'POST'
        ? Response.json({ success: false, run: run({ state: 'running', finished_at: null }) }, { status: 202 })
        : Response.json({ error: 'Please sign in.', code: 'unauthorized' }, { status: 401 }),
    )
    const ended = expect(wait()).rejects.toBeInstanceOf(SignedOutError)
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    await ended
  })

  it('has failed where it was not even begun', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ error: 'Please sign in.', code: 'unauthorized' }, { status: 401 }),
    )
    const refused = await startSync(askFor({ kind: 'sync' }, [])).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(HttpError)
    expect(refused).not.toBeInstanceOf(SignedOutError)
  })
})
