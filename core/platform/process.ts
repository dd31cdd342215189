import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { MINUTE, SECOND } from '../contract/time.ts'
import type { Env } from '../env.ts'
import { type Db, only, queryRows } from './db.ts'
import type { Logger } from './log.ts'

/**
 * The metrics of this process. Labels are closed sets of words, never an id, a raw path or a person. No label is named
 * `job` or `instance`, because Prometheus sets these itself and would rename ours.
 */
export const registry = new Registry()

/** Buckets of durations in seconds: from a cached page to the timeout of an outbound call. */
export const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** Sets gauges to their current values. A value that cannot be read is absent; only a programming error throws. */
export type GaugeReader = () => Promise<void>

/**
 * Serves `GET /metrics` in Prometheus's text format on a port of its own, which no proxy passes on. Runs `readings` at
 * each request. `answers` are other paths, which say in JSON whether something is well. Does nothing without
 * `METRICS_PORT`. A taken port ends the process, as for the site.
 * @returns a function that stops the server
 */
export function serveMetrics(
  { METRICS_PORT }: Pick<Env, 'METRICS_PORT'>,
  log: Logger,
  readings: GaugeReader[] = [],
  answers: Record<string, () => Promise<{ isWell: boolean; body: object }>> = {},
): () => Promise<void> {
  if (METRICS_PORT === undefined) return async () => {}

  collectDefaultMetrics({ register: registry })
  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? '']
    if (answer && request.method === 'GET') {
      const { isWell, body } = await answer()
      const headers = { 'content-type': 'application/json' }
      return response.writeHead(isWell ? 200 : 503, headers).end(JSON.stringify(body))
    }
    if (request.url !== '/metrics' || request.method !== 'GET') return response.writeHead(404).end()
    try {
      await Promise.all(readings.map((read) => read()))
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch (error) {
      log.error({ err: error }, 'metrics cannot be read')
      response.writeHead(500).end()
    }
  })
  server.on('error', (error) => {
    log.fatal({ reason: error.message }, 'cannot listen for metrics')
    process.exit(1)
  })
  server.listen(METRICS_PORT, () => log.info(METRICS_PORT, 'metrics ready'))

  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** Supervisors kill after 20 s or more. This is a little shorter, so that the log has a line about it. */
const SHUTDOWN_TIMEOUT = 18 * SECOND

/**
 * Calls `stop` on SIGTERM or SIGINT and exits. Work that is not finished in time is left to other processes.
 * @returns a function that does the same with an exit code, for a process that must be restarted
 */
export function onStopSignal(log: Logger, stop: () => Promise<void>): (code: number) => void {
  let stopping = false
  const end = async (code: number, cause: { signal: NodeJS.Signals } | { code: number }) => {
    if (stopping) return
    stopping = true
    log.info(cause, 'stopping')
    setTimeout(() => {
      log.warn('stopped with unfinished work')
      process.exit(code)
    }, SHUTDOWN_TIMEOUT).unref()

    try {
      await stop()
      log.info('stopped')
    } catch (error) {
      log.error({ err: error }, 'stopped with an error')
    }
    process.exit(code)
  }
  process.on('SIGTERM', (signal) => end(0, { signal }))
  process.on('SIGINT', (signal) => end(0, { signal }))
  return (code) => void end(code, { code })
}

/** Why the database does not do what it was asked for, though the statement is right. */
export type DatabaseTrouble = 'away' | 'read_only' | 'full' | 'busy'

/** By SQLSTATE, or the start of it (PostgreSQL, errcodes-appendix). */
const TROUBLE_CODES: [RegExp, DatabaseTrouble][] = [
  // A demoted primary, a standby, and what managed databases do on a full disk.
  [/^25006$/, 'read_only'],
  // Too many connections, a serialization failure, a deadlock, a lock or an answer that came too late.
  [/^(53300|40001|40P01|55P03|57014)$/, 'busy'],
  // Disk, memory, and limits of the configuration.
  [/^53/, 'full'],
  // Connections, an administrator's shutdown, errors of the system below, and a role or password that is refused.
  [/^(08|57P|58|28)/, 'away'],
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOSPC)$/, 'away'],
]

