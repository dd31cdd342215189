import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../core/contract/time.ts'
import { type Service, signalProcess } from './process.ts'

const MAX_FIRST_TRIES = 3
const MAX_PAUSE = 10 * SECOND
/** A process that has run for this time counts as healthy: the next restart begins with the shortest pause. */
const WELL_AFTER = 30 * SECOND

export interface Kept<S extends Service> {
  /** The service as it was started the first time. */
  first: S
  /** Ends it and starts it again, without a message. */
  restart(): Promise<void>
  /** Ends it; it is not started again. */
  stop(): Promise<void>
  /** Kills it; it is not started again. */
  kill(): void
}

export interface KeepRunningOptions {
  /** Its name in sentences: "API". */
  name: string
  /** Called when it has ended, or does not start. */
  warn(text: string): void
  maxFirstTries?: number
  /** The pause after the first failure, in milliseconds; it doubles with each of the next, up to ten seconds. */
  firstPause?: number
}

/**
 * Starts a service, and starts it again whenever it ends without having been asked to.
 * @throws what `start` throws, when the first start fails `maxFirstTries` times.
 */
export async function keepRunning<S extends Service>(
  start: () => Promise<S>,
  { name, warn, maxFirstTries = MAX_FIRST_TRIES, firstPause = SECOND / 2 }: KeepRunningOptions,
): Promise<Kept<S>> {
  let isWanted = true
  let isRestart = false
  let failures = 0
  let wakeUp = new AbortController()
  let starting: Promise<unknown> = Promise.resolve()

  const pause = () => {
    wakeUp = new AbortController()
    const length = Math.min(MAX_PAUSE, firstPause * 2 ** failures++)
    return sleep(length, undefined, { signal: wakeUp.signal }).catch(() => {})
  }
  const startAgain = async (current: S): Promise<S> => {
    let complaint = ''
    while (isWanted) {
      isRestart = false
      const attempt = start()
      starting = attempt.catch(() => {})
      try {
        return await attempt
      } catch (error) {
        const { message } = error as Error
        if (message !== complaint) warn(message)
        complaint = message
      }
      if (isWanted) await pause()
    }
    return current
  }
  const watch = async () => {
    while (isWanted) {
      const startedAt = Date.now()
      const reason = await service.exited
      if (Date.now() - startedAt > WELL_AFTER) failures = 0
      if (isWanted && !isRestart) {
        warn(`${name} has ended (${reason}). Starting it again.`)
        await pause()
      }
      service = await startAgain(service)
    }
  }

  let service = await firstStart(start, maxFirstTries, pause)
  failures = 0
  const first = service
  const watching = watch()
  return {
    first,
    async restart() {
      // One that is just starting may have read the old sources.
      await starting
      isRestart = true
      wakeUp.abort()
      await service.stop()
    },
    async stop() {
      isWanted = false
      wakeUp.abort()
      const running = service
      await running.stop()
      await watching
      // One may have been starting meanwhile.
      if (service !== running) await service.stop()
    },
    kill() {
      isWanted = false
      signalProcess(service.pid, 'SIGKILL')
    },
  }
}

async function firstStart<S>(start: () => Promise<S>, maxTries: number, pause: () => Promise<void>): Promise<S> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (tries >= maxTries) throw error
      await pause()
    }
  }
}
