import { deleteExport, noSuchExport, startExport } from '../../core/commands/exports.ts'
import * as calls from '../../core/contract/exports.ts'
import { DELETED_EXPORT } from '../../core/contract/exports.ts'
import { AppError } from '../../core/errors.ts'
import { exportName, loggedQuery } from '../../core/rules/logged-query.ts'
import * as exportFiles from '../../core/stores/export-files.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import { answerPieces } from '../csv-answer.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function exportRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services

  handle(calls.startExport, async ({ body: query, actor }) => {
    const { sort, ...filter } = query
    const total = await leadLists.count(db, { ...filter, timeZone: env.NETWORK_TIME_ZONE })
    const id = await startExport(db, { query, total }, actor)
    relay.wake()
    return { id }
  })

  handle(calls.listExports, async ({ actor }) => ({ exports: await exportFiles.list(db, actor) }))

  handle(calls.downloadExport, async ({ ctx, params: { id }, actor }) => {
    const file = await exportFiles.find(db, id, actor)
    if (!file) throw noSuchExport()
    const because = file.deleted_because ?? (file.expires_at.getTime() <= Date.now() ? 'expired' : null)
    if (because || !file.query) throw new AppError('not_found', DELETED_EXPORT[because ?? 'expired'])
    if (!file.finished_at) throw new AppError('conflict', 'This export is not ready yet.')

    const ids: number[] = []
    async function* pieces() {
      for await (const piece of exportFiles.readPieces(db, id)) {
        ids.push(...piece.ids)
        yield piece.content
      }
    }
    const name = exportName(file.query, file.finished_at, env.NETWORK_TIME_ZONE)
    const exported = { name, entity: 'lead', details: loggedQuery(file.query) } as const
    await answerPieces(ctx, services, exported, { ids, pieces: pieces() })
  })

  handle(calls.deleteExport, async ({ params: { id }, actor }) => {
    await deleteExport(db, id, actor)
    return { success: true }
  })
}
