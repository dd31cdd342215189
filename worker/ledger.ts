import type { Lead } from '../core/contract/leads.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import type { Db } from '../core/platform/db.ts'
import { type Attempt, begin, type LeadJob, type Settlement, settleAll } from '../core/stores/attempts.ts'
import * as leads from '../core/stores/leads.ts'

export type LeadAttempt = { attempt: Attempt<LeadJob>; settlement: Settlement; ms: number }

/** The database calls that every attempt makes. */
export type Ledger = ReturnType<typeof createLedger>

/**
 * Batches the database calls of concurrent attempts, so that a backlog costs few round trips and commits. A single
 * attempt does not wait for others.
 */
export function createLedger(db: Db) {
  return {
    /** Begins an attempt at a job. Returns null when there is nothing to do. */
    begin: createBatcher<string, Attempt | null>(async (jobIds) => {
      const begun = await begin(db, jobIds)
      const attemptAt = new Map(begun.map((attempt) => [attempt.job.id, attempt]))
      return jobIds.map((id) => attemptAt.get(id) ?? null)
    }),

    findLead: createBatcher<number, Lead | null>(async (ids) => {
      const found = await leads.findMany(db, [...new Set(ids)])
      const leadOf = new Map(found.map((lead) => [lead.id, lead]))
      return ids.map((id) => leadOf.get(id) ?? null)
    }),

    /**
     * Records an attempt's outcome. Returns false when it needs a transaction of its own: the lead is locked or
     * deleted, or the job was settled elsewhere.
     */
    settle: createBatcher<LeadAttempt, boolean>((endings) =>
      db.transaction(async (trx) => {
        const leadIds = endings.map(({ attempt }) => attempt.job.leadId)
        const locked = new Set(await leads.lockFree(trx, leadIds))
        const settled = await settleAll(
          trx,
          endings.filter(({ attempt }) => locked.has(attempt.job.leadId)),
        )
        return endings.map(({ attempt }) => settled.has(attempt.job.id))
      }),
    ),
  }
}
