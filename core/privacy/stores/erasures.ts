import { z } from 'zod'
import { AFTER_DELETION } from '../../deliveries/contract/jobs.ts'
import { PREVIOUS_PROVIDER } from '../../deliveries/stores/delivery-status.ts'
import { addAlone, OPEN } from '../../deliveries/stores/jobs.ts'
import { countRows, type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import type { Tables } from '../../tables/tables.ts'
import {
  ErasedForm,
  type ErasureKind,
  type ErasureList,
  type ErasureListQuery,
  type ErasureNotice,
  type ErasureReason,
  type ErasureRequest,
} from '../contract/privacy.ts'
import { type PersonHash, personHashes } from '../rules/opt-outs.ts'

/** The number of rows that are read at once. */
const BATCH = 5000

/**
 * The reason of a permanent deletion, and the key `person-hash`. `requestId` names the request of the person, where that
 * is the reason.
 */
export type Erasing = { reason: ErasureReason; personKey: Buffer; requestId?: number }

type ErasedRow = {
  id: number
  reference: string | number | null
  created_at: string | Date
  email: string
  phone: string
  crm_external_id?: string | null
  is_test?: boolean
}

/** Records that a row is deleted permanently. The caller deletes it in the same transaction. */
export async function record(
  trx: Transaction,
  kind: ErasureKind,
  row: ErasedRow,
  { reason, personKey, requestId }: Erasing,
): Promise<void> {
  const hashes = personHashes(personKey, row)
  const hashesOf = (wanted: PersonHash['kind']) => hashes.flatMap(({ kind, hash }) => (kind === wanted ? hash : []))
  await trx('erasures')
    .insert({
      kind,
      row_id: row.id,
      reference: row.reference,
      sent_at: row.created_at,
      reason,
      request_id: requestId ?? null,
      email_hash: hashesOf('email')[0] ?? null,
      phone_hashes: hashesOf('phone'),
      crm_id: row.crm_external_id ?? null,
      is_test: row.is_test ?? false,
    })
    // A restored backup may bring a row back, which is then deleted again.
    .onConflict(['kind', 'row_id'])
    .ignore()
}

/**
 * Removes the hashes of what was permanently deleted more than `days` ago: no backup is as old as that. Returns the number of
 * changed rows.
 */
export async function blankHashes(db: Db, days: number): Promise<number> {
  if (days === Infinity) return 0
  return call(`blank_erasures(? * interval '24 hours', ?)`, [days, BATCH])(db)
}

/** The rest of a lead that was deleted permanently, for the requests to CRM and clinics. */
export type ErasedLead = { id: number; sentAt: string; reason: ErasureReason; crmId: string | null; isTest: boolean }

/** Finds the rest of deleted leads, by their ids. Leads that are older than the table of erasures are left out. */
export async function findLeads(db: Db, ids: number[]): Promise<Map<number, ErasedLead>> {
  // The usual case: most batches of the CRM are about existing leads.
  if (ids.length === 0) return new Map()
  const rows = await db('erasures').where('kind', 'lead').whereIn('row_id', ids)
  return new Map(
    rows.map(({ row_id: id, sent_at, reason, crm_id: crmId, is_test: isTest }) => [
      id,
      { id, sentAt: sent_at.toISOString(), reason, crmId, isTest },
    ]),
  )
}

/** Begins an erasure that a person asked for. Returns its number. */
export async function addRequest(trx: Transaction, actor: string): Promise<number> {
  return Number(only(await trx('erasure_requests').insert({ actor }).returning('id')).id)
}

/**
 * Lists the forms of a person that were deleted permanently, by hashes of an email address or phone number, the newest
 * first.
 */
export async function listOfPerson(db: Db, hashes: PersonHash[]): Promise<ErasedForm[]> {
  const rows = await db('erasures')
    .where((theirs) => {
      theirs.whereRaw('false')
      for (const { kind, hash } of hashes) {
        if (kind === 'email') theirs.orWhere('email_hash', hash)
        else theirs.orWhereRaw('phone_hashes @> array[?]', [hash])
      }
    })
    .orderBy('erased_at', 'desc')
  return rows.map(present)
}

/** Lists one page of the erasures that persons asked for, the newest first, with the state of the requests to CRM and clinics. */
export async function listRequests(db: Db, { page, limit }: ErasureListQuery): Promise<ErasureList> {
  const [rows, total] = await Promise.all([
    requests(db)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(db('erasure_requests')),
  ])
  return { erasures: await withForms(db, rows), total }
}

/** Finds an erasure that a person asked for by its number. */
export async function findRequest(db: Db, id: number): Promise<ErasureRequest | null> {
  const [request] = await withForms(db, await requests(db).where('id', String(id)))
  return request ?? null
}

export async function listFailedJobs(db: Db, requestId: number): Promise<string[]> {
  return (await noticesOf(db, [requestId])).filter(({ state }) => state === 'failed').map(({ id }) => id)
}

/** A form that was deleted permanently, as JSON for `reapply`. */
export const Tombstone = ErasedForm.pick({ kind: true, reference: true, sent_at: true, reason: true }).extend({
  row_id: z.number().int(),
})
export type Tombstone = z.infer<typeof Tombstone>

/** Reads all forms that were deleted permanently in batches, by kind and number. */
export async function* readTombstones(db: Db): AsyncGenerator<Tombstone> {
  let last: { kind: string; row_id: number } | undefined = { kind: '', row_id: 0 }
  while (last) {
    const rows: RowWith<'erasures', 'kind' | 'row_id' | 'reference' | 'sent_at' | 'reason'>[] = await db('erasures')
      .select('kind', 'row_id', 'reference', 'sent_at', 'reason')
      .whereRaw('(kind, row_id) > (?, ?)', [last.kind, last.row_id])
      .orderBy(['kind', 'row_id'])
      .limit(BATCH)
    for (const row of rows) yield { ...row, sent_at: row.sent_at.toISOString() }
    last = rows.length < BATCH ? undefined : rows.at(-1)
  }
}

const REQUEST = ['id', 'at', 'actor'] as const
type RequestRow = RowWith<'erasure_requests', (typeof REQUEST)[number], Pick<ErasureRequest, 'actor_name'>>
type NoticeRow = Pick<ErasureNotice, 'to'> &
  RowWith<'jobs', 'id' | 'state', { lead_id: number; error: string | null; at: Date }>

function requests(db: Db) {
  const name = '(select name from staff_accounts where lower(email) = lower(actor)) as actor_name'
  return db('erasure_requests').select<RequestRow[]>(...REQUEST, db.raw(name))
}

async function withForms(db: Db, requests: RequestRow[]): Promise<ErasureRequest[]> {
  const ids = requests.map(({ id }) => Number(id))
  const [rows, notices] = await Promise.all([
    db('erasures').whereIn('request_id', ids).orderBy(['kind', 'row_id']),
    noticesOf(db, ids),
  ])
  const forms = rows.map(present)
  return requests.map(({ id, at, ...actor }) => ({
    ...{ id: Number(id), at: at.toISOString(), ...actor },
    forms: forms
      .filter(({ request_id }) => request_id === Number(id))
      .map(({ request_id: _, reason: __, ...form }) => ({
        ...form,
        notices: notices
          .filter(({ lead_id }) => form.kind === 'lead' && lead_id === form.id)
          .map(({ to, state, error, at }) => ({ to, state, error, at: at.toISOString() })),
      })),
  }))
}

/** Reads the newest job of each recipient that was asked to delete a form as well. */
async function noticesOf(db: Db, requestIds: number[]): Promise<NoticeRow[]> {
  return queryRows(
    db,
    `select distinct on (row_id, purpose, payload) jobs.id, row_id as lead_id, state, last_error as error,
       coalesce(finished_at, jobs.created_at) as at,
       case purpose when 'deleted' then 'CRM' else coalesce(practice_name, providers.name, 'A clinic') end as to
     from erasures join jobs on subject_kind = 'lead' and subject_id = row_id and purpose = any(?)
     left join providers on providers.id = ${PREVIOUS_PROVIDER}
     where kind = 'lead' and erasures.request_id = any(?)
     order by row_id, purpose, payload, generation desc`,
    [AFTER_DELETION, requestIds],
  )
}

function present({ kind, row_id, reference, reason, request_id, sent_at, erased_at }: Row<'erasures'>): ErasedForm {
  return {
    ...{ kind, id: row_id, reason, reference },
    sent_at: sent_at.toISOString(),
    erased_at: erased_at.toISOString(),
    request_id: request_id === null ? null : Number(request_id),
  }
}

/*
 * The purge is a job of the ledger, in which each run replaces the one before. `worker/retention.ts` says what it deletes.
 */

/** SQL for the last 3 a.m. in a time zone. */
const LAST_NIGHT = `(date_trunc('day', now() at time zone ? - interval '3 hours') + interval '3 hours') at time zone ?`

/** Adds the run of a night after 3 a.m., unless there is one. Returns whether it was added. */
export async function addNightly(db: Db, timeZone: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const tonight = trx('jobs').where({ name: 'purge' }).whereRaw(`created_at >= ${LAST_NIGHT}`, [timeZone, timeZone])
    return (await tonight.first('id')) === undefined && (await add(trx)) !== null
  })
}

