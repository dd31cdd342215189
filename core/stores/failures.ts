import { CAUSE_WORDS, causeAdvice, DeliveryRecipient } from '../contract/failure-causes.ts'
import type { FailureCause, JobName } from '../contract/jobs.ts'
import type { LeadFilter } from '../contract/leads.ts'
import type { Overview } from '../contract/overview.ts'
import type { Db, Transaction } from '../db.ts'
import type { Period } from '../rules/periods.ts'

/** Which jobs of a lead are deliveries to whom. */
const DELIVERIES: Record<DeliveryRecipient, { name: JobName; purposes: string[] }> = {
  clinic: { name: 'send-email', purposes: ['provider'] },
  previous_clinic: { name: 'send-email', purposes: ['passed_on'] },
  visitor: { name: 'send-email', purposes: ['visitor', 'new_clinic'] },
  team: { name: 'send-email', purposes: ['team'] },
  crm: { name: 'sync-crm', purposes: ['created', 'matched'] },
}

/** The same as a table. */
const RECIPIENTS = `(values ${DeliveryRecipient.options
  .flatMap((recipient) => DELIVERIES[recipient].purposes.map((purpose) => ({ recipient, purpose })))
  .map(({ recipient, purpose }) => `('${recipient}', '${DELIVERIES[recipient].name}', '${purpose}')`)
  .join(', ')}) as delivery (recipient, name, purpose)`

/**
 * Deliveries that have failed for good, or failed and are retried, if they are the newest of their kind. The condition on
 * the state is that of the index, and so is the one on newer generations: few jobs were made again.
 */
const FAILING = `jobs.last_cause is not null and jobs.state in ('failed', 'waiting', 'enqueued') and not exists (
  select from jobs newer where newer.lead_id = jobs.lead_id and newer.name = jobs.name
    and newer.purpose = jobs.purpose and newer.generation > jobs.generation and newer.generation > 1)`

const CLINICS_SHOWN = 3

/**
 * Why deliveries of leads fail, the most frequent cause first. `leads` is the condition on them, in SQL, and `where` has
 * its bindings and the range of their ids.
 */
export async function read(
  trx: Transaction,
  leads: string,
  where: Period & { first: number; last: number },
): Promise<Overview['failures']> {
  const { rows } = await trx.raw(
    `with lead as (
       select lead_id, recipient, last_cause as cause, bool_or(jobs.state = 'failed') as failed,
         max(case recipient when 'clinic' then provider_id when 'previous_clinic' then previous_provider_id end) as clinic
       from jobs join ${RECIPIENTS} using (name, purpose)
       join (select id as lead_id, provider_id from leads where ${leads}) lead using (lead_id)
       where lead_id between :first and :last and ${FAILING}
       group by 1, 2, 3
     )
     select recipient, cause, clinic as id, coalesce(practice_name, providers.name) as name,
       (count(*) filter (where failed))::integer as failed, (count(*) filter (where not failed))::integer as retrying
     from lead left join providers on providers.id = clinic
     group by recipient, cause, clinic, 4`,
    where,
  )
  const groups = new Map<string, ClinicRow[]>()
  for (const row of rows as ClinicRow[]) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
    .map(summed)
    .toSorted((a, b) => countOf(b) - countOf(a) || keyOf(a).localeCompare(keyOf(b)))
}

type Failure = Overview['failures'][number]
type ClinicRow = Pick<Failure, 'recipient' | 'cause' | 'failed' | 'retrying'> & {
  id: number | null
  name: string | null
}

const countOf = ({ failed, retrying }: { failed: number; retrying: number }) => failed + retrying
const keyOf = ({ recipient, cause }: Pick<Failure, 'recipient' | 'cause'>) => `${recipient} ${cause}`

/** Rows of one recipient and cause, each of another clinic, together. */
function summed(rows: ClinicRow[]): Failure {
  const { recipient, cause } = rows[0] as ClinicRow
  const clinics = rows
    .flatMap(({ id, name, ...counts }) => (id === null || name === null ? [] : [{ id, name, leads: countOf(counts) }]))
    .toSorted((a, b) => b.leads - a.leads || a.id - b.id)
  return {
    ...{ recipient, cause, words: CAUSE_WORDS[cause].words, advice: causeAdvice(cause, recipient) },
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
    retrying: rows.reduce((sum, { retrying }) => sum + retrying, 0),
    topClinics: clinics.slice(0, CLINICS_SHOWN),
    clinics: clinics.length,
  }
}

/** The ids of leads of which a delivery fails: for this cause, to this recipient. */
export function failingLeads(db: Db, { cause, recipient }: Pick<LeadFilter, 'cause' | 'recipient'>) {
  const query = db('jobs').select('lead_id').whereRaw(FAILING)
  if (cause !== undefined) query.where('last_cause', cause satisfies FailureCause)
  const recipients = recipient === undefined ? DeliveryRecipient.options : [recipient]
  return query.where((either) => {
    for (const { name, purposes } of recipients.map((one) => DELIVERIES[one])) {
      either.orWhere((same) => same.where('name', name).whereIn('purpose', purposes))
    }
  })
}
