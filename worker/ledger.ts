import type { Lead } from '../core/contract/leads.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import type { Db } from '../core/platform/db.ts'
import { type Attempt, begin, type LeadJob, type Settlement, settleAll } from '../core/stores/attempts.ts'
import * as leads from '../core/stores/leads.ts'

export type LeadAttempt = { attempt: Attempt<LeadJob>; settlement: Settlement; ms: number }

/** What every attempt asks of the database. */
export type Ledger = ReturnType<typeof createLedger>

/**
 * What the attempts of one worker ask of the database goes together with what the others ask meanwhile, so that a backlog
 * costs few round trips and few commits. An attempt that is alone waits for nobody.
 */
export function createLedger(db: Db) {
  return {
    /** Begins an attempt at a job; null where there is nothing to be done. */
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
     * Records how an attempt ended. False where it has to be looked at alone: somebody else holds the lead, it is deleted,
     * or the job was settled by somebody else.
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
