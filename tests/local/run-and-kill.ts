import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Runs a piece of TypeScript in a process of its own until it prints a line, and returns that line and how to kill it
 * without warning. `local` in the code is the address of the folder local/.
 */
export async function runUntilLine(code: string): Promise<{ line: string; kill(): Promise<void> }> {
  const script = `const local = ${JSON.stringify(new URL('../../local/', import.meta.url).href)}\n${code}`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    ended.then(() => reject(new Error('The process ended without a word')))
  })
  return {
    line,
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}
