import * as applications from '../../applications/stores/applications.ts'
import type { Changes } from '../../contract/events.ts'
import * as overview from '../../insight/stores/overview.ts'
import * as leads from '../../leads/stores/leads.ts'
import type { Transaction } from '../../platform/db.ts'
import * as providers from '../../providers/stores/providers.ts'
import type { AuditEntity } from '../../staff/contract/audit-log.ts'
import * as accounts from '../../staff/stores/staff-accounts.ts'
import * as syncRuns from '../../sync/stores/sync-runs.ts'
import type { Subject, SubjectKind } from '../emails.ts'
import { kindOf } from './job-owner.ts'

/** `held_reason` and `provider_id` are those of a form, `finished_at` that of a run. */
type Locked = { id?: number; held_reason?: string | null; provider_id?: number | null; finished_at?: string | null }
type Kind = {
  /** Locks the row of the subject, as it is now. */
  lock: (trx: Transaction, id: number) => Promise<Locked | boolean | null>
  /** The rows that have changed for open dashboards, if it is shown there. */
  changes?: 'leads' | 'applications' | 'accounts' | 'syncs' | 'providers'
  entity: AuditEntity
}

const KINDS: Record<SubjectKind, Kind> = {
  lead: { lock: leads.lock, changes: 'leads', entity: 'lead' },
  application: { lock: applications.lock, changes: 'applications', entity: 'application' },
  account: { lock: accounts.lockRow, changes: 'accounts', entity: 'staff' },
  sync: { lock: syncRuns.lock, changes: 'syncs', entity: 'provider' },
  provider: { lock: providers.lock, changes: 'providers', entity: 'provider' },
  report: { lock: overview.lock, entity: 'network' },
}

/** Locks the row of a subject. Returns null when it is gone, or a lead is deleted. */
export async function lock(trx: Transaction, subject: Subject): Promise<Locked | null> {
  const { kind, id } = kindOf(subject)
  const row = await KINDS[kind].lock(trx, id)
  return row === true ? {} : row || null
}

/** Returns what has changed with a subject or its jobs, for open dashboards. */
export function changesOf(subject: Subject): Changes {
  const { kind, id } = kindOf(subject)
  const { changes } = KINDS[kind]
  return changes ? { [changes]: [id] } : {}
}

/** Returns what the audit log is about where staff act on jobs of a subject. */
export const entityOf = (subject: Subject): AuditEntity => KINDS[kindOf(subject).kind].entity
