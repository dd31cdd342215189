import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'
import { SECOND } from './time.ts'

/** What scrypt takes; the option names are those of node:crypto. */
export type HashInput = {
  password: string
  salt: Uint8Array
  bytes: number
  options: { N: number; r: number; p: number; maxmem: number }
}

/** Hashes that may wait for the thread, in each process. */
const MAX_WAITING = 10
const BUSY_RETRY = 5 * SECOND

/** As text, so that it is the same file whether the code runs as source or compiled. */
const THREAD = `
const { parentPort } = require('node:worker_threads')
const { scryptSync } = require('node:crypto')
parentPort.on('message', ({ password, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(password, salt, bytes, options))
})
`

type Pending = { resolve(hash: Buffer): void; reject(error: Error): void }

/** Waiting for the thread, in the order of its answers. */
const pending: Pending[] = []
let thread: Worker | undefined

/**
 * Hashes with scrypt in a thread of its own, one hash at a time. The asynchronous scrypt of node:crypto would take the
 * threads that file reads and host names need, so that a few sign-ins would hold up every page (decision 25).
 * @throws AppError `unavailable` when too many hashes are waiting
 */
export function scryptInThread(input: HashInput): Promise<Buffer> {
  if (pending.length > MAX_WAITING) throw tooBusy()
  return new Promise((resolve, reject) => {
    thread ??= startThread()
    pending.push({ resolve, reject })
    // Keeps the process alive for as long as a hash is due, and not longer.
    thread.ref()
    thread.postMessage(input)
  })
}

/** The refusal of a sign-in that would have to wait too long. */
export function tooBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many people are signing in at the moment. Please try again in a few seconds.',
    {
      retryAfterSeconds: BUSY_RETRY / SECOND,
    },
  )
}

function startThread(): Worker {
  const started = new Worker(THREAD, { eval: true, execArgv: [] })
  started.on('message', (hash: Uint8Array) => {
    pending.shift()?.resolve(Buffer.from(hash))
    if (pending.length === 0) started.unref()
  })
  // An error ends a thread: all that wait for it fail, and the next hash starts another.
  started.on('error', (error) => {
    thread = undefined
    for (const { reject } of pending.splice(0)) reject(error)
  })
  started.unref()
  return started
}
