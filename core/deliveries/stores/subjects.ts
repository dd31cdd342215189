import type { Application } from '../../applications/contract/applications.ts'
import * as applications from '../../applications/stores/applications.ts'
import type { Changes } from '../../contract/events.ts'
import * as reports from '../../insight/stores/reports.ts'
import type { Lead } from '../../leads/contract/leads.ts'
import * as leads from '../../leads/stores/leads.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as erasures from '../../privacy/stores/erasures.ts'
import * as providers from '../../providers/stores/providers.ts'
import type { AuditEntity } from '../../staff/contract/audit-log.ts'
import * as accounts from '../../staff/stores/staff-accounts.ts'
import type { SyncRunDetails } from '../../sync/contract/sync.ts'
import * as syncRuns from '../../sync/stores/sync-runs.ts'
import { AFTER_DELETION } from '../contract/jobs.ts'
import type { JobPayload, Subject, SubjectKind } from '../emails.ts'
import { kindOf } from '../jobs.ts'

/** The row that a job is about. Of a lead that was permanently deleted only the erasure is left, if there is one. */
export type SubjectRows = {
  lead: Lead
  'erased lead': erasures.ErasedLead | null
  application: Application
  account: accounts.Recipient
  provider: providers.Provider
  report: reports.Report
  sync: SyncRunDetails
}

/** `held_reason` and `provider_id` are those of a form, `finished_at` that of a run. */
type Locked = { id?: number; held_reason?: string | null; provider_id?: number | null; finished_at?: string | null }

type Kind<Row> = {
  /** Reads these rows, by id. Skips missing ones. */
  findMany(db: Db, ids: number[]): Promise<Map<number, Row>>
  /** Locks the row, and returns it as it is now or whether it is there. */
  lock(trx: Transaction, id: number): Promise<Locked | boolean | null>
  /** What the audit log is about where staff act on its jobs. `isOfMany`: not the row itself. */
  entity: AuditEntity
  isOfMany?: true
  /** The rows that have changed for open dashboards after such an act, and after an attempt if that differs. */
  changes?: 'leads' | 'applications' | 'accounts' | 'syncs' | 'providers'
  attempted?: 'jobs'
}

const each =
  <Row>(find: (db: Db, id: number) => Promise<Row | null>): Kind<Row>['findMany'] =>
  async (db, ids) => {
    const rows = await Promise.all(ids.map(async (id) => [id, await find(db, id)] as const))
    return new Map(rows.flatMap(([id, row]) => (row === null ? [] : [[id, row]])))
  }

/** All that differs between the subjects of jobs. */
export const SUBJECTS: { [Of in keyof SubjectRows]: Kind<SubjectRows[Of]> } = {
  lead: {
    async findMany(db, ids) {
      return new Map((await leads.findMany(db, [...new Set(ids)])).map((lead) => [lead.id, lead]))
    },
    ...{ lock: leads.lock, entity: 'lead', changes: 'leads', attempted: 'jobs' },
  },
  'erased lead': {
    async findMany(db, ids) {
      const found = await erasures.findLeads(db, ids)
      return new Map(ids.map((id) => [id, found.get(id) ?? null]))
    },
    // Only the notice itself is left to lock.
    ...{ lock: async () => true, entity: 'lead', changes: 'leads', attempted: 'jobs' },
  },
  application: {
    ...{ findMany: each(applications.find), lock: applications.lock },
    ...{ entity: 'application', changes: 'applications' },
  },
  account: {
    ...{ findMany: each(accounts.findRecipient), lock: accounts.lockRow },
    ...{ entity: 'staff', changes: 'accounts' },
  },
  provider: {
    ...{ findMany: each(providers.find), lock: providers.lock, entity: 'provider', changes: 'providers' },
  },
  report: {
    ...{ findMany: each(async (_db, id) => reports.find(id)), lock: reports.lock },
    ...{ entity: 'network', isOfMany: true },
  },
  sync: {
    ...{ findMany: each(syncRuns.find), lock: syncRuns.lock },
    ...{ entity: 'provider', isOfMany: true, changes: 'syncs' },
  },
}

/** Returns what a job is about: its notices outlive a lead. */
export function aboutOf(subject: Subject, purpose: string): { of: keyof SubjectRows; id: number } {
  const { kind, id } = kindOf<SubjectKind>(subject)
  return { of: kind === 'lead' && AFTER_DELETION.includes(purpose) ? 'erased lead' : kind, id }
}

/** Locks the row of a subject. Returns null when it is gone, or a lead is deleted. */
export async function lock(trx: Transaction, subject: Subject): Promise<Locked | null> {
  const { kind, id } = kindOf(subject)
  const row = await SUBJECTS[kind].lock(trx, id)
  return row === true ? {} : row || null
}

/** Returns what has changed for open dashboards after staff have acted on jobs of a subject. */
export function changesOf(subject: Subject): Changes {
  const { kind, id } = kindOf(subject)
  const { changes } = SUBJECTS[kind]
  return changes ? { [changes]: [id] } : {}
}

/** Returns what the audit log is about where staff act on a job. */
export function entityOf(subject: Subject, { providerId }: JobPayload = {}) {
  const { kind, id } = kindOf(subject)
  const { entity, isOfMany } = SUBJECTS[kind]
  return { entity, entityId: isOfMany ? (providerId ?? ('all' as const)) : id }
}
