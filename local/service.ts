import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { signalProcess } from './processes.ts'

/** A process that we run: how to tell that it has ended, and how to end it. */
export interface Service {
  pid: number
  /** Resolves when the process has ended, to a phrase such as "exit code 1" or "signal SIGKILL". Never rejects. */
  exited: Promise<string>
  /** Ends the process in order, keeping its data. Resolves when it is gone. */
  stop(): Promise<void>
}

/**
 * Starts a program in a process group of its own, so that a Ctrl-C at the terminal reaches the launcher only, which
 * then stops everything in the right order.
 * @throws Error when the program cannot be started.
 */
export async function startProgram(
  program: string,
  args: string[],
  options: SpawnOptions,
): Promise<{ child: ChildProcess; pid: number; exited: Promise<string> }> {
  const child = spawn(program, args, { ...options, detached: true })
  const exited = new Promise<string>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.on('error', () => {})
  return { child, pid: child.pid as number, exited }
}

/** Ends a process that we started: with the first signal, and with each next one when it has not gone in `patience` ms. */
export async function stopProgram(
  { pid, exited }: Pick<Service, 'pid' | 'exited'>,
  signals: NodeJS.Signals[],
  patience: number,
): Promise<void> {
  // Once it is gone its pid may belong to somebody else.
  if (await settles(exited, 0)) return
  for (const signal of signals) {
    signalProcess(pid, signal)
    if (await settles(exited, patience)) return
  }
}

/** Whether a promise settles within `patience` milliseconds. */
export async function settles(promise: Promise<unknown>, patience: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  return Promise.race([promise.then(() => true), late]).finally(() => clearTimeout(timer))
}
