import type { Changes } from '../core/contract/events.ts'
import { AFTER_DELETION } from '../core/contract/jobs.ts'
import type { Lead } from '../core/contract/leads.ts'
import type { Db, Transaction } from '../core/platform/db.ts'
import * as alerts from '../core/stores/alerts.ts'
import * as applications from '../core/stores/applications.ts'
import type { Attempt, LeadJob } from '../core/stores/attempts.ts'
import * as bulk from '../core/stores/bulk.ts'
import * as deletedLeads from '../core/stores/deleted-leads.ts'
import * as erasures from '../core/stores/erasures.ts'
import * as leads from '../core/stores/leads.ts'
import * as providers from '../core/stores/providers.ts'
import * as reports from '../core/stores/reports.ts'
import * as setup from '../core/stores/setup.ts'
import * as staffAccounts from '../core/stores/staff-accounts.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import type { Task } from './handlers/handler.ts'

const isAfterDeletion = ({ purpose }: LeadJob) => AFTER_DELETION.includes(purpose)

/**
 * Reads the rows that jobs belong to, those of leads in one query. Returns a task for each job whose row is there, by the
 * id of the job.
 */
export async function readTasks(db: Db, attempts: Attempt[]): Promise<Map<string, Task>> {
  const jobs = attempts.map(({ job }) => job)
  const ofLeads = jobs.filter((job) => 'leadId' in job)
  const leadIds = ofLeads.flatMap((job) => (isAfterDeletion(job) ? [] : job.leadId))
  const erasedIds = ofLeads.flatMap((job) => (isAfterDeletion(job) ? job.leadId : []))
  const [found, erased] = await Promise.all([
    leads.findMany(db, [...new Set(leadIds)]),
    erasures.findLeads(db, erasedIds),
  ])
  const leadOf = new Map(found.map((lead) => [lead.id, lead]))

  const tasks = await Promise.all(
    jobs.map(async (job): Promise<Task | null> => {
      if ('leadId' in job) {
        if (isAfterDeletion(job)) return { of: 'erased lead', job, row: erased.get(job.leadId) ?? null }
        const row = leadOf.get(job.leadId)
        return row ? { of: 'lead', job, row } : null
      }
      if ('applicationId' in job) {
        const row = await applications.find(db, job.applicationId)
        return row && { of: 'application', job, row }
      }
      if ('accountId' in job) {
        const row = await staffAccounts.findRecipient(db, job.accountId)
        return row && { of: 'account', job, row }
      }
      if ('providerId' in job) {
        const row = await providers.find(db, job.providerId)
        return row && { of: 'provider', job, row }
      }
      if ('reportId' in job) return { of: 'report', job, row: reports.find(job.reportId) }
      if ('syncId' in job) {
        const row = await syncRuns.find(db, job.syncId)
        return row && { of: 'sync', job, row }
      }
      if (job.name === 'purge') return { of: 'purge', job }
      if (job.name === 'send-alert') {
        const row = await alerts.findDelivery(db, job.id)
        return row && { of: 'alert', job, row }
      }
      if (job.name === 'bulk') {
        const row = await bulk.find(db, job.id)
        return row && { of: 'bulk', job, row }
      }
      const row = await setup.findCheck(db, job.id)
      return row && { of: 'check', job, row }
    }),
  )
  return new Map(tasks.flatMap((task) => (task ? [[task.job.id, task]] : [])))
}

/**
 * Locks the row that a job belongs to, as it is now. Returns null when it is gone. Returns no lead for other owners, and
 * for a lead that is deleted.
 */
export async function lockOwner(trx: Transaction, { of, job }: Task): Promise<{ lead: Lead | null } | null> {
  const owner = { lead: null }
  switch (of) {
    case 'lead':
      return lockLead(trx, job)
    case 'erased lead':
    case 'bulk':
    case 'purge':
    case 'alert':
    case 'check':
      // There is no row to lock.
      return owner
    case 'provider':
      return (await providers.lock(trx, job.providerId)) ? owner : null
    case 'report':
      return (await reports.lock(trx, job.reportId)) ? owner : null
    case 'application':
      return (await applications.lock(trx, job.applicationId)) && owner
    case 'account':
      return (await staffAccounts.lockRow(trx, job.accountId)) && owner
    case 'sync':
      return (await syncRuns.lock(trx, job.syncId)) && owner
  }
}

async function lockLead(trx: Transaction, { name, leadId }: LeadJob): Promise<{ lead: Lead | null } | null> {
  const lead = await leads.lock(trx, leadId)
  if (lead || !(await deletedLeads.lock(trx, leadId))) return lead && { lead }
  // It may have been restored between the two reads.
  const restored = await leads.find(trx, leadId)
  // A sent e-mail cannot be taken back: its outcome counts, also while the lead is deleted. A match does not.
  return restored || name !== 'match-lead' ? { lead: restored } : null
}

/** Returns what an attempt at a task has changed, for open dashboards. */
export function changesOf({ of, job }: Task): Changes {
  switch (of) {
    case 'lead':
    case 'erased lead':
      return { jobs: [job.leadId], ...(job.name === 'match-lead' && { leads: [job.leadId] }) }
    case 'application':
      return { applications: [job.applicationId] }
    case 'account':
      return { accounts: [job.accountId] }
    case 'provider':
      return { providers: [job.providerId] }
    case 'bulk':
      return { bulk: [job.id] }
    case 'purge':
    case 'alert':
    case 'report':
    case 'check':
      return {}
    case 'sync':
      return { syncs: [job.syncId], ...(job.toldProviderId !== null && { providers: [job.toldProviderId] }) }
  }
}

/** Returns the id of the row that a job belongs to, for the log. */
export function ownerIdOf({ of, job }: Task): Record<string, number> {
  switch (of) {
    case 'lead':
    case 'erased lead':
      return { leadId: job.leadId }
    case 'application':
      return { applicationId: job.applicationId }
    case 'account':
      return { accountId: job.accountId }
    case 'provider':
      return { providerId: job.providerId }
    case 'bulk':
    case 'purge':
    case 'alert':
    case 'check':
      return {}
    case 'report':
      return { reportId: job.reportId }
    case 'sync':
      return { syncId: job.syncId }
  }
}
