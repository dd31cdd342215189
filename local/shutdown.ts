import { SECOND } from '../core/time.ts'
import { settles } from './service.ts'
import type { Terminal } from './terminal.ts'

/** How long, in milliseconds, a step of the start may go on when it is to be interrupted. */
const PATIENCE_WITH_START = 10 * SECOND

type Stop = () => Promise<unknown> | unknown

/** A second Ctrl-C within this many milliseconds is the same one: npm passes on what the terminal has sent already. */
const SAME_SIGNAL = SECOND

/** What is to be stopped at the end, last started first. */
export class Shutdown {
  private readonly stops: Stop[] = []
  private readonly kills: (() => void)[] = []
  private running: Promise<void> | undefined
  private readonly terminal: Terminal

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }

  get isStopping(): boolean {
    return this.running !== undefined
  }

  /** Remembers how to stop something, and how to end it at once. When the end has come meanwhile, it is stopped now. */
  async add(stop: Stop, kill?: () => void): Promise<void> {
    if (kill) this.kills.push(kill)
    if (this.isStopping) await stop()
    else this.stops.push(stop)
  }

  /**
   * Stops everything, once, one after the other; what fails to stop does not keep the rest.
   * Waits for `first`, so that a step of the start can end in peace; nothing new begins meanwhile.
   */
  run(first?: Promise<unknown>): Promise<void> {
    this.running ??= this.stopAll(first)
    return this.running
  }

  /** Ends every process at once, in no order. What has been committed is safe: PostgreSQL and Redis recover. */
  force(): void {
    for (const kill of this.kills) kill()
  }

  private async stopAll(first?: Promise<unknown>): Promise<void> {
    await first
    for (let stop = this.stops.pop(); stop; stop = this.stops.pop()) {
      try {
        await stop()
      } catch (error) {
        this.terminal.warn(`Not everything stopped as it should: ${(error as Error).message}`)
      }
    }
  }
}

/**
 * Ctrl-C, SIGTERM and a closed terminal stop everything in order, also in the middle of the start; a second Ctrl-C does
 * not wait.
 */
export function stopOnSignals(
  { shutdown, terminal }: { shutdown: Shutdown; terminal: Terminal },
  launching: Promise<unknown>,
): void {
  let firstAt = 0
  const handle = async (signal: NodeJS.Signals) => {
    if (firstAt) {
      if (signal !== 'SIGINT' || Date.now() - firstAt < SAME_SIGNAL) return
      shutdown.force()
      process.exit(1)
    }
    firstAt = Date.now()
    terminal.print('\n  Stopping. Press Ctrl-C again to stop without waiting.')
    await shutdown.run(
      settles(
        launching.catch(() => {}),
        PATIENCE_WITH_START,
      ),
    )
    terminal.print('  Stopped. The data is kept for the next start.')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)
}
