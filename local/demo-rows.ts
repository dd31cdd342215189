import { createHash } from 'node:crypto'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import { columnsOf } from '../core/deliveries/jobs.ts'
import type { OutcomeKind, OutcomeReason } from '../core/leads/contract/outcomes.ts'
import type { Transaction } from '../core/platform/db.ts'
import type { Tables } from '../core/tables/tables.ts'

/** Marks a lead of the history, in its attribution. No form can set it. */
const MADE_UP = { made_up: true }
type NewRow<Name extends keyof Tables> = Tables[Name]['insert']
export type Clinic = { id: number; email: string; zip: string; miles: number }
export type Step = { kind: OutcomeKind; at: number; reason?: OutcomeReason; value_cents?: number; booked_for?: string }
type Visit = Record<string, string | number | undefined> & { weight: number }

export type MadeUp = {
  at: number
  name: { first: string; last: string; number: number }
  visit: Visit
  zip: string
  clinic: Clinic | null
  jobs: Delivery[]
  steps: Step[]
  due: number | null
}
export type Delivery = {
  name: 'send-email' | 'sync-crm'
  purpose: string
  /** The times of its attempts. All but the last have failed. */
  attempts: number[]
  state: 'done' | 'failed'
  cause: 'busy' | 'unknown_mailbox' | 'refused'
  /** The address of an email. */
  to?: string
  /** The clinic that a reminder is for. */
  recipient?: number
}

export const emailOf = ({ first, last, number }: MadeUp['name']) =>
  `${first}.${last}${number}@made-up.example`.toLowerCase()

/** Stores made-up leads with their deliveries, clocks and outcomes. */
export async function store(trx: Transaction, made: MadeUp[]): Promise<void> {
  const added = await trx('leads').insert(made.map(leadRow)).returning('id')
  const withIds = made.map((lead, index) => ({ ...lead, id: added[index]?.id as number }))
  const jobs = withIds.flatMap(({ id, jobs: of }) =>
    of.map((job) => ({ ...job, id: uuid(`${id} ${job.name} ${job.purpose}`), lead: id })),
  )
  await trx('jobs').insert(jobs.map(jobRow))
  await trx('job_attempts').insert(jobs.flatMap(attemptRows))

  const answered = withIds.flatMap(({ clinic, ...lead }) => (clinic ? [{ ...lead, clinic }] : []))
  const clocks = answered.map(({ id, clinic, at, due, steps }) => {
    const answer = steps.find(({ kind }) => kind !== 'opened')
    return {
      ...{ lead_id: id, provider_id: clinic.id, started_at: new Date(at), due_at: due === null ? null : new Date(due) },
      ...{ answered_at: answer ? new Date(answer.at) : null, step: 'offer' as const, step_at: null },
    }
  })
  if (clocks.length > 0) await trx('answer_clocks').insert(clocks)
  const rows = answered.flatMap(({ id, clinic, steps }) =>
    steps.map(({ at, ...step }) => ({
      ...{ lead_id: id, provider_id: clinic.id, source: 'clinic' as const, actor: 'clinic', at: new Date(at) },
      ...{ happened_at: new Date(at), reason: null, value_cents: null, booked_for: null, ...step },
    })),
  )
  if (rows.length > 0) await trx('lead_outcomes').insert(rows as never)
}

