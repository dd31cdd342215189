import { z } from 'zod'
import { defineCall } from '../../contract/call.ts'
import { Email, line, ZipCode } from '../../contract/forms.ts'
import { DAY } from '../../contract/time.ts'
import { JobName, JobState } from '../../deliveries/contract/jobs.ts'
import { EnteredLead } from '../../leads/contract/lead-changes.ts'

/** The longest pause of sending, in days. Deliveries wait meanwhile, and visitors with them. */
const MAX_SENDING_PAUSE_DAYS = 7

export const SendingId = z.enum(['crm', 'mail'])
export type SendingId = z.infer<typeof SendingId>

/** The plural of what is sent, for staff. */
export const SENDING_WORDS: Record<SendingId, { name: string; deliveries: string }> = {
  crm: { name: 'the CRM', deliveries: 'CRM calls' },
  mail: { name: 'the mail server', deliveries: 'emails' },
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

export const Sending = Record24.extend({
  state: IntegrationState,
  pause: SendingPause.nullable(),
  /** Deliveries that wait for their first attempt, and those that wait for another one. */
  waiting: count,
  retrying: count,
  /** The oldest of both. */
  oldest_waiting_at: moment,
  /** Deliveries that have failed permanently since a time and were not retried, as `countFailedJobs` counts them. */
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
    /** What each queue has; null if it does not answer. It forgets what failed, so `failed` is of the ledger, in 30 days. */
    queues: z
      .array(
        z.object({
          name: JobName,
          ...{ waiting: count, active: count, delayed: count, failed: count },
          oldest_waiting_at: moment,
          is_paused: z.boolean(),
        }),
      )
      .nullable(),
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
  summary: 'Pause sending to the CRM or of emails until a time. Replaces a present pause of the same integration.',
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
})

/** The first name and the last name of every test lead. */
export const TEST_LEAD_NAME = { first_name: 'Test', last_name: 'Lead' } as const
/** A number that is reserved for fiction. */
export const TEST_LEAD_PHONE = '(212) 555-0100'

/** How a delivery goes. `answer` is what the other side said, `error` our words for a failure. */
const Progress = z.object({
  state: JobState,
  to: z.string().nullable(),
  at: z.iso.datetime(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
})
export type Progress = z.infer<typeof Progress>

/** What is set up, as facts. Secrets are never part of it. */
export const Setup = z.object({
  /** Whether a worker runs, which sends everything. */
  has_worker: z.boolean(),
  mail: z.object({
    is_done: z.boolean(),
    /** As the running worker has it; null if none runs. */
    settings: z.object({ server: z.string(), from: z.string(), team: z.string() }).nullable(),
    check: Progress.nullable(),
  }),
  crm: z.object({ is_done: z.boolean(), kind: z.string(), host: z.string().nullable(), check: Progress.nullable() }),
  wordpress: z.object({
    is_done: z.boolean(),
    url: z.string().nullable(),
    last_run: z.object({ at: z.iso.datetime(), state: z.string(), error: z.string().nullable() }).nullable(),
    is_running: z.boolean(),
    clinics: z.number().int(),
  }),
  team: z.object({ is_done: z.boolean(), accounts: z.number().int(), invited: z.number().int() }),
  /** The newest test lead, and a zip code to send one with. */
  test_lead: z.object({ is_done: z.boolean(), lead_id: z.number().int().nullable(), zip_code: z.string().nullable() }),
})
export type Setup = z.infer<typeof Setup>

export const getSetup = defineCall({
  method: 'GET',
  path: '/api/setup',
  summary: 'Get what of the installation is set up, with the latest tests and the test lead.',
  access: 'manager',
  output: Setup,
})

export const checkConnection = defineCall({
  method: 'POST',
  path: '/api/setup/check',
  summary: 'Send a test email or, without an address, ask the CRM whether it accepts us. Replaces an earlier test.',
  access: 'manager',
  input: { body: z.object({ email: Email.optional() }) },
})

export const sendTestLead = defineCall({
  method: 'POST',
  path: '/api/setup/test-lead',
  summary: 'Send a test lead. Its emails all go to the given address, and it counts nowhere.',
  access: 'manager',
  input: { body: z.object({ email: Email, zip_code: ZipCode }) },
  output: EnteredLead,
  status: 201,
})

export const deleteTestLead = defineCall({
  method: 'DELETE',
  path: '/api/setup/test-lead',
  summary: 'Delete the test leads permanently, here and in the CRM.',
  access: 'manager',
})

export const StaffSettings = z.object({
  /** The WordPress site of the providers, without a slash at the end; null if none is connected. */
  wordpress_url: z.string().nullable(),
  match_radius_miles: z.number(),
  map_tiles: z.object({ url: z.string(), attribution: z.string() }),
  /** Whether a lead has come. Test leads do not count. */
  has_leads: z.boolean(),
  /** Whether this request came through a proxy although `TRUST_PROXY_HOPS` is 0: all visitors share one address. */
  proxy_ignored: z.boolean(),
})
export type StaffSettings = z.infer<typeof StaffSettings>

export const getSettings = defineCall({
  method: 'GET',
  path: '/api/settings',
  summary: 'Get the settings that the dashboard needs.',
  access: 'viewer',
  output: StaffSettings,
})
