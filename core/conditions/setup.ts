import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { eraseLead } from '../leads/change-lead.ts'
import * as leads from '../leads/stores/leads.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { type Actor, limitTests } from '../staff/stores/audit-log.ts'
import type { Row } from '../tables/table.ts'
import type { Progress, Setup } from './contract/integrations.ts'

/*
 * What is set up. Facts come from the rows that show them: a delivery that arrived, a sync that ended, accounts. Only the latest
 * tests are stored.
 */

/** A test of the mail server, with its recipient, or of the CRM. `at` is in ISO 8601. */
export type Check = { kind: 'mail'; to: string; at: string } | { kind: 'crm'; to: null; at: string }

const JOB_OF = { mail: 'send-email', crm: 'sync-crm' } as const

/** Adds a test with its job, and deletes the earlier test of the same kind. */
async function addCheck(trx: Transaction, { kind, to }: { kind: Check['kind']; to: string | null }): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtext(?))', ['setup checks'])
  const earlier = checks(trx).where('name', JOB_OF[kind])
  await trx('job_attempts').whereIn('job_id', earlier.clone().select('id')).delete()
  await earlier.delete()
  await jobs.addAlone(trx, { name: JOB_OF[kind], purpose: 'test', payload: { to } })
}

/** SQL for whether a job is a test of the mail server or the CRM. */
export const IS_CHECK = `purpose = 'test' and jsonb_exists(payload, 'to')`
const checks = (db: Db) => db('jobs').whereRaw(IS_CHECK)

/** Finds the test of a job. Returns null when a newer one has replaced it. */
export async function findCheck(db: Db, jobId: string): Promise<Check | null> {
  const row = await checks(db).where('id', jobId).first('name', 'payload', 'created_at')
  const kind = row?.name === 'sync-crm' ? 'crm' : 'mail'
  return row ? ({ kind, to: toOf(row), at: row.created_at.toISOString() } as Check) : null
}

const toOf = ({ payload }: Pick<Row<'jobs'>, 'payload'>) => ('to' in payload ? payload.to : null)

type Facts = {
  hasMailed: boolean
  hasToldCrm: boolean
  accounts: number
  invited: number
  clinics: number
  zip: string | null
  hasSynced: boolean
  isSyncing: boolean
  testLead: number | null
  isTested: boolean
}

/** Returns whether a lead has come. Test leads do not count, and deleted ones do. */
export async function hasLeads(db: Db): Promise<boolean> {
  return (await db('all_leads').where('is_test', false).first('id')) !== undefined
}

const HAS_ARRIVED = `exists (select from jobs join leads on leads.id = subject_id where subject_kind = 'lead' and is_test
  and jobs.name = 'send-email' and purpose = 'provider' and jobs.state = 'done')`

/** Reads what has happened. An email or a CRM call that arrived long ago still shows that the connection was made. */
export async function readFacts(db: Db): Promise<Facts> {
  const arrived = (name: string) => `exists (select from jobs where name = '${name}' and state = 'done' limit 1)`
  return only(
    await queryRows<Facts>(
      db,
      `select ${arrived('send-email')} as "hasMailed", ${arrived('sync-crm')} as "hasToldCrm",
         (select count(*)::integer from staff_accounts where disabled_at is null) as accounts,
         (select count(*)::integer from staff_accounts where disabled_at is null and password_hash is null) as invited,
         (select count(*)::integer from providers where status = 't') as clinics,
         (select zip_code from providers where status = 't' order by id limit 1) as zip,
         exists (select from provider_syncs where state = 'done' and not dry_run) as "hasSynced",
         exists (select from provider_syncs where finished_at is null) as "isSyncing",
         (select max(id) from leads where is_test) as "testLead",
         ${HAS_ARRIVED} or exists (
           select from audit_log where action = 'delete-test-lead' and details->>'arrived' = 'true'
         ) as "isTested"`,
    ),
  )
}

/** Finds the last sync that has ended, without dry runs. */
export async function findLastRun(db: Db): Promise<Setup['wordpress']['last_run']> {
  const run = await db('provider_syncs')
    .where('dry_run', false)
    .whereNotNull('finished_at')
    .orderBy('id', 'desc')
    .first('finished_at', 'state', 'error')
  return run?.finished_at ? { at: run.finished_at.toISOString(), state: run.state, error: run.error } : null
}

export async function readChecks(db: Db): Promise<Record<Check['kind'], Progress | null>> {
  const rows: Pick<Row<'jobs'>, 'id' | 'name' | 'payload'>[] = await checks(db).select('id', 'name', 'payload')
  const found = await Promise.all(
    rows.map(async ({ id, name, payload }) => {
      const job = (await jobs.find(db, id))?.job
      return [name === 'sync-crm' ? 'crm' : 'mail', job ? { ...progressOf(job), to: toOf({ payload }) } : null] as const
    }),
  )
  return { mail: null, crm: null, ...Object.fromEntries(found) }
}

/** Returns how a delivery goes, in the words of the other side where it has answered. */
function progressOf(job: Awaited<ReturnType<typeof jobs.list>>[number]): Progress {
  const { state, result, recipient, last_error, last_detail, next_attempt_at, created_at, finished_at } = job
  const { response, status } = (result ?? {}) as { response?: string; status?: number }
  const isOpen = state === 'waiting' || state === 'enqueued'
  const said = state === 'done' ? (response ?? (status === undefined ? null : `HTTP ${status}`)) : last_detail
  return {
    ...{ state, to: recipient, at: finished_at ?? created_at },
    answer: said,
    error: state === 'done' ? null : last_error,
    next_attempt_at: isOpen && job.attempts > 0 ? next_attempt_at : null,
  }
}

/** Tests the mail server with an email `to` an address, or the CRM (null). @throws AppError `rate_limited` */
export async function sendCheck(db: Db, to: string | null, { actor }: Actor): Promise<void> {
  const kind = to === null ? 'crm' : 'mail'
  await db.transaction(async (trx) => {
    await limitTests(trx, `check-${kind}`)
    await addCheck(trx, { kind, to })
    await auditLog.record(trx, { actor, action: `check-${kind}`, entity: 'network', entityId: 'all' })
  })
}

/**
 * Deletes all test leads permanently. The CRM is asked to delete them as well, and no clinic is, because none knows of them.
 * @throws AppError `not_found`
 */
export async function deleteTestLeads(db: Db, { actor, personKey }: Actor & { personKey: Buffer }): Promise<void> {
  await db.transaction(async (trx) => {
    const ids: number[] = await trx('leads').where('is_test', true).orderBy('id').pluck('id')
    if (ids.length === 0) throw new AppError('not_found', 'There is no test lead. It may have been deleted.')
    const { arrived } = only(await queryRows<{ arrived: boolean }>(trx, `select ${HAS_ARRIVED} as arrived`))
    for (const id of ids) {
      if (!(await leads.lock(trx, id))) continue
      await eraseLead(trx, id, { reason: 'deleted', personKey })
      await auditLog.record(trx, {
        ...{ actor, action: 'delete-test-lead', entity: 'lead', entityId: id },
        details: { arrived },
      })
    }
    await changes.announce(trx, { leads: ids })
  })
}
