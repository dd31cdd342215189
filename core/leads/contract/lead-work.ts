import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { line, UNUSABLE } from '../../contract/forms.ts'

export const Colleague = z.object({ id: z.number().int(), name: z.string() })
export type Colleague = z.infer<typeof Colleague>

export const MAX_TAGS = 10
export const MAX_TAG_LENGTH = 30
export const TOO_MANY_TAGS = `A lead can have ${MAX_TAGS} tags at most`

/** A tag: words in lower case, with single spaces. */
export const Tag = z
  .string()
  .transform((text) => text.trim().replace(/\s+/g, ' ').toLowerCase())
  .pipe(
    z
      .string()
      .min(1, 'A tag cannot be empty')
      .max(MAX_TAG_LENGTH, `A tag must be ${MAX_TAG_LENGTH} characters or fewer`)
      .regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &+'’/_-]*$/u, 'A tag consists of letters, digits and spaces'),
  )

const Id = z.number().int().positive().max(2_147_483_647)

export const MAX_NOTE_LENGTH = 4000

export const LeadNote = z.object({
  id: z.number().int(),
  body: z.string(),
  /** As in the audit log. */
  author: z.string(),
  author_name: z.string().nullable(),
  at: z.iso.datetime(),
})
export type LeadNote = z.infer<typeof LeadNote>

/** Who works on a lead, what comes next, and the notes, oldest first. */
export const LeadWork = z.object({
  owner: Colleague.nullable(),
  next_action: z.string().nullable(),
  /** The day of the next action, such as 2026-11-23. */
  next_action_on: z.iso.date().nullable(),
  tags: z.array(z.string()),
  notes: z.array(LeadNote),
})
export type LeadWork = z.infer<typeof LeadWork>

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
    owner_id: Id.nullable(),
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
