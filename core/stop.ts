import type { Logger } from './log.ts'
import { SECOND } from './time.ts'

/** Supervisors wait 20 s or more before they kill; we give up a little earlier, so that the log still says so. */
const PATIENCE = 18 * SECOND

/** On SIGTERM or SIGINT: finishes with `stop` and exits; what is not finished in time is left to be taken over. */
export function onStopSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false
  const handle = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('stopped before everything was finished')
      process.exit(0)
    }, PATIENCE).unref()

    try {
      await stop()
      log.info('stopped')
    } catch (error) {
      log.error({ err: error }, 'stopped with an error')
    }
    process.exit(0)
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}
