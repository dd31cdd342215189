import { SECOND } from '../time.ts'
import type { Logger } from './log.ts'

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
