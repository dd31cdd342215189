import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { SECOND } from '../time.ts'

/** Names the arguments of `scryptSync` in node:crypto. */
export type HashInput = {
  password: string
  salt: Uint8Array
  bytes: number
  options: { N: number; r: number; p: number; maxmem: number }
}

/** The most hashes that wait for the thread, in each process. */
const MAX_WAITING = 10
/** The interval after which clients are asked to retry. */
const RETRY_INTERVAL = 5 * SECOND

/** Runs in the thread. It is a text because a file would have another name as source than compiled. */
const THREAD = `
const { parentPort } = require('node:worker_threads')
const { scryptSync } = require('node:crypto')
parentPort.on('message', ({ password, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(password, salt, bytes, options))
})
`

type Pending = { resolve(hash: Buffer): void; reject(error: Error): void }

/** The pending hashes, in the order in which the thread answers. */
const pending: Pending[] = []
let thread: Worker | undefined

/**
 * Hashes with scrypt in one worker thread, one hash at a time, because the asynchronous scrypt of node:crypto occupies the
 * threads that read files and look up host names, and a few sign-ins would hold up every page.
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

/** Makes the refusal of a sign-in that would wait too long. */
export function tooBusy(): AppError {
  return new AppError(
    'unavailable',
    'Too many people are signing in at the moment. Please try again in a few seconds.',
    {
      retryAfterSeconds: RETRY_INTERVAL / SECOND,
    },
  )
}

function startThread(): Worker {
  const started = new Worker(THREAD, { eval: true, execArgv: [] })
  started.on('message', (hash: Uint8Array) => {
    pending.shift()?.resolve(Buffer.from(hash))
    if (pending.length === 0) started.unref()
  })
  // An error ends the thread. The hashes that wait for it fail, and the next hash starts another thread.
  started.on('error', (error) => {
    thread = undefined
    for (const { reject } of pending.splice(0)) reject(error)
  })
  started.unref()
  return started
}
