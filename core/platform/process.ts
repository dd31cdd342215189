import { createServer } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Env } from '../env.ts'
import { SECOND } from '../time.ts'
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

/** Supervisors kill after 20 s or more. This is a little shorter, so that the log still tells it. */
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
