import { z } from 'zod'
import { ActionAnswer, defineCall } from '../../contract/call.ts'
import { line } from '../../contract/forms.ts'

const DAY = 24 * 60 * 60 * 1000
/** The longest pause of sending, in days. Deliveries wait meanwhile, and visitors with them. */
export const MAX_SENDING_PAUSE_DAYS = 7

/** The integrations to which deliveries are sent. */
export const SendingId = z.enum(['crm', 'mail'])
export type SendingId = z.infer<typeof SendingId>

/** The plural of what is sent, for staff. */
export const SENDING_WORDS: Record<SendingId, { name: string; deliveries: string }> = {
  crm: { name: 'the CRM', deliveries: 'CRM calls' },
  mail: { name: 'the mail server', deliveries: 'e-mails' },
}

/** A pause of sending. Deliveries wait until its end, and use up no attempts. */
export const SendingPause = z.object({
  integration: SendingId,
  /** `breaker`: opened by itself, because the integration refused everything. */
  kind: z.enum(['staff', 'breaker']),
  /** Its end, or for a breaker the time of the next probe. A breaker whose time has come waits for the answer to a probe. */
  until: z.iso.datetime(),
  reason: z.string(),
  paused_at: z.iso.datetime(),
  /** As in the audit log. */
  paused_by: z.string(),
  paused_by_name: z.string().nullable(),
})
export type SendingPause = z.infer<typeof SendingPause>

/**
 * The state of an integration. `retrying`: some attempts fail. `failing`: the latest all do. `silent`: work is due, and nothing
 * takes it up; the conditions say so. `slow`: it answers late, or is nearly full. `unused`: it is set up, and has not been used yet.
 */
export const IntegrationState = z.enum([
  'working',
  'retrying',
  'failing',
  'paused',
  'silent',
  'slow',
  'unused',
  'not_set_up',
])
export type IntegrationState = z.infer<typeof IntegrationState>

const count = z.number().int()
const moment = z.iso.datetime().nullable()

/** Attempts that ended within a period. */
const Attempts = z.object({ succeeded: count, failed: count })
export type Attempts = z.infer<typeof Attempts>

/** `detail` is the text of the other side; masked for viewers. */
const Failure = z.object({ at: z.iso.datetime(), error: z.string(), detail: z.string().nullable() })

/** Success and failure of the last 24 hours. A time is null if there was none. */
const Record24 = z.object({
  /** A sentence about the state, where it needs one. */
  note: z.string().nullable(),
  hour: Attempts,
  day: Attempts,
  last_success_at: moment,
  last_failure: Failure.nullable(),
})

/** Sending to the CRM, or of e-mails. All numbers are from the ledger. */
export const Sending = Record24.extend({
  state: IntegrationState,
  pause: SendingPause.nullable(),
  /** Deliveries that wait for their first attempt, and those that wait for another one. */
  waiting: count,
  retrying: count,
  /** The oldest of both. */
  oldest_waiting_at: moment,
  /** Deliveries that have failed for good since a time and were not retried, as `countFailedJobs` counts them. */
  failed: z.object({ total: count, since: z.iso.datetime() }),
})
export type Sending = z.infer<typeof Sending>

export const Integrations = z.object({
  /** `kind` is that of `CRM_KIND`. */
  crm: Sending.extend({ kind: z.string() }),
  mail: Sending,
  /** Runs of the provider sync, without dry runs. */
  wordpress: Record24.extend({ state: IntegrationState, next_at: moment }),
  queue: z.object({
    state: IntegrationState,
    note: z.string().nullable(),
    backend: z.enum(['Redis', 'PostgreSQL']),
    /** Jobs that the queue has; null if it does not answer. */
    jobs: z.object({ waiting: count, active: count, delayed: count }).nullable(),
    /** The same in the ledger, which is what counts: jobs handed to the queue, not yet handed to it, and failed for good. */
    ledger: z.object({ enqueued: count, waiting: count, failed: count }),
  }),
  workers: z.object({
    state: IntegrationState,
    note: z.string().nullable(),
    running: count,
    /** The latest sign of life of any worker; null if there was none in the last week. */
    last_seen_at: moment,
    /** The start of the worker that has run for the longest time. */
    running_since: moment,
  }),
  database: z.object({
    state: IntegrationState,
    note: z.string().nullable(),
    /** The duration of a short query, in milliseconds. */
    answer_ms: z.number(),
    bytes: z.number(),
    connections: count,
    max_connections: count,
    /** In seconds; 0 without one. */
    longest_transaction: z.number(),
  }),
})
export type Integrations = z.infer<typeof Integrations>

export const getIntegrations = defineCall({
  method: 'GET',
  path: '/api/integrations',
  summary: 'Get the health of the CRM, mail, WordPress, the queue, workers and the database.',
  access: 'viewer',
  output: Integrations,
})

export const listSendingPauses = defineCall({
  method: 'GET',
  path: '/api/sending-pauses',
  summary: 'List the present pauses of sending.',
  access: 'viewer',
  output: z.object({ pauses: z.array(SendingPause) }),
})

/** The body of `pauseSending`. */
export const NewSendingPause = z
  .object({
    integration: SendingId,
    until: z.iso.datetime({ offset: true, error: 'Choose a day and a time' }),
    reason: line('A reason', 100),
  })
  .refine(({ until }) => Date.parse(until) > Date.now(), {
    path: ['until'],
    message: 'The end must be in the future',
  })
  .refine(({ until }) => Date.parse(until) <= Date.now() + MAX_SENDING_PAUSE_DAYS * DAY, {
    path: ['until'],
    message: `A pause must be ${MAX_SENDING_PAUSE_DAYS} days or shorter`,
  })
export type NewSendingPause = z.output<typeof NewSendingPause>

export const pauseSending = defineCall({
  method: 'POST',
  path: '/api/sending-pauses',
  summary: 'Pause sending to the CRM or of e-mails until a time. Replaces a present pause of the same integration.',
  access: 'manager',
  input: { body: NewSendingPause },
  output: SendingPause,
})

export const resumeSending = defineCall({
  method: 'DELETE',
  path: '/api/sending-pauses/:integration',
  summary: 'End a pause of sending now. What waited is due at once.',
  access: 'manager',
  input: { params: z.object({ integration: SendingId }) },
  output: ActionAnswer,
})
