import { randomUUID } from 'node:crypto'
import type { NewLead } from '../../core/contract/forms.ts'
import { JOBS_CHANNEL } from '../../core/deliveries/stores/jobs.ts'
import { countRows, type Db } from '../../core/platform/db.ts'
import type { Row } from '../../core/tables/table.ts'
import type { ApiAnswer, ApiClient } from './api-client.ts'
import type { CrmAnswer } from './crm-server.ts'
import { leadForm } from './factories.ts'
import type { Surroundings } from './site.ts'
import { waitFor } from './wait.ts'

/** Sends a form with an idempotency key, as the page does. */
export function submit(api: ApiClient, form: NewLead = leadForm(), key: string = randomUUID()): Promise<ApiAnswer> {
  return api.call('POST', '/api/leads', form, { 'idempotency-key': key })
}

/** Sends `count` forms, a few at a time, and returns the ids of their receipts. @throws Error unless each answer is a 201 */
export async function submitMany(api: ApiClient, count: number, { atOnce = 10 } = {}): Promise<number[]> {
  const ids: number[] = []
  let left = count
  const client = async () => {
    while (left-- > 0) {
      const { status, body } = await submit(api)
      if (status !== 201) throw new Error(`A form was answered with ${status}: ${JSON.stringify(body)}`)
      ids.push(body.id)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return ids
}

/** Every job of every lead, by name and purpose; newest generations last. */
export function ledger(db: Db): Promise<LedgerRow[]> {
  return db('jobs').select('*').orderBy(['subject_id', 'name', 'purpose', 'generation'])
}

export type LedgerRow = Row<'jobs'>

export async function countOpenJobs(db: Db): Promise<number> {
  return countRows(db('jobs').whereIn('state', ['waiting', 'enqueued']))
}

export async function waitUntilSettled(db: Db, { within = 60_000 } = {}): Promise<void> {
  await waitFor('every job to be settled', async () => (await countOpenJobs(db)) === 0, { within })
}

/** Makes every waiting retry due now, instead of waiting for its backoff, and wakes the relay. */
export async function retryNow(db: Db): Promise<void> {
  await db('jobs').where('state', 'waiting').update({ next_attempt_at: db.fn.now() })
  await db.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

export function labelOf({ subject_kind, subject_id, name, purpose, generation }: LedgerRow): string {
  return `${subject_kind} ${subject_id}: ${name} ${purpose} ${generation}`
}

export const messageIdOf = (jobId: string) => `<${jobId}@localhost>`
export const eventIdOf = (jobId: string) => `msg_${jobId}`

/** The deliveries, compared with the ledger of these leads. */
export type Deliveries = {
  /** Jobs that the other side has never seen. */
  missing: string[]
  /** Jobs that the other side got more than once; each further copy counts. */
  repeated: string[]
  /** Deliveries that the ledger does not have. */
  unexpected: string[]
  /** Jobs of the ledger that are not done. */
  notDone: string[]
}

export const EXACTLY_ONCE: Deliveries = { missing: [], repeated: [], unexpected: [], notDone: [] }

/** Holds what the mail server and the CRM have got against the ledger. */
export async function compareDeliveries({
  db,
  smtp,
  crm,
}: Pick<Surroundings, 'db' | 'smtp' | 'crm'>): Promise<Deliveries> {
  const rows = await ledger(db)
  const owed = new Map<string, string>()
  for (const row of rows) {
    if (row.name === 'send-email') owed.set(messageIdOf(row.id), labelOf(row))
    if (row.name === 'sync-crm') owed.set(eventIdOf(row.id), labelOf(row))
  }
  const got = [...smtp.mails.map(({ messageId }) => String(messageId)), ...crm.events.map(({ id }) => id)]
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const id of got) {
    if (seen.has(id)) repeated.push(owed.get(id) ?? id)
    seen.add(id)
  }
  return {
    missing: [...owed].filter(([id]) => !seen.has(id)).map(([, label]) => label),
    repeated,
    unexpected: [...seen].filter((id) => !owed.has(id)),
    notDone: rows
      .filter(({ state }) => state !== 'done')
      .map((row) => `${labelOf(row)} ${row.state} ${row.last_error} ${row.last_detail ?? ''}`.trimEnd()),
  }
}

/** Leads that are stored in part: without their consent, or without the jobs that a lead starts with. */
export async function halfStoredLeads(db: Db): Promise<number[]> {
  const { rows } = await db.raw(`
    select leads.id from leads
    where not exists (select from consents where lead_id = leads.id)
      or not (select array_agg(name || ' ' || purpose) from jobs where subject_kind = 'lead' and subject_id = leads.id)
         @> case when exists (
           select from jobs where subject_kind = 'lead' and subject_id = leads.id and name = 'match-lead')
           then array['match-lead nearest', 'sync-crm created']
           else array['send-email provider', 'send-email visitor', 'sync-crm created'] end
  `)
  return rows.map(({ id }: { id: number }) => id)
}

/** A CRM that takes everything after some milliseconds. */
export const slowCrm = (delay: () => number) => async (): Promise<CrmAnswer> => {
  await new Promise((resolve) => setTimeout(resolve, delay()))
  return { status: 200, body: '{"id":"crm-1"}' }
}

/** A mail server that takes every message, and says so some milliseconds after it has it. */
export const slowMail = (delay: () => number) => async (_recipient: string, stage: string) => {
  if (stage === 'data') await new Promise((resolve) => setTimeout(resolve, delay()))
  return 'accept' as const
}
