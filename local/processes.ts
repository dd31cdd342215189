import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/time.ts'

/**
 * The command line of a running process, or null when there is none.
 * Linux tells it in /proc, which needs no program; elsewhere (macOS) `ps` does.
 */
export function commandLine(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      // A process that has ended but was not waited for (a zombie) has an empty one.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null
    } catch {
      return null
    }
  }
  const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return ps.stdout?.trim() || null
}

/** Whether a pid is taken, be it by a process that has ended but was not waited for. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Waits until a process is gone. Resolves to whether it went within `patience` milliseconds. */
export async function isGone(pid: number, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(25)) {
    if (commandLine(pid) === null) return true
  }
  return commandLine(pid) === null
}

/**
 * Ends a process that is not our child: asks with the first signal, and insists with the second after ten seconds.
 * The caller has made sure that the pid is really the process that is meant.
 * @returns whether it is gone.
 */
export async function endProcess(pid: number, ask: NodeJS.Signals, insist: NodeJS.Signals): Promise<boolean> {
  for (const signal of [ask, insist]) {
    signalProcess(pid, signal)
    if (await isGone(pid, 10 * SECOND)) return true
  }
  return false
}

/** Sends a signal; a process that is already gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
