import type { CostLine, CostSummary } from '../contract/marketing-costs.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import type { Period } from '../rules/periods.ts'

/** The costs of a campaign in a period, in cents. The campaign is empty for the cost of a source as a whole. */
export type Sum = { source: string; campaign: string; cents: number }

/** Sums the costs of a period by source and campaign, the highest first. */
export async function sums(db: Db, { from, to }: Period): Promise<Sum[]> {
  return queryRows<Sum>(
    db,
    `select source, campaign, sum(cost_cents)::double precision as cents from marketing_costs
     where day between cast(:from as date) and cast(:to as date) group by 1, 2 order by 3 desc, 1, 2`,
    { from, to },
  )
}

/** Stores costs. Replaces those of the same day, source and campaign. */
export async function put(trx: Transaction, lines: CostLine[]): Promise<void> {
  await trx.raw(
    `insert into marketing_costs (day, source, campaign, cost_cents)
     select day, source, campaign, cost_cents from jsonb_to_recordset(?::jsonb)
       as line (day date, source text, campaign text, cost_cents integer)
     on conflict (day, source, campaign) do update set cost_cents = excluded.cost_cents`,
    [JSON.stringify(lines)],
  )
}

/** Returns what is stored. */
export async function summarize(db: Db): Promise<CostSummary> {
  const rows = await queryRows<CostSummary>(
    db,
    `select count(*)::integer as lines, to_char(min(day), 'YYYY-MM-DD') as from, to_char(max(day), 'YYYY-MM-DD') as to,
       coalesce(sum(cost_cents), 0)::double precision as "totalCents" from marketing_costs`,
  )
  return only(rows)
}

/** Deletes all costs. Returns their number. */
export async function removeAll(trx: Transaction): Promise<number> {
  return trx('marketing_costs').delete()
}
