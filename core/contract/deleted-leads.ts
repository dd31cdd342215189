import { z } from 'zod'
import { LEADS_PER_PAGE, Lead } from './leads.ts'
import { PageQuery } from './rows.ts'

/** The query of `GET /api/deleted-leads`. */
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
  /** When it is deleted for good. */
  purged_at: z.iso.datetime(),
})
export type DeletedLead = z.infer<typeof DeletedLead>

/** The newest deletion first. */
export const DeletedLeads = z.object({ leads: z.array(DeletedLead), total: z.number().int() })
export type DeletedLeads = z.infer<typeof DeletedLeads>
