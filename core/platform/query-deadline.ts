import type pg from 'pg'
import { SECOND } from '../time.ts'

type Callback = (error: Error | null, result: pg.QueryResult) => void
export type Created = (error: Error | null, connection: pg.Client) => void

/**
 * Makes a pool drop silent connections. A live server ends a slow statement (`statement_timeout`), but a dead host sends
 * nothing, and TCP waits a quarter of an hour for it.
 *
 * Cuts a connection whose query had no answer for `deadline` milliseconds, which fails the query as TCP would
 * (`ETIMEDOUT`). pg's own `query_timeout` would leave the connection in the pool, busy for good. Other connections that
 * have been silent since that query was sent are not used again either, because they have probably died with it.
 *
 * @returns the hooks of knex's pool for a new connection, and for one that is handed out
 */
export function queryDeadline(deadline: number) {
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
