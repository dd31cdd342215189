import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { atWorkerEnd } from './worker-end.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** @throws Error if the product could not be built */
export function requireBuild(): void {
  const buildProblem = inject('buildProblem')
  if (buildProblem) throw new Error(buildProblem)
}

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

/** One of our processes, compiled as production runs it. */
export type TestProcess = {
  child: ChildProcess
  pid: number
  isRunning(): boolean
  /** Lines of its log so far. */
  output: () => string
  /** Resolves when it says that it is ready. @throws Error with its output when it ends before that */
  ready: Promise<void>
  /** Resolves when it has ended, for any reason. */
  ended: Promise<Ending>
  /** Sends a signal, if it still runs, and waits for its end. */
  kill(signal: NodeJS.Signals): Promise<Ending>
}

const running = new Set<ChildProcess>()
// A test run that is cut off must not leave processes behind.
atWorkerEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts the API or the worker and waits until it says that it is ready.
 * @throws Error with its output when it ends before that
 */
export async function startProcess(main: 'api' | 'worker', env: Record<string, string>): Promise<TestProcess> {
  const started = launchProcess(main, env)
  await started.ready
  return started
}

/** Starts the API or the worker and returns at once. */
export function launchProcess(main: 'api' | 'worker', env: Record<string, string>): TestProcess {
  requireBuild()
  const child = spawn(process.execPath, [`dist/${main}/main.js`], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))

  running.add(child)
  // 'close' and not 'exit': only then all of its output is here.
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    running.delete(child)
    return { code, signal }
  })
  const ready = Promise.race([
    once(child, 'message').then(() => {}),
    ended.then(({ code, signal }) => {
      throw new Error(`${main} ended with ${code ?? signal}:\n${output}`)
    }),
  ])
  // A caller that does not wait for it ignores its failure.
  ready.catch(() => {})

  return {
    child,
    pid: Number(child.pid),
    isRunning: () => running.has(child),
    output: () => output,
    ready,
    ended,
    async kill(signal) {
      if (running.has(child)) child.kill(signal)
      return ended
    },
  }
}
