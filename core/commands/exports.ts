import { MAX_EXPORTS } from '../contract/exports.ts'
import type { LeadExportQuery } from '../contract/leads.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import { loggedQuery } from '../rules/logged-query.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as exportFiles from '../stores/export-files.ts'
import type { Actor } from './actor.ts'

/**
 * Starts an export of leads as a job of the ledger. `total` is the number of leads that match now.
 * @returns the id of the job
 * @throws AppError `rate_limited` when the person has too many exports
 */
export async function startExport(
  db: Db,
  { query, total }: { query: LeadExportQuery; total: number },
  actor: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    await exportFiles.lockStarts(trx)
    if ((await exportFiles.countKept(trx, actor)) >= MAX_EXPORTS) {
      throw new AppError(
        'rate_limited',
        `You have ${MAX_EXPORTS} exports already. Delete one of them, then export again.`,
        { retryAfterSeconds: 60 },
      )
    }
    const auditLine = await auditLog.beginExport(trx, preparation(actor, query))
    return exportFiles.add(trx, { query, total, auditLine }, actor)
  })
}

/** Cancels an export of this person, or deletes its file. @throws AppError `not_found` */
export async function deleteExport(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    const row = await exportFiles.find(trx, id, actor)
    if (!row) throw noSuchExport()
    if (!(await exportFiles.remove(trx, id)) || row.finished_at || !row.query) return
    await recordPrepared(trx, row, { rows: row.done, complete: false })
  })
}

/** Records in the audit log that the preparation of an export has ended. */
export async function recordPrepared(
  db: Db,
  { actor, query, audit_line: begun }: Pick<exportFiles.ExportRow, 'actor' | 'query' | 'audit_line'>,
  end: { rows: number; complete: boolean },
): Promise<void> {
  if (query) await auditLog.endExport(db, preparation({ actor }, query), { begun, ...end })
}

const preparation = ({ actor }: Actor, query: LeadExportQuery) => ({
  ...{ actor, entity: 'lead' as const },
  details: { ...loggedQuery(query), prepares: true },
})

export const noSuchExport = () => new AppError('not_found', 'There is no such export.')
