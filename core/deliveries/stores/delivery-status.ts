import type { Lead, LeadFilter, ListedLead } from '../../leads/contract/leads.ts'
import * as answerClocks from '../../leads/stores/answer-clocks.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { Deliveries, DeliveryTarget, JobName } from '../contract/jobs.ts'
import { EMAILS, type EmailPurpose, type Subject, type SubjectKind } from '../emails.ts'
import { columnsOf, kindOf } from '../jobs.ts'

/** SQL for the providers that the payload of a job names. */
export const PROVIDER = `(payload ->> 'providerId')::integer`
export const PREVIOUS_PROVIDER = `(payload ->> 'previousProviderId')::integer`

/**
 * Returns SQL for the state of all deliveries of one kind about a subject, whose id SQL names: `failed` if
 * the newest generation of any failed, `pending` while any is open or none was made, else `success`. Emails to the team
 * alone are no success, because a held lead or application has only those. A CRM that took the lead once has it, even if
 * a second copy fails; a failed request not to contact the person counts nevertheless.
 */
export function deliveryStatusSql(name: JobName, kind: SubjectKind, id: string): string {
  const condition = `subject_kind = '${kind}' and subject_id = ${id} and name = '${name}'`
  return `(
    select case
      when bool_or(state = 'failed'${
        name === 'sync-crm'
          ? ` and (purpose = 'opted_out' or not exists (
        select from jobs where ${condition} and state = 'done'))`
          : ''
      })
        then 'failed'
      when bool_or(state in ('waiting', 'enqueued')) then 'pending'
      when bool_or(state in ('done', 'failed') and purpose <> 'team') then 'success'
      else 'pending'
    end
    from (
      select distinct on (purpose, ${PROVIDER}) purpose, state from jobs
      where ${condition}
      order by purpose, ${PROVIDER}, generation desc
    ) latest
  )`
}

/**
 * Writes the state of their deliveries, and the id at the CRM, into the rows of leads, where lists filter by it. Skips
 * rows that do not change, because each version of a row costs an entry in every index.
 */
export async function refreshStatus(trx: Transaction, ...subjects: Subject[]): Promise<void> {
  const ids = subjects.map(kindOf).flatMap(({ kind, id }) => (kind === 'lead' ? id : []))
  if (ids.length === 0) return
  await queryRows(
    trx,
    `update leads set crm_sync_status = deliveries.crm, email_status = deliveries.email,
       crm_external_id = coalesce(deliveries.external_id, crm_external_id)
     from (
       select id, ${deliveryStatusSql('sync-crm', 'lead', 'lead.id')} as crm,
         ${deliveryStatusSql('send-email', 'lead', 'lead.id')} as email, (
           select result->>'externalId' from jobs
           where subject_kind = 'lead' and subject_id = lead.id and name = 'sync-crm' and state = 'done'
             and result->>'externalId' is not null
           order by finished_at desc limit 1
         ) as external_id
       from (select distinct unnest(?::integer[]) as id) lead
     ) deliveries
     where leads.id = deliveries.id and (crm_sync_status, email_status, crm_external_id)
       is distinct from (deliveries.crm, deliveries.email, coalesce(deliveries.external_id, crm_external_id))`,
    [ids],
    { name: 'refresh-delivery-status' },
  )
}

/** The target of each email about a lead. */
const TARGETS = Object.fromEntries(
  Object.entries(EMAILS.lead).map(([purpose, { to }]) => [purpose, to === 'second' ? 'clinic' : to]),
) satisfies Record<string, DeliveryTarget>

/** SQL expression for the delivery target of a lead's job; null for a job that delivers nothing. */
const TARGET = `(case name when 'sync-crm' then 'crm' when 'send-email'
  then '${JSON.stringify(TARGETS)}'::jsonb->>purpose end)`

/**
 * Adds the state of its deliveries to each lead, the worst of those to the same target, and the time that its provider has
 * for the answer.
 */