/** Returns the trouble of the database that an error is about. Returns null for a fault of ours. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string }
  const known = TROUBLE_CODES.find(([codes]) => codes.test(String(code ?? '')))
  if (known) return known[1]
  const isLost =
    name === 'KnexTimeoutError' ||
    /(^| - )(Connection terminated|timeout expired)|timeout exceeded when trying to connect|is not queryable$/.test(
      message ?? '',
    )
  return isLost ? 'away' : null
}

/** What keeps the database or the queue from working although the process is well. */
export const TROUBLES = {
  database: {
    away: 'The database cannot be reached. Forms are refused.',
    read_only: 'The database is read-only. Forms are refused.',
    full: 'The database has no room left. Forms are refused.',
  },
  queue: {
    away: 'Redis cannot be reached. Leads are taken, and deliveries wait in the ledger.',
    replica: 'Redis is a read-only replica. Leads are taken, and nothing is delivered.',
    full: 'Redis is full. Leads are taken, and nothing is delivered.',
    cluster: 'Redis is a cluster, on which the queue does not work. Nothing is delivered.',
    refuses: 'Redis takes no writes. Leads are taken, and nothing is delivered.',
  },
} as const
export type Dependency = keyof typeof TROUBLES
type Trouble<Of extends Dependency> = keyof (typeof TROUBLES)[Of]

/** `sentence` is for everybody; `reason` is the server's own text, for operators. */
export type DependencyState<Of extends Dependency = Dependency> =
  | { trouble: null }
  | (Of extends Dependency ? { trouble: Trouble<Of>; sentence: string; reason: string } : never)

export type Status = { database: DependencyState<'database'>; queue: DependencyState<'queue'> }

/** In milliseconds: the time limit of a check. */
const CHECK_TIMEOUT = 3 * SECOND
/** In milliseconds: how long a result counts, so that several monitors cost one check. */
const CHECK_INTERVAL = 5 * SECOND

/**
 * Returns a function that finds out whether the database takes writes and whether Redis takes jobs, and else why not.
 * Never throws.
 */
export function createStatus(db: Db, settings: Pick<Env, 'REDIS_URL'>): () => Promise<Status> {
  return remembered(CHECK_INTERVAL, async () => {
    const [database, queue] = await Promise.all([readDatabaseState(db), readQueueState(settings)])
    return { database, queue }
  })
}

/** Caches a result for some milliseconds. A failure is not cached, so the next call tries again. */
export function remembered<Value>(milliseconds: number, find: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.value
    const asked = { value: find(), until: performance.now() + milliseconds }
    known = asked
    asked.value.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.value
  }
}

/**
 * Reads whether the database takes writes and has room. Sorts more than fits into the memory of a sort, because that takes
 * room on the disk without leaving anything behind.
 */
export async function readDatabaseState(db: Db): Promise<DependencyState<'database'>> {
  try {
    const { isReadOnly } = await inTime(
      db.transaction(async (trx) => {
        await trx.raw(`set local work_mem = '64kB'`)
        return only(
          await queryRows<{ isReadOnly: boolean }>(
            trx,
            `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly",
               (select count(*) from (select n from generate_series(1, 20000) as n order by md5(n::text) offset 1) as sorted)`,
          ),
        )
      }),
      CHECK_TIMEOUT,
    )
    return isReadOnly
      ? troubled('database', 'read_only', 'It is a standby, or was set to be read-only.')
      : { trouble: null }
  } catch (error) {
    const kind = databaseTrouble(error)
    const trouble = kind === 'read_only' || kind === 'full' ? kind : 'away'
    return troubled('database', trouble, (error as Error).message)
  }
}

