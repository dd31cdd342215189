import { type Db, only, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import { lateEmailOf, REQUEST_EMAIL } from '../../providers/stores/clinic-people.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import type { JobState, LedgerJob } from '../contract/jobs.ts'
import { EMAILS, type EmailFacts, emailsWith, type JobPayload, type Subject, type SubjectKind } from '../emails.ts'
import { columnsOf, type JobName, type PurposeOf, subjectOf } from '../jobs.ts'
import type { EmailOfLead, JobAgain, NewJob } from '../rules/deliveries.ts'
import { adviceFor } from '../rules/failures.ts'
import * as attempts from './attempts.ts'
import { PREVIOUS_PROVIDER, PROVIDER, refreshStatus } from './delivery-status.ts'

export const OPEN: JobState[] = ['waiting', 'enqueued']
/** The channel on which the relay of every API process listens. */
export const JOBS_CHANNEL = 'jobs'

/** The ids of added jobs, and of the jobs that they replaced. */
export type JobChanges = { added: string[]; replaced: string[] }

/** `delay` is the time before the first attempt, in milliseconds. */
type AddOptions = { delay?: number }

/**
 * Adds a new generation of each job, and cancels open jobs of older generations, so that a retry always does something. A
 * delivery that is under way cannot be called back and is sent once more. The caller holds the lock of the subject (`lock`
 * of its store). The relay wakes when the transaction commits.
 */
export async function add<Kind extends SubjectKind>(
  trx: Transaction,
  subject: Subject<Kind>,
  jobs: NewJob<Kind>[],
  options?: AddOptions,
): Promise<JobChanges> {
  return addAgain(trx, subject, jobs, options)
}

/** Adds jobs once more that the ledger has of this subject. See `add`. */
export async function addAgain(
  trx: Transaction,
  subject: Subject,
  jobs: JobAgain[],
  { delay = 0 }: AddOptions = {},
): Promise<JobChanges> {
  const changes: JobChanges = { added: [], replaced: [] }
  for (const { name, purpose, payload = {} } of jobs) {
    const kind = { ...columnsOf(subject), name, purpose }
    // Each provider that had the lead before, or is notified, has a job of its own.
    if (!EACH_COUNTS.has(purpose)) {
      const replaced = await cancel(
        trx,
        subject,
        { name, purposes: [purpose], payload },
        'Replaced by a newer attempt.',
      )
      changes.replaced.push(...replaced)
    }
    const newest = trx('jobs').where(kind).max('generation')
    const inserted = await trx('jobs')
      .insert({
        ...kind,
        payload: JSON.stringify(payload),
        generation: trx.raw('1 + coalesce((?), 0)', [newest]),
        next_attempt_at: trx.raw(`now() + ? * interval '1 ms'`, [delay]),
        ...origin(),
      })
      .returning('id')
    changes.added.push(only(inserted).id)
  }
  await refreshStatus(trx, subject)
  await wakeRelay(trx)
  return changes
}

/** Jobs continue the request that made them. */
const origin = () => ({ request_id: currentRequest()?.id ?? null })

/**
 * Adds a job about many rows, to be attempted now.
 * @returns its id, or null when the database allows one at a time and another is open
 */
export async function addAlone<Name extends JobName>(
  trx: Transaction,
  { payload = {}, ...job }: { name: Name; purpose: PurposeOf<Name>; payload?: Row<'jobs'>['payload'] },
): Promise<string | null> {
  const [added] = await insertAlone(trx, { ...job, payload })
  return added ?? null
}

/** Adds a job about many rows once more, and cancels it if it is open. The caller holds its lock. Returns as `addAgain`. */
export async function addAloneAgain(trx: Transaction, id: string): Promise<string[]> {
  const replaced = {
    state: 'cancelled',
    finished_at: trx.fn.now(),
    last_error: 'Replaced by a newer attempt.',
  } as const
  await trx('jobs').where({ id }).whereIn('state', OPEN).update(replaced)
  const old = only(await trx('jobs').where({ id }).select('name', 'purpose', 'payload', 'generation'))
  return insertAlone(trx, { ...old, generation: old.generation + 1 })
}

async function insertAlone(
  trx: Transaction,
  { payload, ...job }: RowWith<'jobs', 'name' | 'purpose' | 'payload', { generation?: number }>,
): Promise<string[]> {
  const adding = trx('jobs').insert({ ...job, payload: JSON.stringify(payload), ...origin() })
  const added = await adding.onConflict().ignore().returning('id')
  await wakeRelay(trx)
  return added.map(({ id }) => id)
}

const EACH_COUNTS = new Set<string>(emailsWith(({ eachCounts }) => eachCounts))

/**
 * Cancels the open jobs of a subject, all or those with one of these purposes, for a reason. The caller holds the lock of
 * the owner. Returns their ids.
 */
export async function cancelOpen(
  trx: Transaction,
  subject: Subject,
  reason: string,
  purposes?: string[],
): Promise<string[]> {
  const cancelled = await cancel(trx, subject, { purposes }, reason)
  await refreshStatus(trx, subject)
  return cancelled
}

/** Cancels the notices that this provider has lost the lead to another one. Returns their ids. */
export async function cancelPassedOn(
  trx: Transaction,
  subject: Subject<'lead'>,
  previousProviderId: number,
): Promise<string[]> {
  return cancel(trx, subject, { payload: { previousProviderId } }, 'The provider has the lead again.')
}

async function cancel(
  trx: Transaction,
  subject: Subject,
  { name, purposes, payload = {} }: { name?: JobName; purposes?: string[] | undefined; payload?: JobPayload },
  reason: string,
): Promise<string[]> {
  const open = trx('jobs')
    .where({ ...columnsOf(subject), ...(name && { name }) })
    .whereIn('state', OPEN)
    .whereRaw('payload @> ?::jsonb', [JSON.stringify(payload)])
  if (purposes) open.whereIn('purpose', purposes)
  const rows = await open
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: reason, last_cause: null, last_detail: null })
    .returning('id')
  return rows.map(({ id }) => id)
}

