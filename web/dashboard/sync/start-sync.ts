import {
  approveSyncRun,
  getSyncRun,
  listSyncRuns,
  SyncAnswer,
  type SyncRun,
  startDryRun,
  startSync as startSyncCall,
} from '../../../core/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { HttpError, NoAnswerError } from '../../lib/http.ts'
import { SECOND } from '../../lib/time.ts'
import { type AskedSync, runOf, type SyncOrder } from './asked-sync.ts'

/** The server answers after 25 seconds at most, also while the sync goes on; a slow network gets some more. */
const TIMEOUT = 75 * SECOND
const LOOK_AGAIN = 2 * SECOND
/**
 * How long the server may be away, in milliseconds, while it is not known whether there is a run: longer than a
 * restart.
 */
const SYNC_TIMEOUT = 60 * SECOND

const UNKNOWN = 'The server is not responding. If the sync has started, it continues in the background.'

/**
 * The session has ended while somebody waited for the end of a run. That goes on, and whoever signs in again can wait
 * for it again.
 */
export class SignedOutError extends HttpError {
  override name = 'SignedOutError'
}

/** The call of the specification has no more than `success` and `error`. */
const Answer = SyncAnswer.partial({ run: true })

/**
 * Starts a run, or joins the one that is under way, and waits for its end, however long that takes and whatever becomes
 * of the call: the run goes on without it.
 * @returns the run, done or in need of approval; undefined where the server does not say which it was
 * @throws what `call` throws when nothing was started, SignedOutError, and Error with the reason when the run has failed
 */
export async function startSync(asked: AskedSync): Promise<SyncRun | undefined> {
  const run = await startedBy(asked)
  return run && endOf(run)
}

/**
 * Waits for the end of a run that was asked for before, as `startSync` does.
 * @returns undefined when there is none
 */
export async function resumeSync(asked: AskedSync): Promise<SyncRun | undefined> {
  const run = await find(asked)
  return run && endOf(run)
}

async function startedBy(asked: AskedSync): Promise<SyncRun | undefined> {
  try {
    const { success, error, run } = await send(asked.order)
    if (!run && !success) throw new Error(error)
    return run
  } catch (error) {
    if (!isLost(error)) throw error
    const run = await find(asked)
    if (!run) throw error
    return run
  }
}

function send(order: SyncOrder) {
  const options = { timeout: TIMEOUT, output: Answer }
  if (order.kind === 'approve') return call(approveSyncRun, { params: { id: order.id }, ...options })
  return call(order.kind === 'sync' ? startSyncCall : startDryRun, options)
}

/** No answer, or one by which a server or something before it says that it cannot: the run may go on all the same. */
function isLost(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof HttpError && error.status >= 500)
}

async function find(asked: AskedSync): Promise<SyncRun | undefined> {
  const until = Date.now() + SYNC_TIMEOUT
  for (;;) {
    const list = await look(() => call(listSyncRuns, { query: { page: 1 } }))
    if (list) return runOf(asked, list.runs)
    if (Date.now() > until) throw new Error(UNKNOWN)
    await untilNextLook()
  }
}

async function endOf(started: SyncRun): Promise<SyncRun> {
  let run = started
  while (run.finished_at === null) {
    await untilNextLook()
    run = (await look(() => call(getSyncRun, { params: { id: started.id } }))) ?? run
  }
  if (run.state === 'failed') throw new Error(run.error ?? undefined)
  return run
}

/** What the server says while it is waited for; undefined when it is away. */
async function look<Seen>(ask: () => Promise<Seen>): Promise<Seen | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isLost(error)) return undefined
    throw error instanceof HttpError && error.status === 401 ? new SignedOutError(error) : error
  }
}

function untilNextLook(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN))
}
