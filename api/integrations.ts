import { listFound } from '../core/conditions/conditions.ts'
import type { Integrations, Sending, SendingId, SendingPause } from '../core/conditions/contract/integrations.ts'
import * as health from '../core/conditions/stores/health.ts'
import { maskText } from '../core/contract/texts.ts'
import { DAY, SECOND } from '../core/contract/time.ts'
import { JobName } from '../core/deliveries/contract/jobs.ts'
import { countFailedByName } from '../core/deliveries/stores/failed-jobs.ts'
import * as sending from '../core/deliveries/stores/sending.ts'
import * as sendingPauses from '../core/deliveries/stores/sending-pauses.ts'
import { JOB_OF } from '../core/deliveries/stores/sending-pauses.ts'
import { type DependencyState, inTime, type Status } from '../core/platform/process.ts'
import { nextTime } from '../core/sync/rules/sync-approval.ts'
import * as syncRuns from '../core/sync/stores/sync-runs.ts'
import type { Services } from './services.ts'

/** In milliseconds: how long the answer waits for the queue. */
const QUEUE_TIMEOUT = 1.5 * SECOND
/** In milliseconds: failures before that are not offered for a retry. As far back as the dialog of all failures goes. */
const RETRYABLE = 30 * DAY

/** `status` says whether the database takes writes and the queue takes jobs. */
type Read = Services & { status: () => Promise<Status> }

type Options = {
  /** Whether email addresses and phone numbers in the texts of receivers are masked. */
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
  const found = await listFound(db, ['sync', 'sending', 'worker'], { env, now: new Date() })
  const failed = await countFailedByName(db, { since })
  const options = { pauses, found, failed, since, masks }
  const crm = await readSending(services, 'crm', { isSetUp: env.CRM_KIND !== 'none', ...options })
  const mail = await readSending(services, 'mail', { isSetUp: true, ...options })
  const [wordpress, queue, workers] = await Promise.all([
    readSync(services, found),
    readQueue(services, failed),
    readWorkers(services),
  ])
  return { crm: { ...crm, kind: env.CRM_KIND }, mail, wordpress, queue, workers, database }
}

type Wrong = Awaited<ReturnType<typeof listFound>>
/** The numbers of jobs that failed permanently, by their kind. */
type Failed = Map<string, number>
type SendingOptions = Options & {
  isSetUp: boolean
  pauses: SendingPause[]
  found: Wrong
  failed: Failed
  since: string
}

async function readSending({ db }: Services, of: SendingId, options: SendingOptions): Promise<Sending> {
  const { isSetUp, pauses, found, failed, since, masks } = options
  const [attempted, open] = await Promise.all([sending.readAttempted(db, of), sending.readOpen(db, of)])
  const total = failed.get(JOB_OF[of]) ?? 0
  const pause = pauses.find(({ integration }) => integration === of) ?? null
  const late = found.find(({ kind, subject }) => kind === 'worker' && subject === `queue ${JOB_OF[of]}`)
  const failing = found.find(({ kind, subject }) => kind === 'sending' && subject === of)
  const standing = (): Pick<Sending, 'state' | 'note'> => {
    if (!isSetUp) return { state: 'not_set_up', note: 'No CRM is connected. Set CRM_KIND to connect one.' }
    if (pause) return { state: 'paused', note: null }
    if (late) return { state: 'silent', note: 'Deliveries are overdue and no worker is picking them up.' }
    if (failing)
      return { state: 'failing', note: 'All recent attempts failed. If this continues, sending pauses automatically.' }
    const isRetrying = open.retrying > 0
    return {
      state: isRetrying ? 'retrying' : 'working',
      note: isRetrying ? 'Some deliveries are failing and being retried.' : null,
    }
  }
  const { last_failure: failure } = attempted
  const detail = masks && failure?.detail ? maskText(failure.detail) : failure?.detail
  return {
    ...{ ...standing(), pause, ...attempted, ...open, failed: { total, since } },
    last_failure: failure && { ...failure, detail: detail ?? null },
  }
}

const SYNC_STATES = { failed: 'failing', overdue: 'silent', approval: 'paused' } as const

