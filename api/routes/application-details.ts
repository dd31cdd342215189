import { certifyApplication } from '../../core/commands/applications/certify-application.ts'
import {
  addApplicationNote,
  assignApplication,
  deleteApplicationNote,
} from '../../core/commands/applications/change-application.ts'
import * as calls from '../../core/contract/application-details.ts'
import { maskApplication } from '../../core/rules/masking.ts'
import * as details from '../../core/stores/application-details.ts'
import * as applications from '../../core/stores/applications.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function applicationDetailsRoutes(handle: Handle, { db, env, readings, relay }: Services): void {
  handle(calls.getApplication, async ({ ctx, staff, params: { id } }) => {
    const application = await applications.find(db, id)
    if (!application) throw applications.notFound()

    await readings.note(ctx, { entity: 'application', ids: [id] })
    const found = await details.read(db, application)
    return seesContacts(staff) ? found : maskApplication(found)
  })

  handle(calls.assignApplication, async ({ params: { id }, body, actor }) => {
    await assignApplication(db, id, body.owner_id, actor)
    return { success: true }
  })

  handle(calls.certifyApplication, async ({ params: { id }, body, actor }) => {
    await certifyApplication(db, id, { ...body, waitingDays: env.MATCH_WAITING_DAYS }, actor)
    relay.wake()
    return { success: true }
  })

  handle(calls.addApplicationNote, async ({ params: { id }, body, actor }) => {
    await addApplicationNote(db, id, body.text.trim(), actor)
    return { success: true }
  })

  handle(calls.deleteApplicationNote, async ({ staff, params: { id, noteId }, actor }) => {
    await deleteApplicationNote(db, id, noteId, { ...actor, mayDeleteAll: staff.role === 'manager' })
    return { success: true }
  })
}
