import type { JobState, LedgerJob } from '../contract/jobs.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import { currentRequest } from '../platform/request-context.ts'
import { traceParent } from '../platform/trace.ts'
import type {
  EmailOfLead,
  LatestJob,
  NewAccountJob,
  NewApplicationJob,
  NewLeadJob,
  NewSyncJob,
} from '../rules/deliveries.ts'
import { adviceFor } from '../rules/failure-causes.ts'
import * as attempts from './attempts.ts'
import { refreshStatus } from './delivery-status.ts'
import {
  columnOf,
  type OfAccount,
  type OfApplication,
  type OfLead,
  type OfSync,
  OWNER_COLUMNS,
  type Owner,
  ownerOf,
} from './job-owner.ts'
import type { RowWith } from './table.ts'

export const OPEN: JobState[] = ['waiting', 'enqueued']
/** The relay of every API process listens on this channel. */
export const JOBS_CHANNEL = 'jobs'

/** The ids of the jobs that were added, and of those that were cancelled for them. */
export type JobChanges = { added: string[]; replaced: string[] }

/** `delay`, in milliseconds, is how long the first attempt waits. */
type AddOptions = { delay?: number }

/**
 * Adds a new generation of each job; what is still open of an older generation is cancelled, so that a retry always
 * does something. What is being sent at this moment cannot be called back, and is sent once more. The caller holds the
 * owner's lock (`lock` of its store), and the relay is woken when the transaction commits.
 */
export async function add(
  trx: Transaction,
  owner: OfLead,
  jobs: NewLeadJob[],
  options?: AddOptions,
): Promise<JobChanges>
export async function add(trx: Transaction, owner: OfApplication, jobs: NewApplicationJob[]): Promise<JobChanges>
export async function add(trx: Transaction, owner: OfAccount, jobs: NewAccountJob[]): Promise<JobChanges>
export async function add(trx: Transaction, owner: OfSync, jobs: NewSyncJob[]): Promise<JobChanges>
export async function add(
  trx: Transaction,
  owner: Owner,
  jobs: (NewLeadJob | NewApplicationJob | NewAccountJob | NewSyncJob)[],
  { delay = 0 }: AddOptions = {},
): Promise<JobChanges> {
  const changes: JobChanges = { added: [], replaced: [] }
  for (const { name, purpose, ...job } of jobs) {
    const told = 'toldProviderId' in job ? { told_provider_id: job.toldProviderId } : {}
    const same = { ...columnOf(owner), ...('syncId' in owner && told), name, purpose }
    const previous = 'previousProviderId' in job ? { previous_provider_id: job.previousProviderId } : {}
    // One for each clinic that had the lead before, or is told.
    if (!EACH_COUNTS.has(purpose)) {
      changes.replaced.push(...(await cancel(trx, { ...same, ...told, ...previous }, 'Replaced by a newer attempt.')))
    }
    const newest = trx('jobs').where(same).max('generation')
    const inserted = await trx('jobs')
      .insert({
        ...same,
        ...told,
        ...previous,
        generation: trx.raw('1 + coalesce((?), 0)', [newest]),
        next_attempt_at: trx.raw(`now() + ? * interval '1 ms'`, [delay]),
        // A call or a job that makes jobs goes on in them.
        request_id: currentRequest()?.id ?? null,
        trace_parent: traceParent(),
      })
      .returning('id')
    changes.added.push(only(inserted).id)
  }
  await refreshStatus(trx, owner)
  await wakeRelay(trx)
  return changes
}

/** Word of an event. A newer event of the same kind does not take its place. */
const EACH_COUNTS = new Set<string>(['password_changed', 'new_browser', 'new_factor', 'factor_removed'])

/**
 * Cancels what is still open, all of it or what has one of these purposes, and says why. The caller holds the owner's lock.
 * Returns the ids.
 */
export async function cancelOpen(
  trx: Transaction,
  owner: Owner,
  reason: string,
  purposes?: string[],
): Promise<string[]> {
  const cancelled = await cancel(trx, columnOf(owner), reason, purposes)
  await refreshStatus(trx, owner)
  return cancelled
}

/** Cancels what would say that the lead went from this clinic to another one. Returns the ids. */
export async function cancelPassedOn(trx: Transaction, owner: OfLead, providerId: number): Promise<string[]> {
  return cancel(trx, { ...columnOf(owner), previous_provider_id: providerId }, 'The clinic has the lead again.')
}

async function cancel(
  trx: Transaction,
  condition: Record<string, unknown>,
  reason: string,
  purposes?: string[],
): Promise<string[]> {
  const open = trx('jobs').where(condition).whereIn('state', OPEN)
  if (purposes) open.whereIn('purpose', purposes)
  const rows = await open
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: reason, last_cause: null, last_detail: null })
    .returning('id')
  return rows.map(({ id }) => id)
}

/**
 * Undoes what `add` has changed, if no worker has started it: the added jobs are removed, and those that they replaced
 * go on. The caller holds the owner's lock.
 * @returns false when one of the added jobs was started or replaced; then nothing is undone
 */
export async function undo(trx: Transaction, owner: Owner, { added, replaced }: JobChanges): Promise<boolean> {
  const untouched = { state: 'waiting', attempts: 0 }
  const waiting = await trx('jobs').whereIn('id', added).where(untouched).forUpdate().pluck('id')
  if (waiting.length < added.length) return false
  await trx('jobs').whereIn('id', added).delete()
  await reopen(trx, owner, replaced)
  return true
}

