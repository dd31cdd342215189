import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/time.ts'
import { signalProcess } from './processes.ts'
import type { Service } from './service.ts'

const FIRST_TRIES = 3
/** A process that has run this long was well: the next end of it is a new trouble. */
const WELL_AFTER = 30 * SECOND

export interface Kept<S extends Service> {
  /** As it was started the first time. */
  first: S
  /** Ends it and starts it again, without a word. */
  restart(): Promise<void>
  /** Ends it for good. */
  stop(): Promise<void>
  /** Ends it for good, at once. */
  kill(): void
}

export interface KeepRunningOptions {
  /** What it is called in sentences: "The API". */
  name: string
  /** Tells the person at the terminal that it has ended, or does not start. */
  warn(text: string): void
  firstTries?: number
  /** How long, in milliseconds, it waits after the first failure; twice as long after each of the next. */
  firstPause?: number
}

/**
 * Starts something and starts it again whenever it ends without having been asked to; each time in a row waits longer,
 * up to ten seconds.
 * @throws what `start` throws, when it fails the first three times.
 */
export async function keepRunning<S extends Service>(
  start: () => Promise<S>,
  { name, warn, firstTries = FIRST_TRIES, firstPause = SECOND / 2 }: KeepRunningOptions,
): Promise<Kept<S>> {
  let wanted = true
  let isRestart = false
  let hurry = new AbortController()
  let starting: Promise<unknown> = Promise.resolve()
  let lastComplaint = ''
  const complain = (text: string) => {
    if (text !== lastComplaint) warn(text)
    lastComplaint = text
  }
  const pause = (failures: number) => {
    hurry = new AbortController()
    return sleep(backoff(firstPause, failures), undefined, { signal: hurry.signal }).catch(() => {})
  }

  const first = await firstStart(start, firstTries, firstPause)
  let service = first
  const watch = async () => {
    let failures = 0
    let startedAt = Date.now()
    while (wanted) {
      const reason = await service.exited
      if (!wanted) return
      if (Date.now() - startedAt > WELL_AFTER) failures = 0
      if (!isRestart) warn(`${name} has ended (${reason}). Starting it again.`)

      for (let again: S | undefined; wanted && !again; ) {
        if (!isRestart) await pause(failures++)
        isRestart = false
        if (!wanted) return
        starting = start().then(
          (started) => {
            again = service = started
            lastComplaint = ''
            startedAt = Date.now()
          },
          (error: Error) => complain(error.message),
        )
        await starting
      }
    }
  }
  const watching = watch()

  return {
    first,
    async restart() {
      await starting
      isRestart = true
      hurry.abort()
      await service.stop()
    },
    async stop() {
      wanted = false
      hurry.abort()
      await starting
      await service.stop()
      await watching
    },
    kill() {
      wanted = false
      signalProcess(service.pid, 'SIGKILL')
    },
  }
}

async function firstStart<S>(start: () => Promise<S>, tries: number, pause: number): Promise<S> {
  for (let failures = 0; ; failures++) {
    try {
      return await start()
    } catch (error) {
      if (failures + 1 >= tries) throw error
      await sleep(backoff(pause, failures))
    }
  }
}

function backoff(first: number, failures: number): number {
  return Math.min(10 * SECOND, first * 2 ** failures)
}
