import { setTimeout as sleep } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { SECOND } from '../contract/time.ts'
import type { Logger } from './log.ts'

type Callback = (error: Error | null, result: pg.QueryResult) => void
export type Created = (error: Error | null, connection: pg.Client) => void

/**
 * Makes a pool drop silent connections. A live server ends a slow statement (`statement_timeout`), but a dead host sends
 * nothing, and TCP waits a quarter of an hour for it.
 *
 * Cuts a connection whose query had no answer for `deadline` milliseconds, which fails the query as TCP would
 * (`ETIMEDOUT`). pg's own `query_timeout` would leave the connection in the pool, busy forever. Other connections that
 * have been silent since that query was sent are not used again either, because they have probably died with it.
 *
 * @returns the hooks of knex's pool for a new connection, and for one that is handed out
 */
function queryDeadline(deadline: number) {
  /** The time of the last data on each connection, by `performance.now()`. */
  const heard = new WeakMap<pg.Client, number>()
  /** The time at which the last query without an answer was sent. */
  let silentSince = 0

  const afterCreate = (connection: pg.Client, created: Created): void => {
    const hear = () => heard.set(connection, performance.now())
    const ask: (...args: unknown[]) => Promise<unknown> = connection.query.bind(connection)
    const query = (...args: unknown[]): Promise<unknown> => {
      const sent = performance.now()
      const timer = setTimeout(() => {
        silentSince = Math.max(silentSince, sent)
        cut(connection, noAnswer(deadline))
      }, deadline)
      const answered = () => {
        clearTimeout(timer)
        hear()
      }

      // knex passes a callback; other users of a connection expect a promise.
      const callback = args.at(-1)
      if (typeof callback !== 'function') {
        const answer = ask(...args)
        answer.then(answered, answered)
        return answer
      }
      const whenAnswered: Callback = (error, result) => {
        answered()
        callback(error, result)
      }
      return ask(...args.slice(0, -1), whenAnswered)
    }
    hear()
    created(null, Object.assign(connection, { query }))
  }

  const validate = (connection: pg.Client): boolean => {
    const isTrusted = Number(heard.get(connection)) >= silentSince
    // A regular end would wait for an answer as well.
    if (!isTrusted) cut(connection)
    return isTrusted
  }

  return { afterCreate, validate }
}

function cut({ connection }: pg.Client, error?: Error): void {
  connection.stream.destroy(error)
}

/** Makes the error of a connection that TCP has given up. */
function noAnswer(deadline: number): Error {
  const message = `The database has not answered within ${deadline / SECOND} seconds.`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/** A connection pool or a transaction on it: every store function takes either. */
export type Db = Knex
export type Transaction = Knex.Transaction
export type MigrationSource = Knex.MigrationSource<string>

const ignore = () => {}

const NO_DEADLINE = { afterCreate: (connection: pg.Client, created: Created) => created(null, connection) }

/** The time without traffic after which TCP probes the other end, ten times, a second apart. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10 * SECOND }

/**
 * Opens a connection pool. It connects on first use, so this does not fail when the database is unreachable. All limits
 * are in milliseconds.
 * @param options.statementTimeout the limit of a statement; 0 for none
 * @param options.grace the extra time before a silent connection is cut, so that PostgreSQL ends the statement first
 * @param options.connectTimeout the limit for a connection to open, or to become free
 * @param options.idleTransactionTimeout the time without statements after which PostgreSQL ends a transaction
 * @param options.onConnect checks each new connection, which is not used when it fails
 */
export function openDb(
  connectionString: string,
  {
    poolSize = 10,
    name = 'leadwell',
    statementTimeout = 15 * SECOND,
    grace = 2 * SECOND,
    connectTimeout = 5 * SECOND,
    idleTransactionTimeout = 20 * SECOND,
    onConnect = undefined as ((connection: pg.Client) => Promise<void>) | undefined,
  } = {},
): Db {
  const { afterCreate, ...deadline } = statementTimeout > 0 ? queryDeadline(statementTimeout + grace) : NO_DEADLINE
  return knex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: name,
      connectionTimeoutMillis: connectTimeout,
      // pg does not send a zero, and the role or the database may have a limit of its own.
      ...(statementTimeout > 0 ? { statement_timeout: statementTimeout } : { options: '-c statement_timeout=0' }),
      // Without this, a transaction of a lost host keeps its locks until TCP notices, hours later.
      idle_in_transaction_session_timeout: idleTransactionTimeout,
      ...KEEP_ALIVE,
    },
    pool: {
      min: 0,
      max: poolSize,
      // `connectionTimeoutMillis` limits connecting, but not the first query of knex on a new connection.
      createTimeoutMillis: connectTimeout + 5 * SECOND,
      ...deadline,
      afterCreate: (connection: pg.Client, created: Created) =>
        afterCreate(connection, (error) => {
          if (error || !onConnect) return created(error, connection)
          onConnect(connection).then(
            () => created(null, connection),
            (refused: Error) => {
              connection.end().catch(ignore)
              created(refused, connection)
            },
          )
        }),
    },
    acquireConnectionTimeout: connectTimeout,
    // knex also throws what it would print here.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  })
}

/**
 * Opens a pool of one connection like those of `db`, for session-level state: locks and settings.
 * @param settings run-time parameters of PostgreSQL that pg passes on, `lock_timeout` for instance
 */
export function openSession(db: Db, settings: pg.ClientConfig): Db {
  const { connection, pool, ...config } = db.client.config
  return knex({ ...config, connection: { ...connection, ...settings }, pool: { ...pool, max: 1 } })
}

/**
 * Runs SQL and returns its rows. The compiler cannot compare `Row` with the SQL. Build `Row` from the types of the tables
 * (`core/tables/table.ts`), so that a renamed column is a compile error.
 * @param bindings values for each `?`, or by name for each `:name`
 * @param options.name makes it a prepared statement
 */
