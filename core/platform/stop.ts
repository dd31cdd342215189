import { SECOND } from '../time.ts'
import type { Logger } from './log.ts'

/** Supervisors wait 20 s or more before they kill; we give up a little earlier, so that the log still says so. */
const SHUTDOWN_TIMEOUT = 18 * SECOND

/**
 * On SIGTERM or SIGINT: finishes with `stop` and exits; what is not finished in time is left to be taken over.
 * @returns does the same with an exit code, for a process that has to be started anew
 */
export function onStopSignal(log: Logger, stop: () => Promise<void>): (code: number) => void {
  let stopping = false
  const end = async (code: number, cause: { signal: NodeJS.Signals } | { code: number }) => {
    if (stopping) return
    stopping = true
    log.info(cause, 'stopping')
    setTimeout(() => {
      log.warn('stopped before everything was finished')
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