export async function withDeliveries<Row extends Pick<Lead, 'id' | 'crm_sync_status'>>(
  db: Db,
  leads: Row[],
): Promise<(Row & Pick<ListedLead, 'deliveries' | 'answer'>)[]> {
  const ids = leads.map(({ id }) => id)
  const [answers, rows] = await Promise.all([answerClocks.findMany(db, ids), readDeliveries(db, ids)])
  return leads.map((lead) => {
    const own = rows.filter(({ lead_id }) => lead_id === lead.id)
    const deliveries: Deliveries = Object.fromEntries(
      own.map(({ target, status, next_attempt_at }) => [
        target,
        { status, next_attempt_at: next_attempt_at?.toISOString() ?? null },
      ]),
    )
    // A CRM that has taken the lead once has it.
    if (deliveries.crm && lead.crm_sync_status === 'success') deliveries.crm.status = 'success'
    return { ...lead, deliveries, answer: answers.get(lead.id) ?? null }
  })
}

async function readDeliveries(db: Db, ids: number[]): Promise<DeliveryRow[]> {
  return queryRows<DeliveryRow>(
    db,
    `select lead_id, target,
       case
         when bool_or(state = 'failed') then 'failed'
         when bool_or(state <> 'done' and attempts > 0) then 'retrying'
         when bool_or(state <> 'done') then 'pending'
         else 'success'
       end as status,
       min(next_attempt_at) filter (where state = 'waiting' and attempts > 0) as next_attempt_at
     from (
       select distinct on (subject_id, name, purpose, payload)
         subject_id as lead_id, state, attempts, next_attempt_at, ${TARGET} as target
       from jobs where subject_kind = 'lead' and subject_id = any(?) and name in ('send-email', 'sync-crm')
       order by subject_id, name, purpose, payload, generation desc
     ) latest
     where state <> 'cancelled'
     group by lead_id, target`,
    [ids],
  )
}

type DeliveryRow = {
  lead_id: number
  target: DeliveryTarget
  status: 'failed' | 'retrying' | 'pending' | 'success'
  next_attempt_at: Date | null
}

/**
 * Finds the newest deliveries of their kind that failed permanently, or failed and are retried. The conditions on the state
 * and on newer generations are those of the indexes.
 */
const FAILED = `jobs.subject_kind = 'lead' and jobs.last_cause is not null and jobs.state in ('failed', 'waiting', 'enqueued')`
const FAILING = `${FAILED} and not exists (
  select from jobs newer where newer.subject_id = jobs.subject_id and newer.subject_kind = 'lead'
    and newer.name = jobs.name and newer.purpose = jobs.purpose and newer.generation > jobs.generation and newer.generation > 1)`

const CLINIC_MAIL = `name = 'send-email' and purpose = 'provider'`

/** SQL that is true for a lead whose provider did not get the email about it, because that failed permanently. */
export const IS_NOT_REACHED = `provider_id is not null and id in (
  select subject_id from jobs where ${FAILING} and state = 'failed' and ${CLINIC_MAIL})`

/** SQL that is true for a job that is the open email about a lead to its provider. */
export const IS_OPEN = `subject_kind = 'lead' and state in ('waiting', 'enqueued') and ${CLINIC_MAIL}`

/** Queries the ids of leads with a failing delivery, for this cause and to this target. */
export function failingLeads(db: Db, { cause, target }: Pick<LeadFilter, 'cause' | 'target'>) {
  const query = db('jobs').select('subject_id').whereRaw(FAILING)
  if (cause !== undefined) query.where('last_cause', cause)
  return target === undefined ? query.whereRaw(`${TARGET} is not null`) : query.whereRaw(`${TARGET} = ?`, [target])
}

/**
 * Returns whether the newest email with one of these purposes was accepted by the recipient's server. Of those to the provider,
 * only emails since the present match count.
 */
export async function hasArrived(
  db: Db,
  { id, matched_at }: { id: number; matched_at: string | null },
  purposes: EmailPurpose<'lead'>[],
): Promise<boolean> {
  const newest = await db('jobs')
    .where({ ...columnsOf(`lead:${id}`), name: 'send-email' })
    .whereIn('purpose', purposes)
    .modify(
      (mails) => void (purposes.includes('provider') && mails.where('created_at', '>=', matched_at ?? 'infinity')),
    )
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'generation', order: 'desc' },
    ])
    .first('state')
  return newest?.state === 'done'
}
