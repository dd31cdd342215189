import { appendFileSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_LOG_BYTES = 5 * 1024 * 1024

/** Returns a file's text, or null when there is no such file. Throws when the file cannot be read. */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Opens a log file for appending and returns its descriptor. A file beyond 5 MB is renamed to `.old` first. */
export function openLogFile(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.old`)
  return openSync(file, 'a', 0o600)
}

/** Returns the last lines of a log file, for the message of a process that did not start. */
export function lastLines(file: string, count = 5): string {
  return (readIfExists(file) ?? '').trimEnd().split('\n').slice(-count).join('\n')
}

export interface Journal<Entry> {
  /** The kept entries, oldest first. */
  entries: readonly Entry[]
  /** Keeps one more entry, in memory and in the file. */
  append(entry: Entry): void
}

/**
 * Opens a list that outlives the process: a file with one JSON entry a line. It keeps the last `limit` entries, and
 * leaves out a line that a crash has cut short.
 */
export function openJournal<Entry extends object>(file: string, limit: number): Journal<Entry> {
  mkdirSync(dirname(file), { recursive: true })
  const toLine = (entry: Entry) => `${JSON.stringify(entry)}\n`
  const lines = (readIfExists(file) ?? '').split('\n')
  const entries = lines
    .map((line) => parseJson<Entry>(line))
    .filter((entry) => entry !== null)
    .slice(-limit)
  // Replaced as a whole, so that a crash leaves either the old file or the new one.
  writeFileSync(`${file}.new`, entries.map(toLine).join(''), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return {
    entries,
    append(entry) {
      appendFileSync(file, toLine(entry))
      entries.push(entry)
      if (entries.length > limit) entries.shift()
    },
  }
}

/** Returns what a text of JSON stands for, or null when it is none. */
export function parseJson<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value
  } catch {
    return null
  }
}
