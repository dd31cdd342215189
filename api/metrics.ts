import { Gauge } from 'prom-client'
import { CONDITION_IDS, conditionOf } from '../core/conditions/contract/conditions.ts'
import * as alerts from '../core/conditions/stores/alerts.ts'
import { SECOND } from '../core/contract/time.ts'
import * as reports from '../core/insight/stores/reports.ts'
import {
  createStatus,
  type Dependency,
  type GaugeReader,
  inTime,
  registry,
  type Status,
  TROUBLES,
} from '../core/platform/process.ts'
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
const trouble = gauge('leadwell_dependency_trouble', 'Cause of a database or queue outage', ['dependency', 'trouble'])
const jobs = gauge('leadwell_jobs', 'Open jobs: waiting for the relay, retrying later, or enqueued', ['queue', 'state'])
const oldestDue = gauge('leadwell_job_oldest_due_seconds', 'Seconds since the oldest unfinished job became due', [
  'queue',
])
const outboxAge = gauge('leadwell_outbox_age_seconds', 'Seconds that the oldest due job has waited for the relay', [
  'queue',
])
const failed = gauge('leadwell_jobs_failed', 'Jobs that failed permanently within the last week and were not retried', [
  'queue',
  'cause',
])
const conditions = gauge('leadwell_condition', 'Open problems by condition, as of the last minute', ['id', 'severity'])
const leads = gauge('leadwell_leads_last_day', 'Leads of the last 24 hours by how they were matched', ['match'])

const OF_DATABASE = [jobs, oldestDue, outboxAge, failed, leads, conditions]

/** Measures what all processes share. Each API process reports the same, so use the maximum, not the sum. */
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
        for (const { name: queue, waiting, retrying, enqueued, ...ages } of await reports.readBacklog(db)) {
          jobs.set({ queue, state: 'waiting' }, waiting)
          jobs.set({ queue, state: 'retrying' }, retrying)
          jobs.set({ queue, state: 'enqueued' }, enqueued)
          oldestDue.set({ queue }, ages.oldestDue)
          outboxAge.set({ queue }, ages.oldestWaiting)
        }
        for (const { name: queue, cause, count } of await reports.countFailed(db)) failed.set({ queue, cause }, count)
        for (const { match, count } of await reports.countRecentLeads(db)) leads.set({ match }, count)
        const open = await alerts.countOpen(db)
        for (const id of CONDITION_IDS) {
          const { severity, alerts: isAlerted } = conditionOf(id)
          if (isAlerted) conditions.set({ id, severity }, open.get(id) ?? 0)
        }
      })
    },
  ]
}

/** Returns a function that reads gauges. Removes those of a dependency without an answer: they would look current. */
function asker(status: () => Promise<Status>) {
  return async (dependency: Dependency, gauges: Gauge[], read: () => Promise<void>): Promise<void> => {
    const state = status()
    const hasAnswered = await inTime(read(), DEADLINE).then(
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