async function readSync({ db, env }: Services, found: Wrong): Promise<Integrations['wordpress']> {
  const [{ lastSuccessAt }, { lastFailure, ...recent }] = await Promise.all([syncRuns.status(db), health.readSyncs(db)])
  const { WORDPRESS_URL: url, WORDPRESS_SYNC_CRON: schedule, NETWORK_TIME_ZONE: timeZone } = env
  const wrong = found.find(({ kind }) => kind === 'sync')
  const standing = (): Pick<Integrations['wordpress'], 'state' | 'note'> => {
    if (!url) return { state: 'not_set_up', note: 'No WordPress is connected. Set WORDPRESS_URL to connect one.' }
    if (wrong) {
      const trouble = wrong.subject.split(':')[0] as keyof typeof SYNC_STATES
      return { state: SYNC_STATES[trouble], note: `${wrong.title}. ${wrong.words}` }
    }
    if (lastSuccessAt) return { state: 'working', note: null }
    return { state: 'unused', note: 'Start the first sync by hand. The schedule begins after it.' }
  }
  return {
    ...{ ...standing(), ...recent },
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    last_failure: lastFailure && { at: lastFailure.at.toISOString(), error: lastFailure.error, detail: null },
    next_at: url && schedule && lastSuccessAt ? nextTime(schedule, new Date(), timeZone).toISOString() : null,
  }
}

async function readQueue({ env, queues: { all }, status }: Read, failed: Failed): Promise<Integrations['queue']> {
  const [{ queue }, queues] = await Promise.all([
    status(),
    inTime(Promise.all(all.map((each) => readJobs(each, failed))), QUEUE_TIMEOUT).catch(() => null),
  ])
  const isAway = queues === null || queue.trouble !== null
  const away = isAway ? 'The queue does not answer. Nothing is lost: deliveries wait in the ledger.' : null
  return {
    state: isAway ? 'failing' : 'working',
    note: sentenceOf(queue) ?? away,
    backend: env.REDIS_URL ? 'Redis' : 'PostgreSQL',
    queues,
  }
}

type Queued = NonNullable<Integrations['queue']['queues']>[number]

async function readJobs(queue: Services['queues']['all'][number], failed: Failed): Promise<Queued> {
  const [counts, oldest, is_paused] = await Promise.all([
    queue.getJobCounts(),
    queue.getWaiting(0, 0),
    queue.isPaused(),
  ])
  const sum = (...states: string[]) => states.reduce((total, state) => total + (counts[state] ?? 0), 0)
  return {
    name: JobName.parse(queue.name),
    ...{ waiting: sum('waiting', 'wait', 'prioritized', 'paused'), active: sum('active'), delayed: sum('delayed') },
    failed: failed.get(queue.name) ?? 0,
    oldest_waiting_at: oldest[0] ? new Date(oldest[0].timestamp).toISOString() : null,
    is_paused,
  }
}

const NO_WORKER = 'No worker is running. Leads are saved, but nothing is delivered until you start one.'

async function readWorkers({ db }: Services): Promise<Integrations['workers']> {
  const { running, lastSeen, runningSince } = await health.read(db)
  return {
    ...(running > 0 ? { state: 'working', note: null } : { state: 'silent', note: NO_WORKER }),
    running,
    last_seen_at: lastSeen?.toISOString() ?? null,
    running_since: runningSince?.toISOString() ?? null,
  }
}

/** In milliseconds: a healthy database answers a short query in a few. */
const SLOW_ANSWER = 500
/** The share of the connections that may be open. */
const NEARLY_FULL = 0.9
/** In seconds: no statement of ours may take so long. */
const LONG_TRANSACTION = 60

async function readDatabase({ db, status }: Read): Promise<Integrations['database']> {
  const facts = await health.readDatabase(db)
  const { database } = await status()
  const { answer_ms, connections, max_connections, longest_transaction } = facts
  const isFull = connections >= NEARLY_FULL * max_connections
  const isSlow = answer_ms > SLOW_ANSWER || isFull || longest_transaction > LONG_TRANSACTION
  const slow = isSlow ? 'It responds slowly, is running out of connections, or has a very long transaction.' : null
  const state = database.trouble !== null ? 'failing' : isSlow ? 'slow' : 'working'
  return { state, note: sentenceOf(database) ?? slow, ...facts }
}

const sentenceOf = (state: DependencyState) => (state.trouble === null ? null : state.sentence)
