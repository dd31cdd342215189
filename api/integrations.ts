import { setTimeout as sleep } from 'node:timers/promises'
import type { Integrations, Sending, SendingId, SendingPause } from '../core/contract/integrations.ts'
import { maskText } from '../core/contract/masking.ts'
import type { DependencyState, Status } from '../core/platform/dependencies.ts'
import { databaseState, HEARTBEAT_TIMEOUT, sendingState, syncState } from '../core/rules/integration-states.ts'
import { isOverdue, nextTime } from '../core/rules/sync-schedule.ts'
import { countFailed } from '../core/stores/failed-jobs.ts'
import * as health from '../core/stores/health.ts'
import * as sending from '../core/stores/sending.ts'
import * as sendingPauses from '../core/stores/sending-pauses.ts'
import { JOB_OF } from '../core/stores/sending-pauses.ts'
import * as syncRuns from '../core/stores/sync-runs.ts'
import * as workerHeartbeats from '../core/stores/worker-heartbeats.ts'
import { DAY, SECOND } from '../core/time.ts'
import type { Services } from './services.ts'

/** In milliseconds: how long the answer waits for the queue. */
const QUEUE_TIMEOUT = 1.5 * SECOND
/** In milliseconds: failures before that are not offered for a retry. As far back as the dialog of all failures goes. */
const RETRYABLE = 30 * DAY

/** `status` says whether the database takes writes and the queue takes jobs. */
type Read = Services & { status: () => Promise<Status> }

type Options = {
  /** Whether e-mail addresses and phone numbers in the texts of other sides are masked. */
  masks: boolean
}

/** Reads the health of every integration. @throws Error when the database cannot be read */
export async function readIntegrations(services: Read, { masks }: Options): Promise<Integrations> {
  const { db, env } = services
  const since = new Date(Date.now() - RETRYABLE).toISOString()
  // First and alone, because queries that wait for a connection of this process would count as a slow database. The others go
  // in three steps, so that an open dashboard leaves connections to the forms of visitors.
  const database = await readDatabase(services)
  const pauses = await sendingPauses.list(db)
  const crm = await readSending(services, 'crm', { isSetUp: env.CRM_KIND !== 'none', pauses, since, masks })
  const mail = await readSending(services, 'mail', { isSetUp: true, pauses, since, masks })
  const [wordpress, queue, workers] = await Promise.all([
    readSync(services),
    readQueue(services, since),
    readWorkers(services),
  ])
  return { crm: { ...crm, kind: env.CRM_KIND }, mail, wordpress, queue, workers, database }
}

type SendingOptions = Options & { isSetUp: boolean; pauses: SendingPause[]; since: string }

async function readSending({ db }: Services, of: SendingId, options: SendingOptions): Promise<Sending> {
  const { isSetUp, pauses, since, masks } = options
  const [attempted, streak, { oldestDue, ...open }, total] = await Promise.all([
    sending.readAttempted(db, of),
    sending.readFaults(db, of),
    sending.readOpen(db, of),
    countFailed(db, { name: JOB_OF[of], since }),
  ])
  const pause = pauses.find(({ integration }) => integration === of) ?? null
  const state = sendingState({ isSetUp, isPaused: pause !== null, streak, retrying: open.retrying, oldestDue })
  const { last_failure: failure } = attempted
  const detail = masks && failure?.detail ? maskText(failure.detail) : failure?.detail
  return {
    ...{ state, pause, ...attempted, ...open, failed: { total, since } },
    last_failure: failure && { ...failure, detail: detail ?? null },
  }
}

async function readSync({ db, env }: Services): Promise<Integrations['wordpress']> {
  const [{ lastSuccessAt, needsApproval }, { lastFailure, ...recent }] = await Promise.all([
    syncRuns.status(db),
    health.readSyncs(db),
  ])
  const { WORDPRESS_URL: url, WORDPRESS_SYNC_CRON: schedule, NETWORK_TIME_ZONE: timeZone } = env
  const isLate = schedule !== undefined && isOverdue(schedule, lastSuccessAt, new Date(), timeZone)
  const facts = { isSetUp: url !== undefined, isOverdue: isLate, lastSuccess: lastSuccessAt }
  return {
    state: syncState({ ...facts, lastFailure: lastFailure?.at ?? null }),
    ...recent,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    last_failure: lastFailure && { at: lastFailure.at.toISOString(), error: lastFailure.error, detail: null },
    needs_approval: needsApproval !== null,
    next_at: url && schedule && lastSuccessAt ? nextTime(schedule, new Date(), timeZone).toISOString() : null,
  }
}

async function readQueue({ db, env, queues, status }: Read, since: string): Promise<Integrations['queue']> {
  const [{ queue }, jobs, open, failed] = await Promise.all([
    status(),
    countQueued(queues.all),
    health.countOpen(db),
    countFailed(db, { since }),
  ])
  const backend = env.REDIS_URL ? 'Redis' : 'PostgreSQL'
  const state = jobs === null || queue.trouble !== null ? 'failing' : 'working'
  return { state, trouble: sentenceOf(queue), backend, jobs, ledger: { ...open, failed } }
}

/** Counts the jobs that the queue has. Returns null if it does not answer in time. */
async function countQueued(queues: Services['queues']['all']): Promise<Integrations['queue']['jobs']> {
  const late = sleep(QUEUE_TIMEOUT, null, { ref: false })
  const counted = Promise.all(queues.map((queue) => queue.getJobCounts())).catch(() => null)
  const all = await Promise.race([counted, late])
  if (all === null) return null
  const sum = (...states: string[]) =>
    all.reduce((total, counts) => states.reduce((part, state) => part + (counts[state] ?? 0), total), 0)
  return { waiting: sum('waiting', 'wait', 'prioritized', 'paused'), active: sum('active'), delayed: sum('delayed') }
}

async function readWorkers({ db }: Services): Promise<Integrations['workers']> {
  const { running, lastSeen, runningSince } = await workerHeartbeats.read(db, HEARTBEAT_TIMEOUT)
  return {
    ...{ state: running > 0 ? 'working' : 'silent', running },
    last_seen_at: lastSeen?.toISOString() ?? null,
    running_since: runningSince?.toISOString() ?? null,
  }
}

async function readDatabase({ db, status }: Read): Promise<Integrations['database']> {
  const facts = await health.readDatabase(db)
  const { database } = await status()
  return {
    state: database.trouble === null ? databaseState(facts) : 'failing',
    trouble: sentenceOf(database),
    ...facts,
  }
}

const sentenceOf = (state: DependencyState) => (state.trouble === null ? null : state.sentence)