/** Adds a run, to be attempted now. Returns its id, or null while another one is open. */
export async function add(trx: Transaction): Promise<string | null> {
  // The key `jobs_purge_key` allows one open job.
  const added = await addAlone(trx, { name: 'purge', purpose: 'nightly' })
  if (added) await trx('jobs').where({ name: 'purge' }).whereNotNull('finished_at').delete()
  return added
}

/**
 * Records a sign of life: a long run is neither late nor lost by the queue as long as it makes progress.
 * @returns false when the run has ended
 */
export async function isOpen(trx: Transaction, id: string): Promise<boolean> {
  const alive = { next_attempt_at: trx.fn.now(), enqueued_at: trx.fn.now() }
  return (await trx('jobs').where({ id }).whereIn('state', OPEN).update(alive)) > 0
}

/** Returns what deletes a batch of the rows that meet an SQL condition, with the jobs that they name if `jobs`. */
export function rows(table: keyof Tables, where: string, { jobs = false } = {}): (db: Db) => Promise<number> {
  const old = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))`
  const sql = jobs
    ? `with gone as (${old} returning ${table === 'jobs' ? 'id as job_id' : 'job_id'}),
         attempt as (delete from job_attempts where job_id in (select job_id from gone)),
         job as (delete from jobs where id in (select job_id from gone))
       select from gone`
    : `${old} returning 1`
  return async (db) => (await queryRows(db, sql)).length
}

/** Returns what calls a function of the database that deletes or changes a batch of rows, which only their owner may do, and counts them. */
export function call(sql: string, bindings: number[] = []): (db: Db) => Promise<number> {
  return async (db) => only(await queryRows<{ rows: number }>(db, `select ${sql} as rows`, bindings)).rows
}
