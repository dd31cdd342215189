import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/contract/time.ts'
import type { Terminal } from './terminal.ts'

/** How long the running step of the start may go on when it is interrupted. */
const STEP_TIMEOUT = 10 * SECOND
/** A second Ctrl-C within this time is the same one: npm passes on what the terminal has already sent. */
const SAME_SIGNAL_INTERVAL = SECOND

type Stop = () => Promise<unknown> | unknown

/** Everything that has been started and must be stopped. */
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

  /** Remembers how to stop something, and how to end it at once. If the shutdown has begun, stops it now. */
  async add(stop: Stop, kill?: () => void): Promise<void> {
    if (kill) this.kills.push(kill)
    if (this.isStopping) await stop()
    else this.stops.push(stop)
  }

  /**
   * Stops everything once, one after the other, the last started first. Waits for `first`, so that a step of the start
   * can end in order; nothing new begins meanwhile.
   */
  run(first?: Promise<unknown>): Promise<void> {
    this.running ??= this.stopAll(first)
    return this.running
  }

  /** Ends every process at once, in no order. What has been committed is safe: PostgreSQL and Redis recover. */
  force(): void {
    for (const kill of this.kills) kill()
  }

  /** A failure does not keep the others from being stopped. */
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
 * Stops everything in order on Ctrl-C, SIGTERM and a closed terminal, also during the start; a second Ctrl-C does not
 * wait.
 */
export function stopOnSignals(
  { shutdown, terminal }: { shutdown: Shutdown; terminal: Terminal },
  launching: Promise<unknown>,
): void {
  let firstAt = 0
  const handle = async (signal: NodeJS.Signals) => {
    if (firstAt) {
      if (signal !== 'SIGINT' || Date.now() - firstAt < SAME_SIGNAL_INTERVAL) return
      shutdown.force()
      process.exit(1)
    }
    firstAt = Date.now()
    terminal.print('\n  Stopping. Press Ctrl-C again to stop without waiting.')
    await shutdown.run(Promise.race([launching.catch(() => {}), sleep(STEP_TIMEOUT)]))
    terminal.print('  Stopped. The data is kept for the next start.')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)
}
