import { describe, expect, it } from 'vitest'
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
