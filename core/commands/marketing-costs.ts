import type { CostSummary } from '../contract/marketing-costs.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import { readCostFile } from '../rules/cost-file.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as marketingCosts from '../stores/marketing-costs.ts'
import type { Actor } from './actor.ts'

const MAX_PROBLEMS_SHOWN = 20

/**
 * Stores the costs of a CSV file, all or none.
 * @throws AppError `invalid` with `fields` for the first wrong lines: `line 4` and what is wrong with it
 */
export async function uploadCosts(db: Db, csv: string, actor: Actor): Promise<CostSummary & { stored: number }> {
  const file = readCostFile(csv)
  if ('problems' in file) {
    const [first, ...others] = file.problems
    const rest =
      others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'line is' : 'lines are'} wrong.`
    throw new AppError('invalid', `Nothing was stored. Line ${first?.line}: ${first?.message}.${rest}`, {
      fields: Object.fromEntries(
        file.problems.slice(0, MAX_PROBLEMS_SHOWN).map(({ line, message }) => [`line ${line}`, message]),
      ),
    })
  }
  const { lines } = file
  return db.transaction(async (trx) => {
    await marketingCosts.put(trx, lines)
    await auditLog.record(trx, { ...actor, action: 'upload', ...ALL, details: { rows: lines.length } })
    return { ...(await marketingCosts.summarize(trx)), stored: lines.length }
  })
}

/** Deletes all stored costs. */
export async function deleteCosts(db: Db, actor: Actor): Promise<CostSummary> {
  return db.transaction(async (trx) => {
    const rows = await marketingCosts.removeAll(trx)
    if (rows > 0) await auditLog.record(trx, { ...actor, action: 'delete', ...ALL, details: { rows } })
    return marketingCosts.summarize(trx)
  })
}

const ALL = { entity: 'cost', entityId: 'all' } as const
