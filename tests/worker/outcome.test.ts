import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HOUR, SECOND } from '../../core/contract/time.ts'
import { JOBS } from '../../core/deliveries/jobs.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import { DeliveryError, NotNeeded, reasonOf, settlementOf } from '../../worker/delivery-error.ts'

// The longest delay that the jitter allows.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1))
afterEach(() => void vi.restoreAllMocks())

const JOB = {
  ...{
    id: '00000000-0000-4000-8000-000000000001',
    name: 'send-email',
    purpose: 'provider',
    generation: 1,
    attempts: 0,
  },
  ...{ requestId: null, createdAt: '2026-11-20T12:00:00.000Z', subject: 'lead:7', payload: {} },
} satisfies Job
const FIRST = {}
const LAST = { attempts: JOBS['send-email'].retry.attempts - 1 }

const held = new NotNeeded('The lead is held.')
const cancelled = { state: 'cancelled', error: 'The lead is held.' }
const detail = '550 <a@b.example> is unknown'
const refused = new DeliveryError('Refused.', { cause: 'unknown_mailbox', retry: 'never', detail, status: 550 })
const failed = { state: 'failed', cause: 'unknown_mailbox', error: 'Refused.', detail, result: { status: 550 } }
const noAddress = new DeliveryError('No address.', { cause: 'bad_address', retry: 'never' })
const busy = (retryAfter?: number) =>
  new DeliveryError('Busy.', { cause: 'busy', retry: 'later', status: 503, retryAfter })
const waits = (delay: number) => ({ state: 'waiting', cause: 'busy', error: 'Busy.', delay, result: { status: 503 } })
const OURS = 'Something went wrong on our side.'
const STOPPED = 'We have stopped trying.'

it.each<[string, Error, Partial<Job>, object]>([
  ['that is not needed cancels its job', held, FIRST, cancelled],
  ['that is not needed cancels its job, also after the last attempt', held, LAST, cancelled],
  ['that is refused fails its job, with the answer for staff', refused, FIRST, failed],
  ['that is refused does not say that we have stopped trying', refused, LAST, failed],
  [
    'without an answer has no status',
    noAddress,
    FIRST,
    { state: 'failed', cause: 'bad_address', error: 'No address.' },
  ],
  ['that failed for now waits for the first delay', busy(), FIRST, waits(10 * SECOND)],
  ['waits for the first delay of its kind of job', busy(), { name: 'match-lead' }, waits(SECOND)],
  ['waits longer after the second failure', busy(), { attempts: 1 }, waits(20 * SECOND)],
  ['waits longer after the fifth failure', busy(), { attempts: 4 }, waits(160 * SECOND)],
  ['waits as long as the receiver asked for', busy(2 * HOUR), FIRST, waits(2 * HOUR + 10 * SECOND)],
  ['waits before the last attempt', busy(HOUR), { attempts: LAST.attempts - 1 }, waits(6 * HOUR)],
  [
    'that was the last fails its job, whatever the receiver asked for',
    ...([busy(HOUR), LAST] as const),
    { state: 'failed', cause: 'busy', error: `Busy. ${STOPPED}`, result: { status: 503 } },
  ],
  [
    'that failed by an error of ours waits, and says so to staff in printable words',
    ...([new Error('insert failed\u0000for (jordan)'), FIRST] as const),
    { state: 'waiting', cause: 'our_side', error: OURS, detail: 'insert failed for (jordan)', delay: 10 * SECOND },
  ],
  [
    'that was the last and failed by an error of ours fails its job',
    ...([new TypeError('x'), LAST] as const),
    { state: 'failed', cause: 'our_side', error: `${OURS} ${STOPPED}`, detail: 'x' },
  ],
])('an attempt %s', (_, error, job, settlement) => {
  expect(settlementOf({ ...JOB, ...job }, error)).toEqual(settlement)
})

it.each([
  ['the reason of an attempt that is not needed', held, 'The lead is held.'],
  ['the summary of a refusal, without its answer', refused, 'Refused.'],
  [
    'the kind of an error of ours, because its message may quote a row',
    new TypeError('jordan@visitors.example'),
    'TypeError',
  ],
  ['its code as well', Object.assign(new Error('jordan'), { code: '23505' }), 'Error 23505'],
])('the log has %s', (_, error, reason) => expect(reasonOf(error)).toBe(reason))
