import cron from 'node-cron'
import { purgeExpiredApplications } from '../core/commands/applications/delete-application.ts'
import { purgeDeletedLeads, purgeExpiredLeads } from '../core/commands/leads/purge-leads.ts'
import type { Env } from '../core/env.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import * as accessLog from '../core/stores/access-log.ts'
import * as attempts from '../core/stores/attempts.ts'
import * as auditLog from '../core/stores/audit-log.ts'
import * as consentChain from '../core/stores/consent-chain.ts'
import * as dueJobs from '../core/stores/due-jobs.ts'
import * as leadCounts from '../core/stores/lead-counts.ts'
import * as leadLists from '../core/stores/lead-lists.ts'
import * as matchChanges from '../core/stores/match-changes.ts'
import * as providerEmails from '../core/stores/provider-emails.ts'
import * as signInAttempts from '../core/stores/sign-in-attempts.ts'
import * as pendingSignIns from '../core/stores/staff-pending-sign-ins.ts'
import * as staffSessions from '../core/stores/staff-sessions.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import { MINUTE } from '../core/time.ts'
import { fetchPictures } from './pictures.ts'

/** In milliseconds: an enqueued job that is not settled after this time counts as lost by the queue. */
const SWEEP_AFTER = 5 * MINUTE

type ScheduleEnv = Pick<
  Env,
  | 'DATA_KEY'
  | 'WORDPRESS_URL'
  | 'DELETED_LEAD_DAYS'
  | 'LEAD_RETENTION_DAYS'
  | 'APPLICATION_RETENTION_DAYS'
  | 'CONSENT_DETAILS_DAYS'
  | 'CONSENT_RETENTION_DAYS'
>

/** A scheduled task. `run` returns the number of changed items, for the log. */
type Task = [expression: string, name: string, run: () => Promise<number>]

/** Starts the scheduled tasks. Every worker may run them: each task is idempotent. */
export function startSchedule(db: Db, env: ScheduleEnv, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const tasks = scheduledTasks(db, env, { log, signal: stopping.signal }).map(([expression, name, run]) =>
    cron.schedule(
      expression,
      async () => {
        try {
          const count = await run()
          if (count > 0) log.info({ task: name, count }, 'schedule')
        } catch (error) {
          log.warn({ task: name, reason: (error as Error).message }, 'schedule')
        }
      },
      { noOverlap: true },
    ),
  )
  return {
    async stop() {
      stopping.abort()
      await Promise.all(tasks.map((task) => task.destroy()))
    },
  }
}

/** Lists the scheduled tasks. `signal` ends those that call other servers. */
export function scheduledTasks(
  db: Db,
  env: ScheduleEnv,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Task[] {
  const trustedOrigin = env.WORDPRESS_URL && new URL(env.WORDPRESS_URL).origin
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const seal = async (options?: { all: boolean }) => {
    const { count, head } = await consentChain.seal(db, chainKey, options)
    // The log is outside the database: an attacker who removes the end of the chain there cannot remove this line.
    if (count > 0) log.info({ count, head: `${head.seq}:${head.mac}` }, 'consents sealed')
    return 0
  }

  return [
    ['*/10 * * * * *', 'seal-consents', () => seal()],
    ['7 * * * *', 'seal-late-consents', () => seal({ all: true })],
    ['* * * * *', 'sweep', () => dueJobs.sweep(db, SWEEP_AFTER)],
    ['*/10 * * * * *', 'purge-leads', () => purgeDeletedLeads(db, env.DELETED_LEAD_DAYS, personKey)],
    ['* * * * *', 'purge-expired-leads', () => purgeExpiredLeads(db, env.LEAD_RETENTION_DAYS, personKey)],
    [
      '2 * * * *',
      'purge-expired-applications',
      () => purgeExpiredApplications(db, env.APPLICATION_RETENTION_DAYS, personKey),
    ],
    ['* * * * *', 'blank-consents', () => consentChain.blank(db, env.CONSENT_DETAILS_DAYS)],
    ['12 * * * *', 'purge-consents', () => consentChain.purge(db, chainKey, env.CONSENT_RETENTION_DAYS)],
    ['* * * * *', 'compact-counts', () => leadCounts.compact(db)],
    ['*/10 * * * * *', 'index-words', () => leadLists.indexWords(db)],
    ['*/20 * * * * *', 'fetch-pictures', () => fetchPictures(db, { trustedOrigin, signal })],
    ['17 * * * *', 'purge-sessions', () => staffSessions.purge(db)],
    ['22 * * * *', 'purge-pending-sign-ins', () => pendingSignIns.purge(db)],
    ['27 * * * *', 'purge-sign-in-attempts', () => signInAttempts.purge(db)],
    ['37 * * * *', 'purge-match-changes', () => matchChanges.purge(db)],
    ['47 * * * *', 'purge-attempts', () => attempts.purge(db)],
    ['37 3 * * *', 'purge-audit-log', () => auditLog.purge(db)],
    ['43 3 * * *', 'purge-access-log', () => accessLog.purge(db)],
    ['47 3 * * *', 'purge-syncs', () => syncRuns.purge(db)],
    ['52 3 * * *', 'purge-email-confirmations', () => providerEmails.purge(db)],
  ]
}