/**
 * Undoes `add` if no worker has started the added jobs: deletes them, and reopens those that they replaced. The caller
 * holds the lock of the subject.
 * @returns false when one of the added jobs was started or replaced; then nothing is undone
 */
export async function undo(trx: Transaction, subject: Subject, { added, replaced }: JobChanges): Promise<boolean> {
  const untouched = { state: 'waiting', attempts: 0 }
  const waiting = await trx('jobs').whereIn('id', added).where(untouched).forUpdate().pluck('id')
  if (waiting.length < added.length) return false
  await trx('jobs').whereIn('id', added).delete()
  await reopen(trx, subject, replaced)
  return true
}

/** Reopens cancelled jobs. Their last failure stays, and the reason of the cancellation is removed. */
async function reopen(trx: Transaction, subject: Subject, ids: string[]): Promise<void> {
  await trx('jobs')
    .whereIn('id', ids)
    .where('state', 'cancelled')
    .update({
      state: 'waiting',
      finished_at: null,
      last_error: trx.raw('case when last_cause is not null then last_error end'),
    })
  await refreshStatus(trx, subject)
  await wakeRelay(trx)
}

/** Wakes the relays when the transaction commits. */
export async function wakeRelay(trx: Transaction): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

/**
 * Re-enqueues the open jobs of a restored lead under the same ids, so that a running attempt is not duplicated, and
 * reopens the `parked` ones. The caller holds the lock of the lead.
 */
export async function resume(trx: Transaction, subject: Subject<'lead'>, parked: string[]): Promise<void> {
  await trx('jobs').where(columnsOf(subject)).where('state', 'enqueued').update({ state: 'waiting' })
  await reopen(trx, subject, parked)
}

/**
 * Returns whether the CRM may know this lead. An unfinished attempt counts, because a worker that was killed in the
 * middle of its call has settled nothing.
 */
export async function isKnownToCrm(trx: Transaction, subject: Subject<'lead'>): Promise<boolean> {
  const known = await trx('jobs')
    .where({ ...columnsOf(subject), name: 'sync-crm' })
    .whereRaw(
      `(state = 'enqueued' or (state <> 'cancelled' and attempts > 0) or exists (
         select from job_attempts where job_id = jobs.id and outcome is distinct from 'cancelled'))`,
    )
    .first('id')
  return known !== undefined
}

/** Returns whether the CRM knows this lead, or soon will. */
export async function isOwedToCrm(trx: Transaction, subject: Subject<'lead'>): Promise<boolean> {
  const owed = await trx('jobs')
    .where({ ...columnsOf(subject), name: 'sync-crm' })
    .whereNot('state', 'cancelled')
    .first('id')
  return owed !== undefined
}

