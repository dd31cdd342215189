import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from '../../contract/call.ts'
import { LEADS_PER_PAGE, Lead } from './leads.ts'

/** The query of `listDeletedLeads`. */
export const DeletedLeadsQuery = PageQuery(LEADS_PER_PAGE)
export type DeletedLeadsQuery = z.output<typeof DeletedLeadsQuery>

/** A deleted lead that can still be restored. */
export const DeletedLead = Lead.pick({
  id: true,
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  zip_code: true,
  created_at: true,
}).extend({
  deleted_at: z.iso.datetime(),
  /** The time at which it is deleted permanently. */
  purged_at: z.iso.datetime(),
})
export type DeletedLead = z.infer<typeof DeletedLead>

/** Newest deletion first. */
export const DeletedLeads = z.object({ leads: z.array(DeletedLead), total: z.number().int() })
export type DeletedLeads = z.infer<typeof DeletedLeads>

export const listDeletedLeads = defineCall({
  method: 'GET',
  path: '/api/deleted-leads',
  summary: 'List the deleted leads that can be restored, one page at a time.',
  access: 'viewer',
  input: { query: DeletedLeadsQuery },
  output: DeletedLeads,
})

export const restoreLead = defineCall({
  method: 'POST',
  path: '/api/leads/:id/restore',
  summary: 'Restore a deleted lead.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const purgeLead = defineCall({
  method: 'DELETE',
  path: '/api/deleted-leads/:id',
  summary: 'Delete a deleted lead permanently. The evidence of its consent stays.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams },
  output: ActionAnswer,
})
