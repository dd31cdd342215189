import { setTimeout as sleep } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { RowParams } from '../../core/contract/rows.ts'
import { type SyncAnswer, type SyncRunList, SyncRunListQuery, type SyncStatus } from '../../core/contract/sync.ts'
import { AppError } from '../../core/errors.ts'
import { isOverdue, nextTime } from '../../core/rules/sync-schedule.ts'
import * as syncRuns from '../../core/stores/sync-runs.ts'
import { SECOND } from '../../core/time.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** How long a call waits for the end of its run: less than any proxy waits for us. */
const SYNC_ANSWER_TIMEOUT = 25 * SECOND
const LOOK_EVERY = SECOND / 5

export function syncRoutes(router: Router, services: Services): void {
  const { db, env, stopping } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const

  router.post('/api/sync', ...staff, async (ctx) => {
    refuseUnconfigured()
    await answer(ctx, await syncRuns.start(db, { trigger: 'staff', actor: actorOf(ctx).actor }))
  })

  router.post('/api/sync/dry-run', ...staff, async (ctx) => {
    refuseUnconfigured()
    await answer(ctx, await syncRuns.start(db, { trigger: 'staff', actor: actorOf(ctx).actor, dryRun: true }))
  })

  router.post('/api/sync-runs/:id/approve', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    await syncRuns.get(db, id)
    refuseUnconfigured()
    await answer(ctx, await syncRuns.approve(db, id, actorOf(ctx)))
  })

  router.get('/api/sync-runs', staffOnly(services), async (ctx) => {
    const [runs, status] = await Promise.all([syncRuns.list(db, parse(SyncRunListQuery, ctx.query)), readStatus()])
    ctx.body = { ...runs, status } satisfies SyncRunList
  })

  router.get('/api/sync-runs/:id', staffOnly(services), async (ctx) => {
    ctx.body = await syncRuns.getDetails(db, parse(RowParams, ctx.params).id)
  })

  function refuseUnconfigured(): void {
    if (!env.WORDPRESS_URL) throw new AppError('conflict', 'WordPress is not configured.')
  }

  /** Waits for the end of the run, for a while and not while this process stops, and says how it went. */
  async function answer(ctx: Context, id: number | null): Promise<void> {
    if (id === null) throw new AppError('internal', 'The sync could not be started.')
    const deadline = Date.now() + SYNC_ANSWER_TIMEOUT
    let run = await syncRuns.get(db, id)
    const isPatient = () => Date.now() < deadline && !stopping.aborted && !ctx.res.destroyed
    while (run.finished_at === null && isPatient()) {
      await sleep(LOOK_EVERY)
      run = await syncRuns.get(db, id)
    }
    if (run.finished_at === null) ctx.status = 202
    ctx.body = { success: run.state === 'done', ...sentence(run), run } satisfies SyncAnswer
  }

  async function readStatus(): Promise<SyncStatus> {
    const { current, lastSuccessAt, needsApproval } = await syncRuns.status(db)
    const schedule = env.WORDPRESS_URL ? (env.WORDPRESS_SYNC_CRON ?? null) : null
    return {
      is_configured: env.WORDPRESS_URL !== undefined,
      schedule,
      next_at: schedule && lastSuccessAt ? nextTime(schedule, new Date(), env.NETWORK_TIME_ZONE).toISOString() : null,
      current,
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      is_overdue: schedule !== null && isOverdue(schedule, lastSuccessAt, new Date(), env.NETWORK_TIME_ZONE),
      needs_approval: needsApproval,
    }
  }
}

function sentence({ state, error }: SyncAnswer['run']): { error?: string } {
  if (state === 'waiting') return { error: 'The sync is waiting for a worker to start it.' }
  if (state === 'running') return { error: 'The sync is still running. It continues in the background.' }
  return error === null ? {} : { error }
}
