import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { Lead, LeadFilter } from './leads.ts'

/** Another request, with the facts that tell whether it is the same person's. */
export const LinkCandidate = Lead.pick({
  id: true,
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  zip_code: true,
  created_at: true,
  held_reason: true,
  outcome: true,
}).extend({ provider_name: z.string().nullable() })
export type LinkCandidate = z.infer<typeof LinkCandidate>

/** The query of `listLinkCandidates`: the number of a request, or a search as in the list of leads. */
export const LinkCandidatesQuery = z.object({ q: LeadFilter.shape.q })

/** Newest first, up to ten, without the requests that are known to be the same person's. */
export const LinkCandidates = z.object({ candidates: z.array(LinkCandidate) })

export const LinkedLead = z.object({
  leadId: z.number({ error: 'Choose a request' }).int().positive().max(2_147_483_647),
})

export const listLinkCandidates = defineCall({
  method: 'GET',
  path: '/api/leads/:id/same-person',
  summary: 'List the requests that may be of the same person: those with the same name, or those that match a search.',
  access: 'agent',
  input: { params: RowParams, query: LinkCandidatesQuery },
  output: LinkCandidates,
})

export const linkPerson = defineCall({
  method: 'POST',
  path: '/api/leads/:id/same-person',
  summary: 'Link a lead with another request of the same person.',
  access: 'agent',
  input: { params: RowParams, body: LinkedLead },
  output: ActionAnswer,
})

export const unlinkPerson = defineCall({
  method: 'DELETE',
  path: '/api/leads/:id/same-person/:leadId',
  summary: 'Undo the link of a lead with another request.',
  access: 'agent',
  input: { params: RowParams.extend({ leadId: RowParams.shape.id }) },
  output: ActionAnswer,
})