/** Lists the emails of a lead, the newest first. `matchedAt` is the time of its present match (ISO 8601). */
export async function listEmails(
  trx: Db,
  subject: Subject<'lead'>,
  matchedAt: string | null,
): Promise<(EmailOfLead & { isDelivered: boolean })[]> {
  return trx('jobs')
    .select('purpose')
    .select({
      previousProviderId: trx.raw(PREVIOUS_PROVIDER),
      isDelivered: trx.raw(`(state = 'done' or exists (
        select from job_attempts where job_id = jobs.id and outcome = 'done'))`),
    })
    .select({
      isSent: trx.raw(`(state in ('enqueued', 'done') or exists (
        select from job_attempts where job_id = jobs.id and coalesce(outcome, 'done') = 'done'))`),
      isCurrent: trx.raw('created_at >= ?', [matchedAt ?? '-infinity']),
    })
    .where({ ...columnsOf(subject), name: 'send-email' })
    .orderBy('generation', 'desc')
}

/** Replaces the result of a job, for one that is settled in this transaction. */
export async function correctResult(trx: Transaction, id: string, result: Record<string, unknown>): Promise<void> {
  await trx('jobs')
    .where({ id })
    .update({ result: JSON.stringify(result) })
}

/** Deletes the ledger of a subject. The caller holds the lock of the subject, and deletes it. */
export async function remove(trx: Transaction, subject: Subject): Promise<void> {
  await trx('job_attempts')
    .whereIn('job_id', trx('jobs').select('id').where(columnsOf(subject)))
    .delete()
  await trx('jobs').where(columnsOf(subject)).delete()
}

/** Lists the ledger of a subject, the oldest job first, with every attempt. */
export async function list(db: Db, subject: Subject): Promise<LedgerJob[]> {
  return read(db, columnsOf(subject))
}

/** Finds a job with its attempts, and its subject, if it has one. */
export async function find(db: Db, id: string): Promise<{ job: LedgerJob; subject: Subject | null } | null> {
  const [job] = await read(db, { id })
  const row = job && (await db('jobs').where({ id }).first('subject_kind', 'subject_id'))
  return job && row ? { job, subject: subjectOf(row) } : null
}

/** Locks a job itself. Returns whether it is there. */
export async function lock(trx: Transaction, id: string): Promise<boolean> {
  return (await trx('jobs').where({ id }).forUpdate().first('id')) !== undefined
}

const addressOf = (clinic: string) => `(select ${REQUEST_EMAIL} from providers where providers.id = ${clinic})`

/** SQL for the address that an email would get now. */
const ADDRESSES: Record<EmailFacts['to'], string> = {
  visitor: '(select email from leads where leads.id = subject_id)',
  clinic: `coalesce(${addressOf(`case subject_kind when 'provider' then subject_id else ${PROVIDER} end`)}, (
    select ${REQUEST_EMAIL} from leads join providers on providers.id = leads.provider_id
    where subject_kind = 'lead' and leads.id = subject_id and jobs.created_at >= matched_at
  ))`,
  second: lateEmailOf(PROVIDER),
  previous_clinic: addressOf(PREVIOUS_PROVIDER),
  applicant: '(select email from provider_applications where provider_applications.id = subject_id)',
  account: '(select email from staff_accounts where staff_accounts.id = subject_id)',
  team: 'null',
  stated: 'null',
}
const sqlList = (purposes: string[]) => purposes.map((purpose) => `'${purpose}'`).join(', ')

/** SQL for the recipient of an email. Before the first attempt it is the address that the email would get now. */
const RECIPIENT = `coalesce(result->>'to', case
  when name <> 'send-email' then null
  when subject_kind = 'lead' and purpose <> all (array[${sqlList(Object.keys(EMAILS['erased lead']))}])
    and exists (select from leads where leads.id = subject_id and is_test) then ${ADDRESSES.visitor}
  ${Object.entries(ADDRESSES)
    .map(([of, address]) => ({ purposes: emailsWith(({ to }) => to === of), address }))
    .map(({ purposes, address }) => `when purpose in (${sqlList(purposes)}) then ${address}`)
    .join('\n  ')}
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
type LedgerRow = RowWith<'jobs', (typeof COLUMNS)[number], Pick<LedgerJob, 'recipient' | 'has_copy'>>

const HAS_COPY = 'exists (select from sent_messages where job_id = jobs.id) as has_copy'

async function read(db: Db, condition: Record<string, unknown>): Promise<LedgerJob[]> {
  const rows = await db('jobs')
    .select<LedgerRow[]>(...COLUMNS, db.raw(RECIPIENT), db.raw(HAS_COPY))
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
