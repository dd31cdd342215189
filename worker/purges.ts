import { hasExpiredApplications, purgeExpiredApplications } from '../core/commands/applications/delete-application.ts'
import {
  hasExpiredLeads,
  hasOverdueLeads,
  purgeDeletedLeads,
  purgeExpiredLeads,
} from '../core/commands/leads/purge-leads.ts'
import type { Env } from '../core/env.ts'
import type { PurposeOf } from '../core/jobs/jobs.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import * as accessLog from '../core/stores/access-log.ts'
import * as alerts from '../core/stores/alerts.ts'
import * as applicationDetails from '../core/stores/application-details.ts'
import * as attempts from '../core/stores/attempts.ts'
import * as auditLog from '../core/stores/audit-log.ts'
import * as bulk from '../core/stores/bulk.ts'
import * as clinicAddresses from '../core/stores/clinic-addresses.ts'
import * as clinicLinks from '../core/stores/clinic-links.ts'
import * as clinicSessions from '../core/stores/clinic-sessions.ts'
import * as consentChain from '../core/stores/consent-chain.ts'
import * as exportFiles from '../core/stores/export-files.ts'
import * as matchChanges from '../core/stores/match-changes.ts'
import * as providerEmails from '../core/stores/provider-emails.ts'
import * as setup from '../core/stores/setup.ts'
import * as signInAttempts from '../core/stores/sign-in-attempts.ts'
import * as pendingSignIns from '../core/stores/staff-pending-sign-ins.ts'
import * as staffSessions from '../core/stores/staff-sessions.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'

export type PurgeEnv = Pick<
  Env,
  'DATA_KEY' | 'DELETED_LEAD_DAYS' | 'LEAD_RETENTION_DAYS' | 'APPLICATION_RETENTION_DAYS' | 'CONSENT_RETENTION_DAYS'
>

type Purge = {
  /** Returns whether `purge` would delete something. Asked at each tick by every worker. */
  isPurgeDue(db: Db): Promise<boolean>
  /**
   * Deletes one batch in a transaction. Returns the number of deleted rows, 0 when nothing is left.
   * @param done the number of rows that the same run has deleted before
   */
  purge(db: Db, done: number): Promise<number>
}

/** How each purge deletes, and when the schedule looks whether it is due (a cron expression). */
export function purgesOf(env: PurgeEnv): Record<PurposeOf<'purge'>, [schedule: string, Purge]> {
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const { DELETED_LEAD_DAYS, LEAD_RETENTION_DAYS, APPLICATION_RETENTION_DAYS, CONSENT_RETENTION_DAYS } = env
  const deletedLeads: Purge = {
    isPurgeDue: (db) => hasOverdueLeads(db, DELETED_LEAD_DAYS),
    purge: (db, done) => purgeDeletedLeads(db, DELETED_LEAD_DAYS, personKey, done),
  }
  const expiredLeads: Purge = {
    isPurgeDue: (db) => hasExpiredLeads(db, LEAD_RETENTION_DAYS),
    purge: (db, done) => purgeExpiredLeads(db, LEAD_RETENTION_DAYS, personKey, done),
  }
  const expiredApplications: Purge = {
    isPurgeDue: (db) => hasExpiredApplications(db, APPLICATION_RETENTION_DAYS),
    purge: (db) => purgeExpiredApplications(db, APPLICATION_RETENTION_DAYS, personKey),
  }
  const consents: Purge = {
    isPurgeDue: (db) => consentChain.isPurgeDue(db, CONSENT_RETENTION_DAYS),
    purge: (db) => consentChain.purge(db, chainKey, CONSENT_RETENTION_DAYS),
  }
  return {
    'deleted-leads': ['*/10 * * * * *', deletedLeads],
    'expired-leads': ['* * * * *', expiredLeads],
    'expired-applications': ['2 * * * *', expiredApplications],
    consents: ['12 * * * *', consents],
    exports: ['*/10 * * * *', exportFiles],
    sessions: ['17 * * * *', staffSessions],
    'pending-sign-ins': ['22 * * * *', pendingSignIns],
    'sign-in-attempts': ['27 * * * *', signInAttempts],
    'match-changes': ['37 * * * *', matchChanges],
    attempts: ['47 * * * *', attempts],
    'audit-log': ['37 3 * * *', auditLog],
    'access-log': ['43 3 * * *', accessLog],
    bulk: ['45 3 * * *', bulk],
    syncs: ['47 3 * * *', syncRuns],
    'email-confirmations': ['52 3 * * *', providerEmails],
    'clinic-links': ['54 3 * * *', clinicLinks],
    'clinic-addresses': ['56 3 * * *', clinicAddresses],
    alerts: ['58 3 * * *', alerts],
    'clinic-sessions': ['24 * * * *', clinicSessions],
    'application-notes': ['32 * * * *', applicationDetails],
    'setup-checks': ['53 3 * * *', setup],
  }
}
