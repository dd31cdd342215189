import { mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const LARGEST_LOG = 5 * 1024 * 1024

/** Opens a log file for appending; one that has grown beyond 5 MB is put aside as `.old` first. Returns the descriptor. */
export function openLogFile(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LARGEST_LOG) renameSync(file, `${file}.old`)
  return openSync(file, 'a', 0o600)
}

/** The last lines of a log file, for telling why a process did not start. */
export function lastLines(file: string, count = 5): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  } catch {
    return ''
  }
}
