import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execa, type Options, type ResultPromise } from 'execa'
import { SECOND } from '../core/contract/time.ts'
import { openLogFile, parseJson, readIfExists } from './files.ts'

const STOP_TIMEOUT = 10 * SECOND
const WATCHER = fileURLToPath(new URL('watcher.mjs', import.meta.url))

/** A problem that the person at the terminal can solve. Its message is shown as it is, without a stack. */
export class PlainError extends Error {
  override name = 'PlainError'
}

/** A process that this one has started. */
export interface Service {
  pid: number
  /** Resolves when the process has ended, to a phrase such as "exit code 1" or "signal SIGKILL". Never rejects. */
  exited: Promise<string>
  /** Ends the process in order, and by force after a timeout. Resolves when it is gone. */
  stop(): Promise<void>
}

let watcher: ChildProcess | undefined

/** Tells the watcher of this process, which ends the programs and removes the folders that are left when it has ended. */
function noteForWatcher(note: { watch: number; signal: string } | { forget: number } | { remove: string }): void {
  if (!watcher) {
    watcher = spawn(process.execPath, [WATCHER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    // Neither the watcher nor its pipe keeps this process alive. A write after the watcher was killed is not an error.
    watcher.unref()
    ;(watcher.stdin as Socket).unref().on('error', () => {})
  }
  watcher.stdin?.write(`${JSON.stringify(note)}\n`)
}

/** Deletes a folder when this process has ended in any way, after its programs. */
export function removeAtEnd(folder: string): void {
  noteForWatcher({ remove: folder })
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C at the terminal reaches only the launcher, which then
 * stops everything in order. If this process is killed before, the program is ended all the same. Its output goes to `logFile`; without one, the caller must read it.
 * @throws PlainError when the program cannot be started.
 */
export async function startProgram(
  program: string,
  args: string[],
  { logFile, ...options }: Options & { logFile?: string },
): Promise<Service & { child: ResultPromise<{ ipc: true }> }> {
  const own = {
    buffer: false,
    cleanup: false,
    detached: true,
    reject: false,
    forceKillAfterDelay: STOP_TIMEOUT,
  } as const
  // A descriptor, not a pipe: the program must be able to log when this process has been killed.
  const log = logFile ? openLogFile(logFile) : undefined
  const output = log === undefined ? 'pipe' : (log as 3)
  const child = execa(program, args, { ...own, stdin: 'ignore', stdout: output, stderr: output, ...options })
  if (log !== undefined) closeSync(log)
  if (child.pid === undefined) throw new PlainError((await child).shortMessage ?? `${program} could not be started`)
  const { pid } = child
  noteForWatcher({ watch: pid, signal: String(options.killSignal ?? 'SIGTERM') })
  const exited = child.then(({ signal, exitCode }) => {
    noteForWatcher({ forget: pid })
    return signal ? `signal ${signal}` : `exit code ${exitCode}`
  })
  return {
    child: child as unknown as ResultPromise<{ ipc: true }>,
    pid,
    exited,
    async stop() {
      child.kill()
      await exited
    },
  }
}

/**
 * Returns the command line of a running process, or null when there is none.
 * Linux has it in /proc, which needs no program; elsewhere (macOS) `ps` says it.
 */
export function commandLine(pid: number): string | null {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null
  }
  try {
    // Empty for a process that has ended but was not waited for (a zombie).
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null
  } catch {
    return null
  }
}

/** Sends a signal, 0 to test only. Returns whether there is such a process, which may be a zombie. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    if (signal === 0) return true
    throw error
  }
}

/** Waits until a process is gone, for at most `timeout` milliseconds. Resolves to whether it is gone. */
export async function isGone(pid: number, timeout: number): Promise<boolean> {
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(25)) {
    if (commandLine(pid) === null) return true
  }
  return commandLine(pid) === null
}

/** Records a process, so that a later run can see whether it still runs. */
export function notePid(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, command: commandLine(pid) }))
}

/** Returns the noted pid while it runs the noted command; a pid alone may meanwhile belong to another program. */
export function notedPid(file: string): number | null {
  const note = parseJson<{ pid: number; command: string }>(readIfExists(file) ?? '')
  return note?.command && commandLine(note.pid) === note.command ? note.pid : null
}

/**
 * Ends a process that a killed run has left behind, if there is one: sends each signal and waits ten seconds.
 * @throws PlainError when it does not stop.
 */
export async function endLeftover(
  name: string,
  pid: number | null,
  signals: NodeJS.Signals[] = ['SIGTERM', 'SIGKILL'],
): Promise<void> {
  if (pid === null) return
  for (const signal of signals) {
    signalProcess(pid, signal)
    if (await isGone(pid, STOP_TIMEOUT)) return
  }
  throw new PlainError(`${name} of an earlier run (process ${pid}) does not stop. End it, and start again.`)
}

/**
 * Makes this process the only one that uses a folder, and creates the folder. Takes over the lock of a process that was
 * killed.
 * @returns the function that unlocks the folder.
 * @throws PlainError while another process uses the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'in-use.json')
  const mine = `${lock}.${process.pid}`
  const holder = notedPid(lock)
  if (holder !== null && holder !== process.pid) {
    throw new PlainError(
      `Leadwell is already running on the data in ${folder} (process ${holder}). Stop that one first.`,
    )
  }
  rmSync(lock, { force: true })
  notePid(mine, process.pid)
  try {
    // A link shows the whole file at once, so that a half-written lock is never read and taken for stale.
    linkSync(mine, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return lockFolder(folder)
  } finally {
    rmSync(mine, { force: true })
  }
  return () => rmSync(lock, { force: true })
}