/** Opens cancelled jobs again. Their last failure stays; the reason they were cancelled for does not. */
async function reopen(trx: Transaction, owner: Owner, ids: string[]): Promise<void> {
  await trx('jobs')
    .whereIn('id', ids)
    .where('state', 'cancelled')
    .update({
      state: 'waiting',
      finished_at: null,
      last_error: trx.raw('case when last_cause is not null then last_error end'),
    })
  await refreshStatus(trx, owner)
  await wakeRelay(trx)
}

async function wakeRelay(trx: Transaction): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

/**
 * Goes on with what is still to be done for a lead that was out of reach for a while. What the queue was given meanwhile
 * it may have dropped, so it gets it again: under the same id, so that an attempt that is under way is not made twice.
 * `parked` are the jobs that were cancelled for that time. The CRM may have taken the lead meanwhile. The caller holds the
 * lead's lock.
 */
export async function resume(trx: Transaction, owner: OfLead, parked: string[]): Promise<void> {
  await trx('jobs').where(columnOf(owner)).where('state', 'enqueued').update({ state: 'waiting' })
  await reopen(trx, owner, parked)
}

/**
 * Whether the CRM may know this lead: it was told of it, is being told, or somebody began to. A worker that was killed in
 * the middle of its call has settled nothing, and a job that was cancelled in that time is none the less made.
 */
export async function isKnownToCrm(trx: Transaction, { leadId }: OfLead): Promise<boolean> {
  const told = await trx('jobs')
    .where({ lead_id: leadId, name: 'sync-crm' })
    .whereRaw(
      `(state = 'enqueued' or (state <> 'cancelled' and attempts > 0) or exists (
         select from job_attempts where job_id = jobs.id and outcome is distinct from 'cancelled'))`,
    )
    .first('id')
  return told !== undefined
}

/** All e-mails of a lead, the newest first. `matchedAt` is when it got the clinic that it has (ISO 8601). */
export async function listEmails(trx: Transaction, owner: OfLead, matchedAt: string | null): Promise<EmailOfLead[]> {
  return trx('jobs')
    .select('purpose', { previousProviderId: 'previous_provider_id' })
    .select({
      isSent: trx.raw(`(state in ('enqueued', 'done') or exists (
        select from job_attempts where job_id = jobs.id and coalesce(outcome, 'done') = 'done'))`),
      isCurrent: trx.raw('created_at >= ?', [matchedAt ?? '-infinity']),
    })
    .where({ ...columnOf(owner), name: 'send-email' })
    .orderBy('generation', 'desc')
}

/** Deletes the whole ledger. The caller holds the owner's lock, and deletes the owner. */
export async function remove(trx: Transaction, owner: Owner): Promise<void> {
  await trx('job_attempts')
    .whereIn('job_id', trx('jobs').select('id').where(columnOf(owner)))
    .delete()
  await trx('jobs').where(columnOf(owner)).delete()
}

/** The whole ledger of an owner, oldest first, with every attempt. */
export async function list(db: Db, owner: Owner): Promise<LedgerJob[]> {
  return read(db, columnOf(owner))
}

/** One job with its attempts, and whose it is. */
export async function find(db: Db, id: string): Promise<{ job: LedgerJob; owner: Owner } | null> {
  const [job] = await read(db, { id })
  const row =
    job &&
    (await db('jobs')
      .where({ id })
      .first(...OWNER_COLUMNS))
  return job && row ? { job, owner: ownerOf(row) } : null
}

/** Where an e-mail was sent; before its first attempt, where it would be sent now. */
const RECIPIENT = `coalesce(result->>'to', case
  when name <> 'send-email' then null
  when purpose in ('visitor', 'new_clinic') then (select email from leads where leads.id = lead_id)
  when purpose in ('passed_on', 'erased') then (select email from providers where providers.id = previous_provider_id)
  when lead_id is not null and told_provider_id is not null
    then (select email from providers where providers.id = told_provider_id)
  when purpose = 'provider' then (
    select providers.email from leads join providers on providers.id = provider_id
    where leads.id = lead_id and jobs.created_at >= matched_at
  )
  when purpose = 'applicant' then (select email from provider_applications where provider_applications.id = application_id)
  when account_id is not null then (select email from staff_accounts where staff_accounts.id = account_id)
end) as recipient`

const COLUMNS = [
  'id',
  'name',
  'purpose',
  'generation',
  'state',
  'attempts',
  'next_attempt_at',
  'result',
  'last_error',
  'last_cause',
  'last_detail',
  'created_at',
  'enqueued_at',
  'finished_at',
] as const
type LedgerRow = RowWith<'jobs', (typeof COLUMNS)[number], Pick<LedgerJob, 'recipient'>>

async function read(db: Db, condition: Record<string, unknown>): Promise<LedgerJob[]> {
  const rows = await db('jobs')
    .select<LedgerRow[]>(...COLUMNS, db.raw(RECIPIENT))
    .where(condition)
    .orderBy(['created_at', 'name', 'purpose', 'generation'])
  const logs = await attempts.list(db, rows)
  return rows.map((row) => ({
    ...row,
    next_attempt_at: row.next_attempt_at.toISOString(),
    created_at: row.created_at.toISOString(),
    enqueued_at: row.enqueued_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempt_log: logs.get(row.id) ?? [],
    advice: adviceFor(row),
  }))
}

/** The newest generation of each job; of those that clinics are told by, of each clinic's. */
export async function listLatest(db: Db, owner: Owner): Promise<LatestJob[]> {
  return db('jobs')
    .distinctOn('name', 'purpose', 'told_provider_id')
    .select('name', 'purpose', 'state', {
      previousProviderId: 'previous_provider_id',
      toldProviderId: 'told_provider_id',
    })
    .where(columnOf(owner))
    .orderBy(['name', 'purpose', 'told_provider_id', { column: 'generation', order: 'desc' }])
}
