import * as applications from '../core/applications/stores/applications.ts'
import type { Changes } from '../core/contract/events.ts'
import { AFTER_DELETION } from '../core/deliveries/contract/jobs.ts'
import type { SubjectKind } from '../core/deliveries/emails.ts'
import type { Attempt, Job } from '../core/deliveries/stores/attempts.ts'
import { kindOf } from '../core/deliveries/stores/job-owner.ts'
import * as subjects from '../core/deliveries/stores/subjects.ts'
import * as overview from '../core/insight/stores/overview.ts'
import type { Lead } from '../core/leads/contract/leads.ts'
import * as leadChanges from '../core/leads/stores/lead-changes.ts'
import * as leads from '../core/leads/stores/leads.ts'
import type { Db, Transaction } from '../core/platform/db.ts'
import * as erasures from '../core/privacy/stores/erasures.ts'
import * as providers from '../core/providers/stores/providers.ts'
import * as accounts from '../core/staff/stores/staff-accounts.ts'
import * as syncRuns from '../core/sync/stores/sync-runs.ts'
import type { Task, TaskAbout } from './handlers/handler.ts'

/** Finds the row of a subject. Leads are read together. */
const FIND: { [Kind in Exclude<SubjectKind, 'lead'>]: (db: Db, id: number) => Promise<TaskAbout<Kind>['row'] | null> } =
  {
    application: applications.find,
    account: accounts.findRecipient,
    provider: providers.find,
    sync: syncRuns.find,
    report: async (_db, id) => overview.find(id),
  }

/**
 * Reads the rows that jobs belong to, those of leads in one query. Returns a task for each job whose row is there, by the
 * id of the job.
 */
export async function readTasks(db: Db, attempts: Attempt[]): Promise<Map<string, Task>> {
  const jobs = attempts.map(({ job }) => ({ job, subject: job.subject && kindOf(job.subject) }))
  const idsOf = (of: 'lead' | 'erased lead') =>
    jobs.flatMap(({ job, subject }) => (subject && ofLead(job) === of && subject.kind === 'lead' ? subject.id : []))
  const [found, erased] = await Promise.all([
    leads.findMany(db, [...new Set(idsOf('lead'))]),
    erasures.findLeads(db, idsOf('erased lead')),
  ])
  const leadOf = new Map(found.map((lead) => [lead.id, lead]))

  const tasks = await Promise.all(
    jobs.map(async ({ job, subject }): Promise<Task | null> => {
      if (!subject) return { of: 'none', job, id: 0, row: null }
      const { kind, id } = subject
      if (kind !== 'lead') {
        const row = await FIND[kind](db, id)
        return row && ({ of: kind, job, id, row } as Task)
      }
      if (ofLead(job) === 'erased lead') return { of: 'erased lead', job, id, row: erased.get(id) ?? null }
      const row = leadOf.get(id)
      return row ? { of: 'lead', job, id, row } : null
    }),
  )
  return new Map(tasks.flatMap((task) => (task ? [[task.job.id, task]] : [])))
}

const ofLead = ({ purpose }: Job) => (AFTER_DELETION.includes(purpose) ? 'erased lead' : 'lead')

/**
 * Locks the row that a job belongs to, as it is now. Returns null when it is gone. Returns no lead for other subjects, and
 * for a lead that is deleted.
 */
export async function lockOwner(trx: Transaction, { of, job, id }: Task): Promise<{ lead: Lead | null } | null> {
  if (of === 'lead') return lockLead(trx, job, id)
  // Of an erased lead and of a job about many rows there is no row to lock.
  if (of === 'erased lead' || !job.subject) return { lead: null }
  return (await subjects.lock(trx, job.subject)) && { lead: null }
}

async function lockLead(trx: Transaction, { name }: Job, leadId: number): Promise<{ lead: Lead | null } | null> {
  const lead = await leads.lock(trx, leadId)
  if (lead || !(await leadChanges.lock(trx, leadId))) return lead && { lead }
  // It may have been restored between the two reads.
  const restored = await leads.find(trx, leadId)
  // A sent e-mail cannot be taken back: its outcome counts, also while the lead is deleted. A match does not.
  return restored || name !== 'match-lead' ? { lead: restored } : null
}

/** Returns what an attempt at a task has changed, for open dashboards. */
export function changesOf({ of, job, id }: Task): Changes {
  if (!job.subject) return job.name === 'bulk' ? { bulk: [job.id] } : {}
  if (of === 'lead' || of === 'erased lead') return { jobs: [id], ...(job.name === 'match-lead' && { leads: [id] }) }
  const { providerId } = job.payload
  return { ...subjects.changesOf(job.subject), ...(providerId !== undefined && { providers: [providerId] }) }
}
