import type Router from '@koa/router'
import * as privacy from '../../core/commands/privacy.ts'
import * as replays from '../../core/commands/replays.ts'
import type { ActionAnswer } from '../../core/contract/jobs.ts'
import {
  type ErasureList,
  ErasureListQuery,
  type ErasureRequest,
  PersonErasure,
  PersonQuery,
  type PersonRecord,
} from '../../core/contract/privacy.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as erasures from '../../core/stores/erasures.ts'
import { sameOrigin } from '../middleware/security.ts'
import { actorOf, staffOnly } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** Requests of persons for their data: find everything, erase it, and see what became of that. */
export function privacyRoutes(router: Router, services: Services): void {
  const { db, env, log, readings, relay } = services
  const staff = [sameOrigin(env), staffOnly(services)] as const
  const keys = {
    personKey: deriveKey(env.DATA_KEY, 'person-hash'),
    chainKey: deriveKey(env.DATA_KEY, 'consent-chain'),
  }

  router.post('/api/privacy/find', ...staff, async (ctx) => {
    const { contact } = parse(PersonQuery, ctx.request.body)

    const person: PersonRecord = await privacy.find(db, contact, keys.personKey)
    const [leads, applications] = (['lead', 'application'] as const).map((kind) =>
      person.forms.filter((form) => form.kind === kind).map(({ id }) => id),
    ) as [number[], number[]]
    if (leads.length > 0) await readings.note(ctx, { entity: 'lead', ids: leads })
    if (applications.length > 0) await readings.note(ctx, { entity: 'application', ids: applications })
    const about = { entity: 'person', entityId: 'all', details: { leads, applications } } as const
    await auditLog.record(db, { ...actorOf(ctx), action: 'find-person', ...about })
    ctx.body = person
  })

  router.post('/api/privacy/erase', ...staff, async (ctx) => {
    const erasure = parse(PersonErasure, ctx.request.body)

    const id = await privacy.erase(db, erasure, { ...actorOf(ctx), ...keys })
    relay.wake()
    const receipt = (await erasures.findRequest(db, id)) as ErasureRequest
    // The log is outside of the database: `npm run privacy -- reapply` reads these lines after a backup was restored.
    for (const { kind, id: row_id, reference, sent_at } of receipt.forms) {
      log.info({ erased: { kind, row_id, reference, sent_at, reason: 'request' } }, 'erased')
    }
    ctx.body = receipt
  })

  router.get('/api/privacy/erasures', staffOnly(services), async (ctx) => {
    ctx.body = (await erasures.listRequests(db, parse(ErasureListQuery, ctx.query))) satisfies ErasureList
  })

  router.post('/api/privacy/erasures/:id/retry', ...staff, async (ctx) => {
    const { id } = parse(RowParams, ctx.params)

    if (!(await erasures.findRequest(db, id))) throw new AppError('not_found', 'There is no such erasure.')
    const failed = await erasures.listFailedJobs(db, id)
    if (failed.length === 0) throw new AppError('conflict', 'Nothing of this erasure has failed.')
    for (const job of failed) await replays.retry(db, job, actorOf(ctx))
    relay.wake()
    ctx.body = { success: true } satisfies ActionAnswer
  })
}
