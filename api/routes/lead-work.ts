import { editLead, matchAgain, sendAgain } from '../../core/commands/leads/edit-lead.ts'
import { addNote, changeWork, deleteNote } from '../../core/commands/leads/work-on-lead.ts'
import * as editCalls from '../../core/contract/lead-edit.ts'
import * as calls from '../../core/contract/lead-work.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { maskWork } from '../../core/rules/masking.ts'
import * as leadWork from '../../core/stores/lead-work.ts'
import * as leads from '../../core/stores/leads.ts'
import type { Handle } from '../handle.ts'
import { requireConfirmation, seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function leadWorkRoutes(handle: Handle, { db, env, readings, relay }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(editCalls.editLead, async ({ staff, params: { id }, body, actor }) => {
    // What the clinic answers goes to the new address.
    if (body.email !== undefined && body.email !== (await leads.find(db, id))?.email) requireConfirmation(staff)
    await editLead(db, id, body, { ...actor, personKey })
    relay.wake()
    return { success: true }
  })

  handle(editCalls.sendAgain, async ({ params: { id }, actor }) => {
    await sendAgain(db, id, { ...actor, personKey })
    relay.wake()
    return { success: true }
  })

  handle(editCalls.matchAgain, async ({ params: { id }, actor }) => {
    await matchAgain(db, id, actor)
    relay.wake()
    return { success: true }
  })

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