export async function queryRows<Row>(
  db: Db,
  sql: string,
  bindings: readonly unknown[] | Record<string, unknown> = [],
  options: { name?: string } = {},
): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings as Knex.RawBinding[]).options(options)
  return rows
}

/** SQL with a value for each `?`. */
export type Query = [sql: string, bindings: readonly unknown[]]

/** Runs several queries in one round trip, as a prepared statement. The values of their rows are as JSON has them. */
export async function queryTogether<Rows extends Record<string, unknown>>(
  db: Db,
  queries: { [Name in keyof Rows]: Query },
  options: { name: string },
): Promise<{ [Name in keyof Rows]: Rows[Name][] }> {
  const all: [string, Query][] = Object.entries(queries)
  const columns = all.map(([name, [sql]]) => `(select coalesce(json_agg(row), '[]') from (${sql}) row) as "${name}"`)
  const bindings = all.flatMap(([, [, values]]) => values)
  return only(await queryRows<{ [Name in keyof Rows]: Rows[Name][] }>(db, `select ${columns}`, bindings, options))
}

/** Returns the row of a statement that always has one, such as an aggregate. @throws Error without one */
export function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement that returns a row has returned none')
  return row
}

export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  return Number(only(await query.count<{ total: string }[]>({ total: '*' })).total)
}

/** Makes a connection for `LISTEN`, outside the pool. The caller connects and ends it. */
export function listenClient(connectionString: string): pg.Client {
  return new pg.Client({
    connectionString,
    application_name: 'leadwell-listen',
    connectionTimeoutMillis: 5 * SECOND,
    query_timeout: 5 * SECOND,
    ...KEEP_ALIVE,
  })
}

/** Returns whether an error may be caused by the values of a statement: SQLSTATE classes 22 and 23 (errcodes-appendix). */
export function isDataError({ code }: Error & { code?: unknown }): boolean {
  return /^2[23]/.test(String(code))
}

/** The delay before the first reconnect. Each further delay is twice as long. */
const MIN_RECONNECT_DELAY = SECOND / 4
const MAX_RECONNECT_DELAY = 5 * SECOND
/** The interval of test queries: a connection that the network dropped silently reports nothing by itself. */
const TRIAL_INTERVAL = 15 * SECOND

type Listening = {
  /** The handlers of notifications, by channel. */
  channels: Record<string, (payload: string) => void>
  /** Called after each connect: earlier notifications may be lost. */
  onListening?: () => void
  log: Logger
}

/** Listens for notifications on a connection of its own, and reconnects by itself. Returns a function that stops it. */
export function listen(databaseUrl: string, listening: Listening): () => Promise<void> {
  let client: pg.Client | undefined
  const ended = new AbortController()

  const run = async () => {
    for (let pause = MIN_RECONNECT_DELAY; !ended.signal.aborted; pause = Math.min(2 * pause, MAX_RECONNECT_DELAY)) {
      client = listenClient(databaseUrl)
      try {
        await listenOn(client, listening, () => {
          pause = MIN_RECONNECT_DELAY
        })
      } catch (error) {
        listening.log.debug({ reason: (error as Error).message }, 'cannot listen')
      }
      await client.end().catch(() => {})
      await sleep(pause, null, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = run()

  return async () => {
    ended.abort()
    await client?.end().catch(() => {})
    await running
  }
}

/** Resolves when the connection is lost. */
async function listenOn(client: pg.Client, { channels, onListening }: Listening, onConnected: () => void) {
  const lost = new Promise<void>((resolve) => {
    // A lost connection emits several errors, and an error without a listener ends the process.
    client.on('error', () => resolve())
    client.once('end', () => resolve())
  })
  await client.connect()
  client.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload))
  for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`)
  onConnected()
  onListening?.()

  const failed = new Promise<never>((_, reject) => {
    const trial = setInterval(() => client.query('select 1').catch(reject), TRIAL_INTERVAL)
    lost.then(() => clearInterval(trial))
  })
  await Promise.race([lost, failed])
}

type Entry<Item, Result> = {
  item: Item
  came: number
  resolve: (result: Result | Promise<Result>) => void
  reject: (error: unknown) => void
}

/**
 * Groups single calls into batches of up to `size` items. At most `atOnce` batches run at once; calls made meanwhile
 * form the next batch. A single call waits `linger` milliseconds at most for others.
 *
 * `run` returns one result or promise per item, in their order; the batch has ended when `run` has, and does not wait for the
 * promises. A batch that fails as a whole fails each of its items, so that an outage does not multiply work;
 * but where `isAboutOne` says that one item may have caused the error, the items run again one after the other.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  { size = 50, atOnce = 1, linger = 0, isAboutOne = (_: Error): boolean => false } = {},
): (item: Item) => Promise<Result> {
  let waiting: Entry<Item, Result>[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const runBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, position) => {
        resolve(results[position] as Result | Promise<Result>)
      })
    } catch (error) {
      if (batch.length > 1 && isAboutOne(error as Error)) for (const entry of batch) await runBatch([entry])
      else for (const { reject } of batch) reject(error)
    }
  }

  const startNext = (): void => {
    clearTimeout(timer)
    const [first] = waiting
    if (!first || running === atOnce) return
    const rest = first.came + linger - performance.now()
    if (waiting.length < size && rest > 0) {
      timer = setTimeout(startNext, rest)
      return
    }
    const batch = waiting.slice(0, size)
    waiting = waiting.slice(size)
    running += 1
    runBatch(batch).finally(() => {
      running -= 1
      startNext()
    })
    startNext()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, came: performance.now(), resolve, reject })
      startNext()
    })
}
