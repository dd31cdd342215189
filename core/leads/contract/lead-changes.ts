import { z } from 'zod'
import { defineCall, PageQuery, RowId, RowParams } from '../../contract/call.ts'
import { CONSENT } from '../../contract/consent.ts'
import { ConfirmedConsent, LEAD_FIELDS, line, UNUSABLE } from '../../contract/forms.ts'
import { RetryAnswer, RetryQuery } from '../../deliveries/contract/jobs.ts'
import { Obstacle } from '../../providers/contract/provider-rules.ts'
import { LEADS_PER_PAGE, Lead, LeadFilter, RelatedLead, Tag } from './leads.ts'

export const MatchCandidate = z.object({
  id: z.number().int(),
  name: z.string(),
  practiceName: z.string().nullable(),
  zipCode: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** Only a search finds inactive clinics (`f`). They cannot be matched. */
  status: z.enum(['t', 'f']),
  /** The distance from the lead's zip code; null if the zip code or the clinic has no known place. */
  miles: z.number().nullable(),
  /** Why an automatic match would skip the clinic. Staff may choose it nevertheless. */
  obstacle: Obstacle.nullable(),
  /** Of the leads of 90 days: the median time to the first answer, in milliseconds, and the share that was booked. Null with fewer than five. */
  answerTime: z.number().nullable(),
  booked: z.number().nullable(),
})
export type MatchCandidate = z.infer<typeof MatchCandidate>

/** The ten nearest clinics, or those that match the search, and facts to decide by. */
export const MatchCandidates = z.object({
  candidates: z.array(MatchCandidate),
  radiusMiles: z.number(),
  /** Newest first, up to ten. */
  samePerson: z.array(RelatedLead),
  /** The clinic that the lead would be passed on to; null when no other one in reach can take it. */
  next: MatchCandidate.pick({ id: true, name: true, practiceName: true, miles: true }).nullable(),
})
export type MatchCandidates = z.infer<typeof MatchCandidates>

export const AssignProvider = z.object({
  providerId: z.number({ error: 'Choose a provider' }).int().positive().max(2_147_483_647),
})

export const assignProvider = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id/provider',
  summary: 'Match a lead with a provider. A held lead is released.',
  access: 'manager',
  input: { params: RowParams, body: AssignProvider },
  output: Lead,
})

export const undoMatch = defineCall({
  method: 'POST',
  path: '/api/leads/:id/undo-match',
  summary: 'Undo the latest match by staff, before its deliveries start. Agents undo what they did themselves.',
  access: 'agent',
  input: { params: RowParams },
})

export const passOn = defineCall({
  method: 'POST',
  path: '/api/leads/:id/pass-on',
  summary:
    'Pass a lead on to the next nearest provider that has not had it. Both providers, the visitor and the CRM are notified.',
  access: 'agent',
  input: { params: RowParams },
  output: Lead,
})

/** Requests that are older are not passed on when a clinic does not answer: the person no longer waits for a call. */
export const RECENT_DAYS = 7

/**
 * The leads of a clinic that wait for its answer, and where they would go. `ids` are those of the last `RECENT_DAYS` days that
 * another clinic can take, up to `MAX_IDS`, those that wait longest first; `olderIds` are the older ones. `clinics` are counted
 * for `ids`, `unplaced` are left with the clinic, and `total` is the number of all.
 */
export const WaitingLeads = z.object({
  total: z.number().int(),
  ids: z.array(z.number().int()),
  olderIds: z.array(z.number().int()).optional(),
  clinics: z.array(z.object({ id: z.number().int(), name: z.string(), leads: z.number().int() })),
  unplaced: z.number().int(),
})
export type WaitingLeads = z.infer<typeof WaitingLeads>

export const getWaitingLeads = defineCall({
  method: 'GET',
  path: '/api/providers/:id/waiting',
  summary: 'Count the leads of a clinic that wait for its answer, and the clinics that they would be passed on to.',
  access: 'manager',
  input: {
    params: RowParams,
    /** `late`: only those whose answer is late. */
    query: z.object({ late: z.union([z.boolean(), z.stringbool()]).optional() }),
  },
  output: WaitingLeads,
})

export const listCandidates = defineCall({
  method: 'GET',
  path: '/api/leads/:id/candidates',
  summary: 'List the clinics that a lead can be matched with: the nearest, or those that match a search.',
  access: 'agent',
  /** `q`: words of a name, a practice, a city or a zip code. */
  input: { params: RowParams, query: LeadFilter.pick({ q: true }) },
  output: MatchCandidates,
})

/** The body of `editLead`. Missing fields stay unchanged. `again`: the emails are sent again, or a provider is looked for again. */
export const LeadEdit = z.strictObject({ ...LEAD_FIELDS, again: z.boolean() }).partial()
export type LeadEdit = z.output<typeof LeadEdit>

