import { purgeExpiredApplications } from '../core/applications/applications.ts'
import { IS_CHECK } from '../core/conditions/setup.ts'
import type { Env } from '../core/env.ts'
import { purgeDeletedLeads, purgeExpiredLeads } from '../core/leads/change-lead.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import { CONSENT_DETAILS_DAYS, DELETED_LEAD_DAYS } from '../core/privacy/contract/data-map.ts'
import * as consents from '../core/privacy/stores/consents.ts'
import * as erasures from '../core/privacy/stores/erasures.ts'
import { call, rows } from '../core/privacy/stores/erasures.ts'
import * as syncRuns from '../core/sync/stores/sync-runs.ts'

type RetentionEnv = Pick<Env, 'DATA_KEY' | 'LEAD_RETENTION_DAYS' | 'CONSENT_RETENTION_DAYS'>

/** Deletes one batch and returns its size, 0 when nothing is left. `done`: what the same run deleted before. */
export type DeleteBatch = (db: Db, done: number) => Promise<number>

/** Lists what is deleted each night, in order. Queries leave out what is past its time until then. */
export function retention(env: RetentionEnv): Record<string, DeleteBatch> {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  return {
    'deleted leads': (db, done) => purgeDeletedLeads(db, DELETED_LEAD_DAYS, personKey, done),
    leads: (db, done) => purgeExpiredLeads(db, env.LEAD_RETENTION_DAYS, personKey, done),
    applications: (db) => purgeExpiredApplications(db, env.LEAD_RETENTION_DAYS, personKey),

    'addresses in consents': (db) => consents.blank(db, CONSENT_DETAILS_DAYS),
    consents: (db) => consents.purge(db, env.CONSENT_RETENTION_DAYS),
    'hashes of erasures': (db) => erasures.blankHashes(db, env.CONSENT_RETENTION_DAYS),

    sessions: rows('staff_sessions', 'least(expires_at, idle_ends_at) <= now()'),
    'pending sign-ins': rows('staff_pending_sign_ins', 'expires_at <= now()'),
    'sign-in attempts': rows('sign_in_attempts', 'expire <= (extract(epoch from now()) * 1000)::bigint'),
    'clinic sessions': rows('clinic_sessions', 'expires_at <= now()'),
    'clinic links': rows(
      'one_time_tokens',
      `purpose = 'clinic_link' and coalesce(expires_at, requested_at) < now() - interval '2 days'`,
    ),

    // No delivery of a match waits longer for an undo.
    'match changes': rows('match_changes', `changed_at < now() - interval '1 day'`),
    attempts: rows('job_attempts', `started_at < now() - interval '366 days'`),
    'bulk actions': rows(
      'bulk_actions',
      `created_at < now() - interval '30 days'
         and job_id not in (select id from jobs where state in ('waiting', 'enqueued'))`,
      { jobs: true },
    ),
    'rows of bulk actions': rows('bulk_items', 'job_id not in (select job_id from bulk_actions)'),
    syncs: syncRuns.purge,
    'setup checks': rows('jobs', `${IS_CHECK} and created_at < now() - interval '30 days'`, { jobs: true }),
    'sent alerts': rows('jobs', `name = 'send-alert' and created_at < now() - interval '90 days'`, { jobs: true }),
    'ended alerts': rows('alert_states', `recovered_at < now() - interval '90 days'`),
    // Six years, as for the documentation of health care in the USA: 45 CFR 164.316(b)(2)(i).
    'audit log': call(`purge_audit_log(interval '2196 days')`),
    'access log': call('purge_access_log(2196)'),
  }
}
