import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingsError } from '../core/settings/read-settings.ts'
import { launch } from './launch.ts'
import { PlainError } from './process.ts'
import { Shutdown, stopOnSignals } from './shutdown.ts'
import { openTerminal } from './terminal.ts'

/**
 * Starts the whole product on this machine, and keeps it running until Ctrl-C or SIGTERM. Prints a problem that the person
 * at the terminal can solve as a sentence, and exits with code 1.
 */
export async function main(options: { root: string; dev: boolean; verbose: boolean }): Promise<void> {
  const { root } = options
  const terminal = openTerminal()
  const shutdown = new Shutdown(terminal)
  const fail = async (error: unknown) => {
    if (shutdown.isStopping) return
    terminal.print(`\n${explain(error)}`)
    await shutdown.run()
    process.exit(1)
  }
  process.on('uncaughtException', fail)

  try {
    if (existsSync(`${root}.env`)) process.loadEnvFile(`${root}.env`)
    const launching = launch({ ...options, dataDir: dataDir(root), terminal, shutdown })
    stopOnSignals({ shutdown, terminal }, launching)
    await launching
  } catch (error) {
    await fail(error)
  }
}

/** Returns where everything is kept between runs. Another folder lets a second copy run from the same checkout. */
function dataDir(root: string): string {
  return resolve(root, process.env.DATA_DIR || '.data')
}

function explain(error: unknown): string {
  if (error instanceof PlainError || error instanceof SettingsError) return error.message
  const { code, path, stack, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    return `This user may not use ${path ?? 'a file that the start needs'}. It may belong to another user, or be from a start as root: change its owner, or delete it.`
  }
  if (code === 'ENOSPC') return 'The disk is full.'
  if (code === 'EROFS') return `The folder of Leadwell cannot be written to (${path}).`
  return `Something unexpected went wrong: ${stack ?? message ?? error}`
}
