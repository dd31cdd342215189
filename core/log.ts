import { type Logger, pino } from 'pino'

export type { Logger }

/**
 * The log of one process: JSON lines on standard output, one per outcome.
 * A visitor's name, e-mail, phone or message never belongs in a line: log ids.
 */
export function createLog(name: string, level: string): Logger {
  return pino({ name, level, timestamp: pino.stdTimeFunctions.isoTime, base: { name } })
}
