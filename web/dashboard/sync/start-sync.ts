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

/**
 * The timeout of the call. The server answers within 25 seconds even if the sync goes on; the rest is for a slow
 * network.
 */
const CALL_TIMEOUT = 75 * SECOND
const POLL_INTERVAL = 2 * SECOND
/** The longest outage of the server before the run is known, in milliseconds. A restart is shorter. */
const OUTAGE_TIMEOUT = 60 * SECOND

const UNKNOWN = 'The server is not responding. If the sync has started, it continues in the background.'

/** The session has ended during the run. The run goes on, and after a new sign-in `resumeSync` waits for it again. */
export class SignedOutError extends HttpError {
  override name = 'SignedOutError'
}

/** The specification promises only `success` and `error`. */
const Answer = SyncAnswer.partial({ run: true })

/**
 * Starts a run, or joins the current one, and waits for its end. If the call fails, it polls the run instead.
 * @returns the run, done or in need of approval; undefined if the server does not name the run
 * @throws as `call` does if no run was started, SignedOutError, and Error with the reason if the run has failed
 */
export async function startSync(asked: AskedSync): Promise<SyncRun | undefined> {
  const run = await startedBy(asked)
  return run && endOf(run)
}

/** Waits for the end of a run that was started before, like `startSync`. Returns undefined if there is none. */
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
  const options = { timeout: CALL_TIMEOUT, output: Answer }
  if (order.kind === 'approve') return call(approveSyncRun, { params: { id: order.id }, ...options })
  return call(order.kind === 'sync' ? startSyncCall : startDryRun, options)
}

/** Returns whether the answer is missing or an error of the server or a proxy. The run may go on nevertheless. */
function isLost(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof HttpError && error.status >= 500)
}

async function find(asked: AskedSync): Promise<SyncRun | undefined> {
  const until = Date.now() + OUTAGE_TIMEOUT
  for (;;) {
    const list = await poll(() => call(listSyncRuns, { query: { page: 1 } }))
    if (list) return runOf(asked, list.runs)
    if (Date.now() > until) throw new Error(UNKNOWN)
    await untilNextPoll()
  }
}

async function endOf(started: SyncRun): Promise<SyncRun> {
  let run = started
  while (run.finished_at === null) {
    await untilNextPoll()
    run = (await poll(() => call(getSyncRun, { params: { id: started.id } }))) ?? run
  }
  if (run.state === 'failed') throw new Error(run.error ?? undefined)
  return run
}

/** Makes a call. Returns undefined if the server does not answer. @throws SignedOutError if the session has ended */
async function poll<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isLost(error)) return undefined
    throw error instanceof HttpError && error.status === 401 ? new SignedOutError(error) : error
  }
}

function untilNextPoll(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
}

/** A sync, a dry run, or a sync that approves the changes of the run with that id. */
export type SyncOrder = { kind: 'sync' | 'dry-run' } | { kind: 'approve'; id: number }

/** A started sync. Its run has this id or a later one. */
export type AskedSync = { order: SyncOrder; firstId: number }

/**
 * Describes a sync before it is started. @param runs the newest runs, if they are known; without them only a run in
 * progress can be found
 */
export function askFor(order: SyncOrder, runs: SyncRun[] | undefined): AskedSync {
  if (!runs) return { order, firstId: Number.MAX_SAFE_INTEGER }
  const joined = runs.find((run) => isOf(order, run) && run.finished_at === null)
  return { order, firstId: joined?.id ?? (runs[0]?.id ?? 0) + 1 }
}

/** Finds the run that was started or joined among the newest ones; undefined if there is none. */
export function runOf({ order, firstId }: AskedSync, runs: SyncRun[]): SyncRun | undefined {
  const possible = runs.filter((run) => isOf(order, run))
  return possible.findLast(({ id }) => id >= firstId) ?? possible.find(({ finished_at }) => finished_at === null)
}

function isOf(order: SyncOrder, { dry_run, approves }: SyncRun): boolean {
  return order.kind === 'approve' ? approves === order.id : dry_run === (order.kind === 'dry-run')
}
