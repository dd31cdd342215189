/** pino's number of the level `warn`. */
export const WARN = 40
const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** One line of a log, as a person reads it. What is not a JSON line of pino stays as it is, at level 0. */
export function readLogLine(line: string): { level: number; text: string } {
  const entry = parse(line)
  if (!entry) return { level: 0, text: line }
  const { level, msg, time, name: _name, err, ...fields } = entry
  const at = typeof time === 'string' ? time.slice(11, 19) : ''
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  const reason = (err as { message?: string } | undefined)?.message
  const words = [at, LEVELS[level] ?? level, msg, reason && `(${reason})`, ...details]
  return { level, text: words.filter(Boolean).join(' ') }
}

function parse(line: string): ({ level: number } & Record<string, unknown>) | null {
  if (!line.startsWith('{')) return null
  try {
    const entry = JSON.parse(line)
    return typeof entry.level === 'number' ? entry : null
  } catch {
    return null
  }
}
