import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { SendingId, SendingPause } from '../core/contract/integrations.ts'
import { createStatus, type Dependency, type Status, TROUBLES } from '../core/platform/dependencies.ts'
import { type GaugeReader, registry } from '../core/platform/metrics.ts'
import { isOverdue } from '../core/rules/sync-schedule.ts'
import * as clinicOptOuts from '../core/stores/clinic-opt-outs.ts'
import * as crmCursors from '../core/stores/crm-cursors.ts'
import * as metrics from '../core/stores/metrics.ts'
import * as sendingPauses from '../core/stores/sending-pauses.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import { SECOND } from '../core/time.ts'
import type { Services } from './services.ts'

/** Shorter than the ten seconds after which Prometheus drops the whole answer. */
const DEADLINE = 5 * SECOND

const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
  new Gauge({ name, help, labelNames, registers: [registry] })

/** BullMQ's own name for it (its `exportPrometheusMetrics`, which writes one queue at a time). */
const queueCounts = gauge('bullmq_job_count', 'Number of jobs in the queue by state', ['queue', 'state'])
const isUp = gauge('leadwell_dependency_up', 'Whether the database takes writes and the queue takes jobs', [
  'dependency',
])
const trouble = gauge('leadwell_dependency_trouble', 'What keeps the database or the queue from working', [
  'dependency',
  'trouble',
])
const jobs = gauge('leadwell_jobs', 'Open jobs: waiting for the relay, retrying later, or enqueued', ['queue', 'state'])
const oldestDue = gauge('leadwell_job_oldest_due_seconds', 'How long the oldest job that is not done has been due', [
  'queue',
])
const outboxAge = gauge(
  'leadwell_outbox_age_seconds',
  'How long the oldest due job has waited for the relay to hand it to the queue',
  ['queue'],
)
const failed = gauge('leadwell_jobs_failed', 'Jobs that failed for good within the last week and were not retried', [
  'queue',
  'cause',
])
const syncAge = gauge('leadwell_provider_sync_age_seconds', 'Time since a provider sync was last applied', ['source'])
const syncOverdue = gauge(
  'leadwell_provider_sync_overdue',
  'Whether two syncs of the schedule were missed, or none was ever applied',
  ['source'],
)
const syncWaits = gauge('leadwell_provider_sync_needs_approval', 'Whether the last sync waits for staff', ['source'])
const optOutsOverdue = gauge(
  'leadwell_opt_outs_overdue',
  'Clinics that have not confirmed in time that they stopped contacting a person',
  [],
)
const outcomesFailing = gauge(
  'leadwell_crm_outcomes_failing_seconds',
  'How long the CRM could not be asked what became of leads; 0 where it could',
  ['source'],
)
const sendingPaused = gauge('leadwell_sending_paused', 'Whether sending to the integration is paused, and by whom', [
  'integration',
  'kind',
])
const leads = gauge('leadwell_leads_last_day', 'Leads of the last 24 hours by how they were matched', ['match'])

const OF_SYNC = [syncAge, syncOverdue, syncWaits]
const OF_DATABASE = [
  jobs,
  oldestDue,
  outboxAge,
  failed,
  leads,
  optOutsOverdue,
  outcomesFailing,
  sendingPaused,
  ...OF_SYNC,
]

/**
 * Measures the state that all processes share: the queue and the ledger. Each API process reports the same, so use the
 * maximum, not the sum.
 */
export function sharedState({
  env,
  db,
  queues,
  status = createStatus(db, env),
}: Pick<Services, 'env' | 'db' | 'queues'> & { status?: () => Promise<Status> }): GaugeReader[] {
  const ask = asker(status)
  return [
    async () => {
      await ask('queue', [queueCounts], async () => {
        for (const queue of queues.all) {
          const counts = await queue.getJobCounts()
          for (const [state, count] of Object.entries(counts)) queueCounts.set({ queue: queue.name, state }, count)
        }
      })
    },
    async () => {
      await ask('database', OF_DATABASE, async () => {
        for (const { name: queue, waiting, retrying, enqueued, ...ages } of await metrics.readBacklog(db)) {
          jobs.set({ queue, state: 'waiting' }, waiting)
          jobs.set({ queue, state: 'retrying' }, retrying)
          jobs.set({ queue, state: 'enqueued' }, enqueued)
          oldestDue.set({ queue }, ages.oldestDue)
          outboxAge.set({ queue }, ages.oldestWaiting)
        }
        for (const { name: queue, cause, count } of await metrics.countFailed(db)) failed.set({ queue, cause }, count)
        for (const { match, count } of await metrics.countRecentLeads(db)) leads.set({ match }, count)
        optOutsOverdue.set(await clinicOptOuts.countOverdue(db))
        for (const { source, seconds } of await crmCursors.listFailing(db)) outcomesFailing.set({ source }, seconds)
        setPauses(await sendingPauses.list(db))
        setSync(await syncRuns.status(db), env)
      })
    },
  ]
}

/** Includes zeros. */
function setPauses(pauses: SendingPause[]): void {
  for (const integration of SendingId.options) {
    for (const kind of SendingPause.shape.kind.options) {
      const isPaused = pauses.some((pause) => pause.integration === integration && pause.kind === kind)
      sendingPaused.set({ integration, kind }, Number(isPaused))
    }
  }
}

/** Sets no age before the first sync. */
function setSync(
  { lastSuccessAt, needsApproval }: Awaited<ReturnType<typeof syncRuns.status>>,
  { WORDPRESS_URL: url, WORDPRESS_SYNC_CRON: schedule, NETWORK_TIME_ZONE: timeZone }: Services['env'],
): void {
  const source = { source: 'wordpress' }
  if (!url) return
  if (lastSuccessAt) syncAge.set(source, (Date.now() - lastSuccessAt.getTime()) / SECOND)
  syncOverdue.set(source, Number(schedule !== undefined && isOverdue(schedule, lastSuccessAt, new Date(), timeZone)))
  syncWaits.set(source, Number(needsApproval !== null))
}

/**
 * Returns a function that reads gauges of a dependency and sets whether it works. Removes the values of one that does not
 * answer, because old values would look current.
 */
function asker(status: () => Promise<Status>) {
  return async (dependency: Dependency, gauges: Gauge[], read: () => Promise<void>): Promise<void> => {
    const late = sleep(DEADLINE, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
    late.catch(() => {})
    const state = status()
    const hasAnswered = await Promise.race([read(), late]).then(
      () => true,
      () => false,
    )
    if (!hasAnswered) for (const gauge of gauges) gauge.reset()
    const { trouble: found } = (await state)[dependency]
    for (const name of Object.keys(TROUBLES[dependency])) {
      trouble.set({ dependency, trouble: name }, Number(name === found))
    }
    isUp.set({ dependency }, Number(hasAnswered && found === null))
  }
}
