import { setTimeout as sleep } from 'node:timers/promises'
import { tooBusy } from '../core/platform/passwords.ts'
import { SECOND } from '../core/time.ts'

/** The most waiting sign-ins of known browsers, and of unknown ones. */
const MAX_WAITING = 10
/** The most of one network, or of one known browser, so that one source cannot fill the queue. */
const MAX_WAITING_PER_SOURCE = 5
/** Delays each refusal, so that programs that retry at once do not keep the process busy with refusals. */
const REFUSAL_DELAY = SECOND

/** The source of a sign-in: a network, or a known browser, which has signed in before. */
export type Source = { isKnown: boolean; key: string }

type Waiting = { source: Source; start(): void }

export type SignInQueue = ReturnType<typeof createSignInQueue>

/**
 * Creates the queue of sign-ins of one process. It runs one at a time, those of known browsers first, because each takes
 * some tenths of a second of processor time that visitors need.
 */
export function createSignInQueue() {
  let waiting: Waiting[] = []
  let isRunning = false

  function isFull({ isKnown, key }: Source): boolean {
    const rivals = waiting.filter(({ source }) => source.isKnown === isKnown)
    const ofSource = rivals.filter(({ source }) => source.key === key)
    return rivals.length >= MAX_WAITING || ofSource.length >= MAX_WAITING_PER_SOURCE
  }

  async function refuse(): Promise<never> {
    await sleep(REFUSAL_DELAY)
    throw tooBusy()
  }

  function turn(source: Source): Promise<void> {
    if (!isRunning) {
      isRunning = true
      return Promise.resolve()
    }
    if (isFull(source)) return refuse()
    return new Promise((start) => waiting.push({ source, start }))
  }

  function next(): void {
    const chosen = waiting.find(({ source }) => source.isKnown) ?? waiting[0]
    waiting = waiting.filter((each) => each !== chosen)
    isRunning = chosen !== undefined
    chosen?.start()
  }

  return {
    /** Refuses a sign-in that would be refused by `run`, before any work for it. @throws AppError `unavailable` */
    async refuseIfFull(source: Source): Promise<void> {
      if (isFull(source)) await refuse()
    },
    /** Runs `signIn` when its turn comes. @throws AppError `unavailable` when too many are waiting */
    async run<Result>(source: Source, signIn: () => Promise<Result>): Promise<Result> {
      await turn(source)
      try {
        return await signIn()
      } finally {
        next()
      }
    },
  }
}
