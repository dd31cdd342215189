import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { line } from './forms.ts'
import { LeadFilter, LeadSort } from './leads.ts'

/** The most views that one person can save. */
export const MAX_VIEWS = 50
export const MAX_VIEW_NAME = 60

/** The filter of a view: without a search, which may be the name, e-mail or phone of a person. */
const ViewFilter = LeadFilter.omit({ q: true })
export type ViewFilter = z.output<typeof ViewFilter>

/** A saved view of the list of leads. */
export const LeadView = z.object({
  id: z.number().int(),
  name: z.string(),
  filter: ViewFilter,
  sort: LeadSort,
  /** Whether everyone has it. Only managers change such a view. */
  is_shared: z.boolean(),
  /** Whether it stands beside the filters. */
  is_pinned: z.boolean(),
  /** Whether the caller has saved it. */
  is_own: z.boolean(),
  /** The name of the one who saved it. Null: the shared password. */
  owner_name: z.string().nullable(),
})
export type LeadView = z.infer<typeof LeadView>

/** The body of `addLeadView`. Unknown conditions are refused, because without them the view would show more leads. */
export const NewLeadView = z.strictObject({
  name: line('A name', MAX_VIEW_NAME),
  filter: ViewFilter.strict(),
  sort: LeadSort.default('-created_at'),
  is_shared: z.boolean().default(false),
  is_pinned: z.boolean().default(true),
})
export type NewLeadView = z.output<typeof NewLeadView>

/** The body of `changeLeadView`. Missing fields stay unchanged. */
export const LeadViewChange = z.object({
  name: NewLeadView.shape.name.optional(),
  filter: ViewFilter.strict().optional(),
  sort: LeadSort.optional(),
  is_shared: z.boolean().optional(),
  is_pinned: z.boolean().optional(),
})
export type LeadViewChange = z.output<typeof LeadViewChange>

export const listLeadViews = defineCall({
  method: 'GET',
  path: '/api/lead-views',
  summary: 'List the saved views of the caller, and those for all, by name.',
  access: 'viewer',
  output: z.object({ views: z.array(LeadView) }),
})

export const addLeadView = defineCall({
  method: 'POST',
  path: '/api/lead-views',
  summary: 'Save a view of the list of leads. Managers can save one for all.',
  access: 'viewer',
  input: { body: NewLeadView },
  output: LeadView,
  status: 201,
})

export const changeLeadView = defineCall({
  method: 'PATCH',
  path: '/api/lead-views/:id',
  summary: 'Change a saved view: the caller’s own, or, as a manager, one for all.',
  access: 'viewer',
  input: { params: RowParams, body: LeadViewChange },
  output: LeadView,
})

export const deleteLeadView = defineCall({
  method: 'DELETE',
  path: '/api/lead-views/:id',
  summary: 'Delete a saved view: the caller’s own, or, as a manager, one for all.',
  access: 'viewer',
  input: { params: RowParams },
  output: ActionAnswer,
})
