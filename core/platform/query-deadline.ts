import type pg from 'pg'
import { SECOND } from '../time.ts'

type Callback = (error: Error | null, result: pg.QueryResult) => void
type Created = (error: Error | null, connection: pg.Client) => void

/**
 * Makes a pool give up on connections that have gone silent. A server that is alive ends a statement by itself
 * (`statement_timeout`); a host that has died says nothing, and TCP waits a quarter of an hour for it.
 *
 * A connection on which a query has had no answer for `deadline` milliseconds is cut, which fails the query as TCP would
 * fail it in the end (`ETIMEDOUT`). pg's own `query_timeout` would leave the connection in the pool, where it is busy
 * for good. What has said nothing since that query was sent has probably died with it, and is not used again either.
 *
 * @returns what knex's pool does with each new connection, and before it hands one out
 */
export function queryDeadline(deadline: number) {
  /** When each was last heard, by `performance.now()`. */
  const heard = new WeakMap<pg.Client, number>()
  /** When the last of the queries without an answer was sent. */
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

      // knex asks with a callback; others that borrow a connection want a promise.
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
    // A farewell would wait for an answer as well.
    if (!isTrusted) cut(connection)
    return isTrusted
  }

  return { afterCreate, validate }
}

function cut({ connection }: pg.Client, error?: Error): void {
  connection.stream.destroy(error)
}

/** As the system says it of a connection that TCP has given up. */
function noAnswer(deadline: number): Error {
  const message = `The database has not answered within ${deadline / SECOND} seconds.`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}
