import { MINUTE } from '../time.ts'
import type { Logger } from './log.ts'

/** Different errors that are counted at the same time. */
const MAX_KINDS = 100

/**
 * Returns a function that logs errors so that a flood of one is one line a minute: the first one at once, and those that
 * follow as a line with their number (`repeated`) at the end of each minute.
 * @param key what is the same in all errors of a flood
 */
export function createFloodLog(log: Logger, interval = MINUTE) {
  const floods = new Map<string, { repeated: number }>()
  return (key: string, fields: object, message: string): void => {
    const flood = floods.get(key)
    if (flood) {
      flood.repeated += 1
      return
    }
    log.error(fields, message)
    if (floods.size >= MAX_KINDS) return
    const begun = { repeated: 0 }
    floods.set(key, begun)
    const timer = setInterval(() => {
      if (begun.repeated === 0) {
        clearInterval(timer)
        floods.delete(key)
        return
      }
      log.error({ ...fields, repeated: begun.repeated }, message)
      begun.repeated = 0
    }, interval)
    timer.unref()
  }
}