/** Reads whether Redis takes jobs. A queue on PostgreSQL has the state of the database. */
export async function readQueueState({ REDIS_URL }: Pick<Env, 'REDIS_URL'>): Promise<DependencyState<'queue'>> {
  if (!REDIS_URL) return { trouble: null }
  try {
    return await withRedis(REDIS_URL, async (redis) => {
      const info = await redis.info()
      if (/^cluster_enabled:1/m.test(info)) return troubled('queue', 'cluster', 'cluster_enabled:1')
      if (/^role:(?!master)/m.test(info)) return troubled('queue', 'replica', /^role:.*$/m.exec(info)?.[0] ?? '')
      await redis.set(HEALTH_KEY, '1', 'EX', MINUTE / SECOND)
      return { trouble: null }
    })
  } catch (error) {
    const { message } = error as Error
    const [, code = ''] = /^([A-Z]{3,}) /.exec(message) ?? []
    const trouble = WRITE_ERRORS[code] ?? 'away'
    return troubled('queue', trouble, message)
  }
}

const HEALTH_KEY = 'leadwell:health'
/** The errors with which Redis refuses a write, by their first word. */
const WRITE_ERRORS: Record<string, Trouble<'queue'>> = {
  OOM: 'full',
  READONLY: 'replica',
  MISCONF: 'refuses',
  NOREPLICAS: 'refuses',
  LOADING: 'away',
  CROSSSLOT: 'cluster',
  MOVED: 'cluster',
  CLUSTERDOWN: 'cluster',
}

const CLUSTER =
  'REDIS_URL is a Redis Cluster, on which the queue does not work: nothing would ever be delivered. Use a single Redis, with a replica if you like.'

/** Ends the process with a sentence where Redis is a cluster. Goes on where it is away. */
export async function refuseCluster(settings: Pick<Env, 'REDIS_URL'>): Promise<void> {
  const { trouble } = await readQueueState(settings)
  if (trouble !== 'cluster') return
  console.error(CLUSTER)
  process.exit(78)
}

function troubled<Of extends Dependency>(of: Of, trouble: Trouble<Of>, reason: string): DependencyState<Of> {
  const sentence = (TROUBLES[of] as Record<Trouble<Of>, string>)[trouble]
  return { trouble, sentence, reason } as DependencyState<Of>
}

async function withRedis<Value>(url: string, use: (redis: Redis) => Promise<Value>): Promise<Value> {
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: CHECK_TIMEOUT,
    connectTimeout: CHECK_TIMEOUT,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The first error of a connection says more than the one of the call.
  let cause: Error | undefined
  redis.on('error', (error) => {
    cause ??= error
  })
  try {
    return await inTime(
      redis.connect().then(() => use(redis)),
      CHECK_TIMEOUT,
    )
  } catch (error) {
    throw cause ?? error
  } finally {
    redis.disconnect()
  }
}

/** @throws Error when the answer takes longer than so many milliseconds */
export async function inTime<Value>(answer: Promise<Value>, timeout: number): Promise<Value> {
  const late = sleep(timeout, undefined, { ref: false }).then(() => {
    throw new Error(`There was no answer within ${timeout / SECOND} seconds.`)
  })
  late.catch(() => {})
  answer.catch(() => {})
  return Promise.race([answer, late])
}

/** In milliseconds: how often the log looks for a trouble. Less than a minute, within which it must be there. */
const WATCH_INTERVAL = 15 * SECOND

/**
 * Logs what keeps the database or the queue from working: at once, each minute as long as it lasts, and once when it has
 * ended. Returns a function that stops it.
 */
export function watchStatus(
  status: () => Promise<Status>,
  log: Logger,
  { interval = WATCH_INTERVAL, repeat = MINUTE } = {},
): () => void {
  const last: Partial<Record<Dependency, { trouble: string; at: number }>> = {}
  const look = async () => {
    for (const [name, state] of Object.entries(await status()) as [Dependency, DependencyState][]) {
      const known = last[name]
      if (state.trouble === null) {
        if (known) log.info({ dependency: name }, `the ${name} works again`)
        delete last[name]
      } else if (known?.trouble !== state.trouble || performance.now() - known.at >= repeat - interval / 2) {
        last[name] = { trouble: state.trouble, at: performance.now() }
        log.error({ dependency: name, trouble: state.trouble, reason: state.reason }, state.sentence)
      }
    }
  }
  const timer = setInterval(look, interval)
  void look()
  return () => clearInterval(timer)
}
