import { describe, expect, it } from 'vitest'
import { databaseState, sendingState, syncState } from '../../../core/rules/integration-states.ts'
import { MINUTE } from '../../../core/time.ts'

describe('the state of sending', () => {
  const NONE = { faults: 0, lasts: 0 }
  const BAD = { faults: 3, lasts: 5 * MINUTE }
  const WELL = { isSetUp: true, isPaused: false, streak: NONE, retrying: 0, oldestDue: 0 }

  it.each([
    [{}, 'working'],
    [{ retrying: 1 }, 'retrying'],
    [{ streak: { ...BAD, faults: 2 } }, 'retrying'],
    [{ streak: { ...BAD, lasts: 4 * MINUTE } }, 'retrying'],
    [{ streak: BAD }, 'failing'],
    [{ streak: BAD, oldestDue: 6 * MINUTE }, 'silent'],
    [{ oldestDue: 4 * MINUTE }, 'working'],
    [{ streak: BAD, oldestDue: 6 * MINUTE, isPaused: true }, 'paused'],
    [{ isPaused: true, isSetUp: false }, 'not_set_up'],
  ])('with %j is %s', (facts, state) => expect(sendingState({ ...WELL, ...facts })).toBe(state))
})

describe('the state of the provider sync', () => {
  const [early, late] = [new Date(0), new Date(1)]
  const WELL = { isSetUp: true, isOverdue: false, lastSuccess: late, lastFailure: early }

  it.each([
    [{}, 'working'],
    [{ lastSuccess: null, lastFailure: null }, 'unused'],
    [{ lastSuccess: early, lastFailure: late }, 'failing'],
    [{ lastSuccess: null }, 'failing'],
    [{ isOverdue: true }, 'silent'],
    [{ isSetUp: false, isOverdue: true }, 'not_set_up'],
  ])('with %j is %s', (facts, state) => expect(syncState({ ...WELL, ...facts })).toBe(state))
})

describe('the state of the database', () => {
  const WELL = { answer_ms: 1, connections: 20, max_connections: 100, longest_transaction: 0 }

  it.each([
    [{}, 'working'],
    [{ answer_ms: 501 }, 'slow'],
    [{ connections: 90 }, 'slow'],
    [{ longest_transaction: 61 }, 'slow'],
  ])('with %j is %s', (facts, state) => expect(databaseState({ ...WELL, ...facts })).toBe(state))
})
