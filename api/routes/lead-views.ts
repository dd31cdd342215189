import { changeView, deleteView, saveView } from '../../core/commands/lead-views.ts'
import * as calls from '../../core/contract/lead-views.ts'
import * as leadViews from '../../core/stores/lead-views.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function leadViewRoutes(handle: Handle, { db }: Services): void {
  handle(calls.listLeadViews, async ({ staff }) => ({ views: await leadViews.list(db, staff.id) }))

  handle(calls.addLeadView, ({ body, staff, actor }) =>
    saveView(db, body, { ...actor, id: staff.id, role: staff.role }),
  )

  handle(calls.changeLeadView, ({ params: { id }, body, staff, actor }) =>
    changeView(db, id, body, { ...actor, id: staff.id, role: staff.role }),
  )

  handle(calls.deleteLeadView, async ({ params: { id }, staff, actor }) => {
    await deleteView(db, id, { ...actor, id: staff.id, role: staff.role })
    return { success: true }
  })
}
