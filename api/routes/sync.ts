import { EventEmitter, once } from 'node:events'
import type { Context } from 'koa'
import { SECOND } from '../../core/contract/time.ts'
import { AppError } from '../../core/errors.ts'
import type { SyncAnswer, SyncRun, SyncStatus } from '../../core/sync/contract/sync.ts'
import * as calls from '../../core/sync/contract/sync.ts'
import { isOverdue, nextTime } from '../../core/sync/rules/sync-approval.ts'
import { approveSync, startSync } from '../../core/sync/runs.ts'
import * as providerSync from '../../core/sync/stores/provider-sync.ts'
import * as syncRuns from '../../core/sync/stores/sync-runs.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

/** The longest time that a call waits for the end of its run. Proxies wait longer for an answer. */
const SYNC_ANSWER_TIMEOUT = 25 * SECOND

export function syncRoutes(handle: Handle, { db, env, events, stopping }: Services): void {
  handle(calls.startSync, async ({ ctx, query: { dryRun = false }, actor: { actor } }) => {
    refuseUnconfigured()
    return answer(ctx, await startSync(db, { trigger: 'staff', actor, dryRun }))
  })

  handle(calls.approveSyncRun, async ({ ctx, params: { id }, actor }) => {
    await syncRuns.get(db, id)
    refuseUnconfigured()
    return answer(ctx, await approveSync(db, id, actor))
  })

  handle(calls.listSyncRuns, async ({ query }) => {
    const [runs, status] = await Promise.all([syncRuns.list(db, query), readStatus()])
    return { ...runs, status }
  })

  handle(calls.getSyncRun, async ({ params: { id } }) => {
    const run = await syncRuns.find(db, id)
    if (!run) throw syncRuns.noSuchSync()
    if (!run.approval_reasons.some(({ kind }) => kind === 'deactivate')) return run
    return { ...run, impact: await providerSync.read(db, run, { radiusMiles: env.MATCH_RADIUS_MILES }) }
  })

  async function readStatus(): Promise<SyncStatus> {
    const { current, lastSuccessAt, needsApproval } = await syncRuns.status(db)
    const schedule = env.WORDPRESS_URL ? (env.WORDPRESS_SYNC_CRON ?? null) : null
    const [now, timeZone] = [new Date(), env.NETWORK_TIME_ZONE]
    return {
      is_configured: env.WORDPRESS_URL !== undefined,
      schedule,
      next_at: schedule && lastSuccessAt ? nextTime(schedule, now, timeZone).toISOString() : null,
      current,
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      is_overdue: schedule !== null && isOverdue(schedule, lastSuccessAt, now, timeZone),
      needs_approval: needsApproval,
    }
  }

  function refuseUnconfigured(): void {
    if (!env.WORDPRESS_URL) throw new AppError('conflict', 'WordPress is not configured.')
  }

  /** Waits for the end of a run and returns its result, or its progress after the timeout or if this process stops. */
  async function answer(ctx: Context, id: number | null): Promise<SyncAnswer> {
    if (id === null) throw new AppError('internal', 'The sync could not be started.')
    const gone = new AbortController()
    ctx.res.once('close', () => gone.abort())
    const run = await endOf(id, AbortSignal.any([stopping, gone.signal, AbortSignal.timeout(SYNC_ANSWER_TIMEOUT)]))
    if (run.finished_at === null) ctx.status = 202
    return { success: run.state === 'done', ...sentence(run), run }
  }

  /** Reads a run again with each of its events, until it has ended. Returns it as it is when `signal` aborts. */
  async function endOf(id: number, signal: AbortSignal): Promise<SyncRun> {
    const changed = new EventEmitter()
    // Before the first read, so that no event is missed.
    const stopListening = events.listen(({ syncs, all }) => {
      if (all || syncs?.includes(id)) changed.emit('change')
    })
    try {
      for (;;) {
        const change = once(changed, 'change', { signal }).catch(() => {})
        const run = await syncRuns.get(db, id)
        if (run.finished_at !== null || signal.aborted) return run
        await change
      }
    } finally {
      stopListening()
    }
  }
}

function sentence({ state, error }: SyncAnswer['run']): { error?: string } {
  if (state === 'waiting') return { error: 'The sync is waiting for a worker to start it.' }
  if (state === 'running') return { error: 'The sync is still running. It continues in the background.' }
  return error === null ? {} : { error }
}
