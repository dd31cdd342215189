import type { Changes } from '../core/contract/events.ts'
import type { Lead } from '../core/contract/leads.ts'
import type { Logger } from '../core/platform/log.ts'
import * as applications from '../core/stores/applications.ts'
import { type Attempt, begin, type Job as StoredJob } from '../core/stores/attempts.ts'
import * as erasures from '../core/stores/erasures.ts'
import * as leads from '../core/stores/leads.ts'
import * as staffAccounts from '../core/stores/staff-accounts.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import {
  type Owner,
  ownerOfAccountJob,
  ownerOfApplicationJob,
  ownerOfErasedLeadJob,
  ownerOfLeadJob,
  ownerOfSyncJob,
  record,
} from './attempt.ts'
import { emailAboutErasure } from './handlers/email-about-erasure.ts'
import type { Handler, WorkerServices } from './handlers/handler.ts'
import { accountHandlers, applicationHandlers, leadHandlers, syncHandlers } from './handlers/index.ts'
import { syncCrm } from './handlers/sync-crm.ts'
import { ended, failed } from './outcome.ts'

/**
 * Makes one attempt at a job of any kind but `sync-crm`, which `performBatch` runs. Records the outcome in the ledger
 * only. Does nothing for a job that is settled, cancelled or deleted.
 * @returns the changes
 * @throws Error when the outcome cannot be recorded; the queue then calls again
 */
export async function perform(jobId: string, services: WorkerServices, log: Logger): Promise<Changes> {
  const attempt = await services.ledger.begin(jobId)
  if (!attempt) return {}

  const { job } = attempt
  if ('leadId' in job) {
    if (job.name === 'sync-crm') throw new Error('A sync-crm job was handed to perform. performBatch does it.')
    if (job.purpose === 'erased') {
      const erased = (await erasures.findLeads(services.db, [job.leadId])).get(job.leadId) ?? null
      await performFor(ownerOfErasedLeadJob(job), erased, { ...attempt, job }, emailAboutErasure, services, log)
      return { jobs: [job.leadId] }
    }
    const lead = await services.ledger.findLead(job.leadId)
    await performFor(ownerOfLeadJob(job), lead, { ...attempt, job }, leadHandlers[job.name], services, log)
    return job.name === 'match-lead' ? { leads: [job.leadId], jobs: [job.leadId] } : { jobs: [job.leadId] }
  }
  if ('accountId' in job) {
    const account = await staffAccounts.findRecipient(services.db, job.accountId)
    await performFor(ownerOfAccountJob(job), account, { ...attempt, job }, accountHandlers[job.name], services, log)
    return { accounts: [job.accountId] }
  }
  if ('syncId' in job) {
    const run = await syncRuns.find(services.db, job.syncId)
    await performFor(ownerOfSyncJob(job), run, { ...attempt, job }, syncHandlers[job.name], services, log)
    return { syncs: [job.syncId], ...(job.toldProviderId !== null && { providers: [job.toldProviderId] }) }
  }
  const application = await applications.find(services.db, job.applicationId)
  const owner = ownerOfApplicationJob(job)
  await performFor(owner, application, { ...attempt, job }, applicationHandlers[job.name], services, log)
  return { applications: [job.applicationId] }
}

/** Makes one attempt at each of many CRM jobs, in one call to the CRM. Each job gets an outcome of its own. */
export async function performBatch(jobIds: string[], services: WorkerServices, log: Logger): Promise<Changes> {
  const begun = (await begin(services.db, jobIds)).flatMap(({ job, ...attempt }) =>
    'leadId' in job ? { ...attempt, job } : [],
  )
  const found = await leads.findMany(services.db, [...new Set(begun.map(({ job }) => job.leadId))])
  const leadOf = new Map(found.map((lead) => [lead.id, lead]))
  const attempts = begun.filter(({ job }) => leadOf.has(job.leadId) || job.purpose === 'deleted')
  if (attempts.length === 0) return {}

  const tasks = attempts.map(({ job }) => ({ job, lead: leadOf.get(job.leadId) ?? null }))
  const outcomes = await syncCrm(tasks, services).catch((error: Error) => tasks.map(() => error))
  await Promise.all(
    attempts.map((attempt, position) => {
      const outcome = outcomes[position] ?? new Error('The attempt has no outcome.')
      const ending = outcome instanceof Error ? failed<Lead>(attempt, outcome) : ended(attempt, outcome)
      return record(services, ownerOfLeadJob(attempt.job), attempt, ending, log)
    }),
  )
  return { jobs: attempts.map(({ job }) => job.leadId) }
}

async function performFor<Job extends StoredJob, Row>(
  owner: Owner<Row>,
  row: Row | null,
  attempt: Attempt<Job>,
  handler: Handler<Job, Row>,
  services: WorkerServices,
  log: Logger,
): Promise<void> {
  if (!row) return

  const ending = await handler(attempt.job, row, services).then(
    (outcome) => ended(attempt, outcome),
    (error: Error) => failed<Row>(attempt, error),
  )
  await record(services, owner, attempt, ending, log)
}