const AGREED = 'Read the wording aloud, and check the box once the person has agreed'

/** The body of `enterLead`: what a person said on the phone. */
export const LeadByPhone = z.object({
  ...LEAD_FIELDS,
  consent_version: z.literal(
    CONSENT.phone.version,
    'The wording has changed. Reload the page, and read it aloud again.',
  ),
  agreed: z.boolean({ error: AGREED }).refine((agreed) => agreed, AGREED),
})
export type LeadByPhone = z.output<typeof LeadByPhone>

export const EnteredLead = z.object({ id: z.number().int(), held: z.boolean() })
export type EnteredLead = z.infer<typeof EnteredLead>

export const editLead = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id',
  summary:
    'Correct the name, the email, the phone number or the zip code of a lead, and send its emails or match it again.',
  access: 'agent',
  input: { params: RowParams, body: LeadEdit },
})

export const enterLead = defineCall({
  method: 'POST',
  path: '/api/phone-leads',
  summary: 'Enter a lead that phoned, with the consent that was read aloud.',
  access: 'agent',
  input: { body: LeadByPhone },
  output: EnteredLead,
  status: 201,
})

export const DeletedLeadsQuery = PageQuery(LEADS_PER_PAGE)
export type DeletedLeadsQuery = z.output<typeof DeletedLeadsQuery>

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
})

export const purgeLead = defineCall({
  method: 'DELETE',
  path: '/api/deleted-leads/:id',
  summary: 'Delete a deleted lead permanently. The evidence of its consent stays.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams },
})

export const retryLeadSync = defineCall({
  method: 'POST',
  path: '/api/leads/:id/retry-sync',
  summary: 'Send a lead to the CRM again.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const retryLeadEmail = defineCall({
  method: 'POST',
  path: '/api/leads/:id/retry-email',
  summary: 'Send the emails of a lead again.',
  access: 'agent',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const releaseLead = defineCall({
  method: 'POST',
  path: '/api/leads/:id/release',
  summary:
    'Release a lead that was held. Without provable consent, say how it was given; then the deliveries wait for an undo.',
  access: 'manager',
  /** `consent` is required where the form does not prove one. */
  input: { params: RowParams, body: z.object({ consent: ConfirmedConsent.optional() }) },
})

export const deleteLead = defineCall({
  method: 'DELETE',
  path: '/api/leads/:id',
  summary: 'Delete a lead. The evidence of its consent stays.',
  access: 'manager',
  input: { params: RowParams },
})

/** The time to undo a deletion or a match, in seconds. The server allows a little more. */
export const UNDO_SECONDS = 10

export const MAX_TAGS = 10
export const TOO_MANY_TAGS = `A lead can have ${MAX_TAGS} tags at most`

export const MAX_NOTE_LENGTH = 4000

export const NewLeadNote = z.object({
  body: z
    .string({ error: 'Write a note' })
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(1, 'Write a note')
        .max(MAX_NOTE_LENGTH, `A note must be ${MAX_NOTE_LENGTH} characters or fewer`)
        .refine(
          (typed) => !typed.split(/[\n\t]/).some((part) => UNUSABLE.test(part)),
          'The note contains characters that cannot be used',
        ),
    ),
})
export type NewLeadNote = z.output<typeof NewLeadNote>

/** The body of `changeLeadWork`. Missing fields stay unchanged; null removes a value. */
export const LeadWorkChange = z
  .object({
    owner_id: RowId.nullable(),
    next_action: line('Next action', 200).nullable(),
    next_action_on: z.iso.date('Choose a day').nullable(),
    tags: z
      .array(Tag)
      .transform((tags) => [...new Set(tags)])
      .pipe(z.array(z.string()).max(MAX_TAGS, TOO_MANY_TAGS)),
    add_tag: Tag,
    remove_tag: Tag,
  })
  .partial()
export type LeadWorkChange = z.output<typeof LeadWorkChange>

export const changeLeadWork = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id/work',
  summary: 'Change the owner, the next action or the tags of a lead.',
  access: 'agent',
  input: { params: RowParams, body: LeadWorkChange },
})

export const addLeadNote = defineCall({
  method: 'POST',
  path: '/api/leads/:id/notes',
  summary: 'Add a note to a lead.',
  access: 'agent',
  input: { params: RowParams, body: NewLeadNote },
})

export const deleteLeadNote = defineCall({
  method: 'DELETE',
  path: '/api/leads/:id/notes/:noteId',
  summary: 'Delete a note. Agents can delete their own.',
  access: 'agent',
  input: { params: RowParams.extend({ noteId: RowParams.shape.id }) },
})
