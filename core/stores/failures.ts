import { CAUSE_WORDS, causeAdvice } from '../contract/failure-causes.ts'
import type { LeadFilter } from '../contract/leads.ts'
import type { Overview } from '../contract/overview.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import type { Period } from '../rules/periods.ts'
import { TARGET } from './delivery-status.ts'

/**
 * Finds the newest deliveries of their kind that failed for good, or failed and are retried. The conditions on the state
 * and on newer generations are those of the indexes.
 */
const FAILED = `jobs.last_cause is not null and jobs.state in ('failed', 'waiting', 'enqueued')`
const FAILING = `${FAILED} and not exists (
  select from jobs newer where newer.lead_id = jobs.lead_id and newer.name = jobs.name
    and newer.purpose = jobs.purpose and newer.generation > jobs.generation and newer.generation > 1)`

const CLINICS_SHOWN = 3

/**
 * Reads the causes of failing deliveries, the most frequent first. `leads` is the SQL condition on the leads, and `where`
 * has its bindings and the range of their ids.
 */
export async function read(
  trx: Transaction,
  leads: string,
  where: Period & { first: number; last: number },
): Promise<Overview['failures']> {
  const rows = await queryRows<ClinicRow>(
    trx,
    `with lead as (
       select lead_id, ${TARGET} as target, last_cause as cause, bool_or(jobs.state = 'failed') as failed,
         max(case purpose when 'provider' then provider_id when 'passed_on' then previous_provider_id end) as clinic
       from jobs
       join (select id as lead_id, provider_id from leads where ${leads}) lead using (lead_id)
       where lead_id between :first and :last and ${FAILED} and ${TARGET} is not null
         -- Generations have no gaps. The list of newer ones is read once, and not for each failing delivery.
         and (lead_id, name, purpose, generation + 1) not in (
           select lead_id, name, purpose, generation from jobs where lead_id between :first and :last and generation > 1
         )
       group by 1, 2, 3
     )
     select target, cause, clinic as id, coalesce(practice_name, providers.name) as name,
       (count(*) filter (where failed))::integer as failed, (count(*) filter (where not failed))::integer as retrying
     from lead left join providers on providers.id = clinic
     group by target, cause, clinic, 4`,
    where,
  )
  const groups = new Map<string, ClinicRow[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
    .map(summed)
    .toSorted((a, b) => countOf(b) - countOf(a) || keyOf(a).localeCompare(keyOf(b)))
}

type Failure = Overview['failures'][number]
type ClinicRow = Pick<Failure, 'target' | 'cause' | 'failed' | 'retrying'> & {
  id: number | null
  name: string | null
}

const countOf = ({ failed, retrying }: { failed: number; retrying: number }) => failed + retrying
const keyOf = ({ target, cause }: Pick<Failure, 'target' | 'cause'>) => `${target} ${cause}`

/** Sums up the rows of one target and cause, each of another clinic. */
function summed(rows: ClinicRow[]): Failure {
  const { target, cause } = only(rows.slice(0, 1))
  const clinics = rows
    .flatMap(({ id, name, ...counts }) => (id === null || name === null ? [] : [{ id, name, leads: countOf(counts) }]))
    .toSorted((a, b) => b.leads - a.leads || a.id - b.id)
  return {
    ...{ target, cause, words: CAUSE_WORDS[cause].words, advice: causeAdvice(cause, target) },
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
    retrying: rows.reduce((sum, { retrying }) => sum + retrying, 0),
    topClinics: clinics.slice(0, CLINICS_SHOWN),
    clinics: clinics.length,
  }
}

const CLINIC_MAIL = `name = 'send-email' and purpose = 'provider'`

/** SQL that is true for a lead whose clinic did not get the e-mail about it, because that failed for good. */
export const IS_NOT_REACHED = `provider_id is not null and id in (
  select lead_id from jobs where ${FAILING} and state = 'failed' and ${CLINIC_MAIL})`

/** SQL that is true for a job that is the open e-mail about a lead to its clinic. */
export const IS_OPEN = `state in ('waiting', 'enqueued') and ${CLINIC_MAIL}`

/** Queries the ids of leads with a failing delivery, for this cause and to this target. */
export function failingLeads(db: Db, { cause, target }: Pick<LeadFilter, 'cause' | 'target'>) {
  const query = db('jobs').select('lead_id').whereRaw(FAILING)
  if (cause !== undefined) query.where('last_cause', cause)
  return target === undefined ? query.whereRaw(`${TARGET} is not null`) : query.whereRaw(`${TARGET} = ?`, [target])
}
