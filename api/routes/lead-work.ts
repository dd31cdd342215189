import { addNote, changeWork, deleteNote } from '../../core/commands/leads/work-on-lead.ts'
import * as calls from '../../core/contract/lead-work.ts'
import { maskWork } from '../../core/rules/masking.ts'
import * as leadWork from '../../core/stores/lead-work.ts'
import * as leads from '../../core/stores/leads.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function leadWorkRoutes(handle: Handle, { db, readings, relay }: Services): void {
  handle(calls.getLeadWork, async ({ ctx, staff, params: { id } }) => {
    if (!(await leads.find(db, id))) throw leads.noSuchLead()

    await readings.note(ctx, { entity: 'lead', ids: [id] })
    const work = await leadWork.findAll(db, id)
    return seesContacts(staff) ? work : maskWork(work)
  })

  handle(calls.changeLeadWork, async ({ params: { id }, body, actor }) => {
    await changeWork(db, id, body, actor)
    return { success: true }
  })

  handle(calls.addLeadNote, async ({ params: { id }, body, actor }) => {
    const note = await addNote(db, id, body, actor)
    relay.wake()
    return note
  })

  handle(calls.deleteLeadNote, async ({ staff, params: { id, noteId }, actor }) => {
    await deleteNote(db, id, noteId, { ...actor, mayDeleteAll: staff.role === 'manager' })
    return { success: true }
  })

  handle(calls.listWorkOptions, () => leadWork.listOptions(db))
}
