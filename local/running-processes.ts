import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PlainError } from './plain-error.ts'
import { commandLine, endProcess, signalProcess } from './processes.ts'

interface Running {
  pid: number
  command: string
}

/**
 * Remembers, in the data folder, which processes this run has started, so that the next run can end what a killed one
 * left behind. (PostgreSQL and Redis look after their own leftovers.)
 */
export class RunningProcesses {
  private readonly file: string
  private running: Record<string, Running> = {}

  constructor(dataDir: string) {
    this.file = join(dataDir, 'processes.json')
  }

  /**
   * Ends what this run, or an earlier one that was killed, has left running: only a pid that still runs the very command
   * line that was written down.
   * @throws PlainError when one does not stop.
   */
  async end(): Promise<void> {
    const left = Object.entries(this.read()).filter(([, { pid, command }]) => commandLine(pid) === command)
    await Promise.all(
      left.map(async ([name, { pid }]) => {
        if (await endProcess(pid, 'SIGTERM', 'SIGKILL')) return
        throw new PlainError(`${name} of an earlier run (process ${pid}) does not stop. End it, and start again.`)
      }),
    )
  }

  /** Writes down a process that has just been started; it takes the place of an earlier one of the same name. */
  add(name: string, pid: number): void {
    this.running[name] = { pid, command: commandLine(pid) ?? '' }
    writeFileSync(this.file, JSON.stringify(this.running, null, 2))
  }

  /** Ends what this run has started at once. */
  kill(): void {
    for (const { pid, command } of Object.values(this.running)) {
      if (commandLine(pid) === command) signalProcess(pid, 'SIGKILL')
    }
  }

  private read(): Record<string, Running> {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8'))
    } catch {
      return {}
    }
  }
}
