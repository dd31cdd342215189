import { afterEach, describe, expect, it, vi } from 'vitest'
import { JOBS } from '../../core/deliveries/jobs.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import { HOUR, SECOND } from '../../core/time.ts'
import { DeliveryError, NotNeeded, reasonOf, settlementOf } from '../../worker/delivery-error.ts'

afterEach(() => void vi.restoreAllMocks())

const JOB: Job = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'send-email',
  purpose: 'provider',
  generation: 1,
  attempts: 0,
  requestId: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  subject: 'lead:7',
  payload: {},
}
const LAST = { attempts: JOBS['send-email'].retry.attempts - 1 }

/** How an attempt ends that throws this, with the longest delay that the jitter allows. */
function endingOf(error: Error, job: Partial<Job> = {}) {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  return { settlement: settlementOf({ ...JOB, ...job }, error), reason: reasonOf(error) }
}

describe('an attempt that is not needed', () => {
  it('cancels its job, with the reason in ledger and log', () => {
    expect(endingOf(new NotNeeded('The lead is held.'))).toEqual({
      settlement: { state: 'cancelled', error: 'The lead is held.' },
      reason: 'The lead is held.',
    })
  })

  it('cancels its job after the last attempt as well', () => {
    expect(endingOf(new NotNeeded('The lead is held.'), LAST).settlement.state).toBe('cancelled')
  })
})

describe('an attempt that the other side refuses for good', () => {
  const detail = '550 <a@b.example> is unknown'
  const error = new DeliveryError('Refused.', { cause: 'unknown_mailbox', retry: 'never', detail, status: 550 })

  it('fails its job at once: the ledger has the answer, the log only the summary', () => {
    expect(endingOf(error)).toEqual({
      settlement: { state: 'failed', cause: 'unknown_mailbox', error: 'Refused.', detail, result: { status: 550 } },
      reason: 'Refused.',
    })
  })

  it('does not say that we have stopped trying when it was the last attempt', () => {
    expect(endingOf(error, LAST).settlement).toMatchObject({ state: 'failed', error: error.message })
  })

  it('has no status where there was no answer', () => {
    const { settlement } = endingOf(new DeliveryError('No address.', { cause: 'bad_address', retry: 'never' }))
    expect(settlement).toEqual({ state: 'failed', cause: 'bad_address', error: 'No address.' })
  })
})

describe('an attempt that failed for now', () => {
  const busy = (retryAfter?: number) =>
    new DeliveryError('Busy.', { cause: 'busy', retry: 'later', status: 503, retryAfter })

  it('waits for the first delay of its kind of job', () => {
    expect(endingOf(busy()).settlement).toEqual({
      state: 'waiting',
      cause: 'busy',
      error: 'Busy.',
      delay: 10 * SECOND,
      result: { status: 503 },
    })
    expect(endingOf(busy(), { name: 'match-lead' }).settlement).toMatchObject({ delay: SECOND })
  })

  it('waits longer the more attempts have failed', () => {
    expect(endingOf(busy(), { attempts: 1 }).settlement).toMatchObject({ delay: 20 * SECOND })
    expect(endingOf(busy(), { attempts: 4 }).settlement).toMatchObject({ delay: 160 * SECOND })
  })

  it('waits as long as the other side asked for', () => {
    expect(endingOf(busy(2 * HOUR)).settlement).toMatchObject({ state: 'waiting', delay: 2 * HOUR + 10 * SECOND })
  })

  it('fails its job when it was the last attempt, whatever the other side asked for', () => {
    expect(endingOf(busy(HOUR), { attempts: LAST.attempts - 1 }).settlement.state).toBe('waiting')
    expect(endingOf(busy(HOUR), LAST).settlement).toEqual({
      state: 'failed',
      cause: 'busy',
      error: 'Busy. We have stopped trying.',
      result: { status: 503 },
    })
  })
})

describe('an attempt that failed by an error of ours', () => {
  it('waits, and says so to staff in printable words', () => {
    expect(endingOf(new Error('insert failed\u0000for (jordan)')).settlement).toEqual({
      state: 'waiting',
      cause: 'our_side',
      error: 'Something went wrong on our side.',
      detail: 'insert failed for (jordan)',
      delay: 10 * SECOND,
    })
  })

  it('fails its job when it was the last attempt', () => {
    expect(endingOf(new TypeError('x'), LAST).settlement).toMatchObject({
      state: 'failed',
      error: 'Something went wrong on our side. We have stopped trying.',
      detail: 'x',
    })
  })

  it('is logged by its kind and code only, because its message may quote a row', () => {
    expect(endingOf(new TypeError('jordan@visitors.example')).reason).toBe('TypeError')
    expect(endingOf(Object.assign(new Error('jordan'), { code: '23505' })).reason).toBe('Error 23505')
  })
})
