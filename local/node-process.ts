import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/contract/time.ts'
import { openLogFile, parseJson } from './files.ts'
import { notePid, PlainError, type Service, signalProcess, startProgram } from './process.ts'

const READY_TIMEOUT = 60 * SECOND
const STOP_TIMEOUT = 20 * SECOND
const MAX_LAST_LINES = 8

/** pino's number of the level `warn`. */
const WARN = 40
const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

export interface NodeProcess {
  /** Its name in sentences: "API". */
  name: string
  /** Its main file, relative to the project. */
  script: string
  args?: string[]
  env: Record<string, string | undefined>
  /** The project's folder. */
  cwd: string
  logFile: string
  /** Where its process id is written down. */
  pidFile: string
  /** Shows one line of its log. */
  show(line: string): void
  /** Shows every line, not only warnings and errors. */
  verbose: boolean
}

/**
 * Starts a program, of TypeScript or built, that sends 'ready' when it serves. Its output goes to the log file; warnings and errors
 * are shown too.
 * @throws PlainError with its last lines when it ends before it is ready, or is not ready within a minute.
 */
export async function startNodeProcess(options: NodeProcess): Promise<Service> {
  const { name, verbose, cwd } = options
  const log = createWriteStream('', { fd: openLogFile(options.logFile) })
  const lastLines: string[] = []
  const show = (text: string) => options.show(`${name.padEnd(6)} ${text}`)
  const remember = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > MAX_LAST_LINES) lastLines.shift()
  }
  const { child, pid, exited, stop } = await startProgram(
    process.execPath,
    // The whole path, so that the command line distinguishes this checkout's processes from another's.
    [
      ...(options.script.endsWith('.ts') ? ['--import', 'tsx'] : []),
      join(cwd, options.script),
      ...(options.args ?? []),
    ],
    {
      cwd,
      env: options.env,
      extendEnv: false,
      ipc: true,
      forceKillAfterDelay: STOP_TIMEOUT,
    },
  )
  notePid(options.pidFile, pid)
  const stdout = createInterface({ input: child.stdout as Readable }).on('line', (line) => {
    log.write(`${line}\n`)
    const { level, text } = readLogLine(line)
    if (level >= WARN) remember(text)
    if (level >= WARN || verbose) show(text)
  })
  const stderr = createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    log.write(`${line}\n`)
    // Of a stack, only the message; the rest is in the log file.
    if (line.trim() && !/^\s+at |^Node\.js v/.test(line)) remember(line)
    if (verbose) show(line)
  })
  // The last lines may arrive after the end of the process.
  const ended = Promise.all([exited, once(stdout, 'close'), once(stderr, 'close')]).then(([reason]) => {
    log.end()
    return [reason, ...lastLines].join('\n      ')
  })

  const ready = child.getOneMessage({ filter: (message) => message === 'ready' }).then(
    () => null,
    () => ended,
  )
  const failure = await Promise.race([ready, sleep(READY_TIMEOUT, 'no answer for a minute', { ref: false })])
  if (failure !== null) {
    signalProcess(pid, 'SIGKILL')
    throw new PlainError(`${name} did not start: ${failure}`)
  }
  return { pid, exited: ended, stop }
}

/** Returns one line of a log as a person reads it. A line that is not pino's stays as it is, at level 0. */
function readLogLine(line: string): { level: number; text: string } {
  const entry = line.startsWith('{') ? parseJson<{ level: number } & Record<string, unknown>>(line) : null
  if (typeof entry?.level !== 'number') return { level: 0, text: line }
  const { level, msg, time, name: _name, err, ...fields } = entry
  const at = typeof time === 'string' ? time.slice(11, 19) : ''
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  const reason = (err as { message?: string } | undefined)?.message
  const words = [at, LEVELS[level] ?? level, msg, reason && `(${reason})`, ...details]
  return { level, text: words.filter(Boolean).join(' ') }
}
