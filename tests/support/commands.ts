import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { requireBuild } from './processes.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type CommandEnd = { code: number | null; text: string }
type Surroundings = { env: Record<string, string> }

/** Calls the function of a command in this process, with that environment. */
export async function callCommand(
  command: (given: string[]) => Promise<number>,
  args: string[],
  { env }: Surroundings,
): Promise<CommandEnd> {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const replaced = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(print),
  ]
  // As for `npm run`: what a command prints of its use depends on the file that runs.
  const { argv } = process
  process.argv = [process.execPath, 'command.ts', ...args]
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  try {
    return { code: await command(args), text: printed.join('\n').trim() }
  } finally {
    for (const { mockRestore } of replaced) mockRestore()
    process.argv = argv
    vi.unstubAllEnvs()
  }
}

/** Runs a compiled command, such as `core/cli/staff`, in a process of its own that has nothing but that environment. */
export async function runCommandFile(
  name: string,
  args: string[],
  { env, stopAt }: Surroundings & { stopAt?: () => Promise<unknown> },
): Promise<CommandEnd> {
  requireBuild()
  const child = spawn(process.execPath, [`dist/${name}.js`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
  })
  child.stdin.end()
  stopAt?.().then(() => child.kill('SIGINT'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, text: (out + err).trim() }
}
