import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** One of our processes, as production runs it, but from source. */
export type TestProcess = {
  child: ChildProcess
  pid: number
  /** Lines of its log so far. */
  output: () => string
  kill(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts `api/main.ts` or `worker/main.ts` and waits until it says that it is ready.
 * @throws Error with its output when it ends before that
 */
export async function startProcess(main: 'api' | 'worker', env: Record<string, string>): Promise<TestProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', `${main}/main.ts`], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')

  await Promise.race([
    once(child, 'message'),
    ended.then(([code, signal]) => {
      throw new Error(`${main} ended with ${code ?? signal}:\n${output}`)
    }),
  ])
  return {
    child,
    pid: Number(child.pid),
    output: () => output,
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}