function leadRow({ at, name: { first, last, number }, visit, zip, clinic, jobs, steps }: MadeUp): NewRow<'leads'> {
  const { weight: _weight, ...touch } = visit
  const last_touch = { landing_page: 'https://www.clinics.example/', ...touch }
  const hasFailed = (name: Delivery['name']) => jobs.some((job) => job.name === name && job.state === 'failed')
  const outcome = steps.at(-1)
  const isKnown = !hasFailed('sync-crm')
  return {
    first_name: first,
    last_name: last,
    email: emailOf({ first, last, number }),
    phone: `(${200 + (number % 700)}) 555-01${String(number % 100).padStart(2, '0')}`,
    zip_code: zip,
    created_at: new Date(at),
    acceptance_consent: true,
    acceptance_message: 'Made up for the demo.',
    attribution: { ...MADE_UP, first: last_touch, last: last_touch },
    provider_id: clinic?.id ?? null,
    matched_at: clinic ? new Date(at) : null,
    match_kind: clinic ? 'nearest' : null,
    match_distance_miles: clinic?.miles ?? null,
    unreached_at: clinic ? null : new Date(at + SECOND),
    email_status: hasFailed('send-email') ? 'failed' : 'success',
    crm_sync_status: isKnown ? 'success' : 'failed',
    crm_external_id: isKnown ? `demo-${number}` : null,
    outcome: outcome?.kind ?? null,
    outcome_at: outcome ? new Date(outcome.at) : null,
    request_hash: `made up ${number}`,
    person_key: uuid(`person ${number}`),
    repeat_window: `[${new Date(at).toISOString()},${new Date(at + 10 * MINUTE).toISOString()})`,
  } as NewRow<'leads'>
}

type StoredJob = Delivery & { id: string; lead: number }

const ERRORS = {
  busy: {
    ...{ status: 451, error: 'The mail server could not accept the email yet.' },
    detail: '451 4.7.1 Greylisted, try again later',
  },
  unknown_mailbox: {
    ...{ status: 550, error: 'The mail server refused the email. The mailbox does not exist.' },
    detail: '550 5.1.1 No such user here',
  },
  refused: {
    ...{ status: 422, error: 'The CRM refused the lead.' },
    detail: '{"message":"Property values were not valid: contact_type is required"}',
  },
}
const CRM_BUSY = { status: 503, error: 'The CRM is busy.', detail: '{"message":"Service unavailable"}' }

const errorOf = ({ name, cause }: Pick<Delivery, 'name' | 'cause'>) =>
  name === 'sync-crm' && cause === 'busy' ? CRM_BUSY : ERRORS[cause]

function jobRow(job: StoredJob): NewRow<'jobs'> {
  const { id, lead, name, purpose, attempts, state, cause, to, recipient } = job
  const isFailed = state === 'failed'
  const [first = 0, end = 0] = [attempts[0], attempts.at(-1)]
  return {
    ...{ id, ...columnsOf(`lead:${lead}`), name, purpose, state, attempts: attempts.length },
    ...{ created_at: new Date(first), next_attempt_at: new Date(end), enqueued_at: new Date(end) },
    finished_at: new Date(end),
    last_cause: isFailed ? cause : null,
    last_error: isFailed ? errorOf(job).error : null,
    last_detail: isFailed ? errorOf(job).detail : null,
    payload: JSON.stringify(recipient === undefined ? {} : { providerId: recipient }),
    result: to === undefined ? null : JSON.stringify({ to, ...(!isFailed && { response: '250 OK' }) }),
  }
}

function attemptRows({ id, attempts, state, ...job }: StoredJob): NewRow<'job_attempts'>[] {
  return attempts.map((at, index) => {
    const next = attempts[index + 1]
    const hasFailed = next !== undefined || state === 'failed'
    const of = errorOf(job)
    return {
      ...{ job_id: id, started_at: new Date(at), duration_ms: 240, outcome: hasFailed ? 'failed' : 'done' },
      status: hasFailed ? of.status : job.name === 'sync-crm' ? 200 : 250,
      ...(hasFailed && { error: of.error, detail: of.detail, cause: job.cause }),
      next_attempt_at: next === undefined ? null : new Date(next),
    } as NewRow<'job_attempts'>
  })
}

/** Returns an id that is the same for the same text: a UUID of version 8, whose content is ours (RFC 9562, 5.8). */
function uuid(text: string): string {
  const hex = createHash('sha256').update(`demo ${text}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
