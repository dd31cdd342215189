import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { SECOND } from '../core/time.ts'
import { openLogFile } from './log-files.ts'
import { readLogLine, WARN } from './log-lines.ts'
import { PlainError } from './plain-error.ts'
import { signalProcess } from './processes.ts'
import { type Service, settles, startProgram, stopProgram } from './service.ts'

const KEPT_LINES = 8

export interface NodeProcess {
  /** What it is called in sentences: "API". */
  name: string
  /** Its main file, relative to the project. */
  script: string
  args?: string[]
  env: NodeJS.ProcessEnv
  /** The project's folder. */
  cwd: string
  logFile: string
  /** Shows one line of its log. */
  show(line: string): void
  /** Called with the process id as soon as there is one. */
  onSpawn(pid: number): void
  /** Show every line, not only warnings and errors. */
  verbose: boolean
}

/**
 * Starts a TypeScript program that sends 'ready' when it serves. Its output goes to the log file; warnings and worse are
 * shown too.
 * @throws PlainError with its last words when it ends before it is ready, or is not ready within a minute.
 */
export async function startNodeProcess(options: NodeProcess): Promise<Service> {
  const { child, pid, exited } = await startProgram(
    process.execPath,
    // The whole path, so that the command line tells this checkout's processes from another's.
    ['--import', 'tsx', join(options.cwd, options.script), ...(options.args ?? [])],
    { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  options.onSpawn(pid)
  const closed = new Promise((resolve) => child.once('close', resolve))
  const lastWords = followOutput(options, child.stdout as Readable, child.stderr as Readable)
  const ended = exited.then(async (reason) => {
    // The output may still be on its way when the process is gone.
    await settles(closed, SECOND)
    return [reason, ...lastWords].join('\n      ')
  })

  const ready = new Promise<true>((resolve) => {
    child.on('message', (message) => message === 'ready' && resolve(true))
  })
  const failure = await within(60 * SECOND, Promise.race([ready.then(() => null), ended]), 'no answer for a minute')
  if (failure !== null) {
    signalProcess(pid, 'SIGKILL')
    throw new PlainError(`${options.name} did not start: ${failure}`)
  }
  return {
    pid,
    exited: ended,
    stop: () => stopProgram({ pid, exited }, ['SIGTERM', 'SIGKILL'], 20 * SECOND),
  }
}

/** Returns the list, kept up to date, of the last lines that say what is wrong. */
function followOutput({ logFile, name, show, verbose }: NodeProcess, stdout: Readable, stderr: Readable): string[] {
  const log = createWriteStream('', { fd: openLogFile(logFile) })
  const lastWords: string[] = []
  const remember = (line: string) => {
    lastWords.push(line)
    if (lastWords.length > KEPT_LINES) lastWords.shift()
  }
  createInterface({ input: stdout }).on('line', (line) => {
    log.write(`${line}\n`)
    const { level, text } = readLogLine(line)
    if (level >= WARN) remember(text)
    if (level >= WARN || verbose) show(`${name.padEnd(6)} ${text}`)
  })
  createInterface({ input: stderr }).on('line', (line) => {
    log.write(`${line}\n`)
    // Of a stack, only what was wrong; where it was is in the log file.
    if (line.trim() && !/^\s+at |^Node\.js v/.test(line)) remember(line)
    if (verbose) show(`${name.padEnd(6)} ${line}`)
  })
  stderr.once('close', () => log.end())
  return lastWords
}

async function within<T>(patience: number, promise: Promise<T>, late: T): Promise<T> {
  return (await settles(promise, patience)) ? promise : late
}
