import { z } from 'zod'
import { defineCall, PageQuery, RowParams } from '../../contract/call.ts'
import { consentFields, Email, HeldReason, line, Phone, Signals, text, ZipCode } from '../../contract/forms.ts'
import { HOUR } from '../../contract/time.ts'
import { DeliveryStatus, Ledger, RetryAnswer, RetryQuery } from '../../deliveries/contract/jobs.ts'
import { LeadFilter } from '../../leads/contract/leads.ts'

const BAD_WEBSITE = 'Please enter a valid website address'
/** Dots between labels of letters, digits and hyphens, and letters (or `xn--…`) at the end. */
const HOSTNAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+(?=.*[a-z])[a-z0-9-]{2,63}$/

/**
 * Returns the URL of a typed website; the scheme may be missing (`clinic.example`). Returns null if a person could not
 * visit it: no domain, a scheme other than HTTP, or a password in it.
 */
export function websiteAddress(typed: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed) ? typed : `https://${typed}`
  if (/[\s\\]/.test(typed) || !URL.canParse(address)) return null
  const { protocol, hostname, username, password, href } = new URL(address)
  const isVisitable = /^https?:$/.test(protocol) && HOSTNAME.test(hostname) && !username && !password
  return isVisitable ? href.replace(/^(https?:\/\/[^/]+)\/$/, '$1') : null
}

/** Optional. An empty text counts as missing, because browsers send empty fields. */
const Website = z
  .string(BAD_WEBSITE)
  .trim()
  .max(300, 'Website must be 300 characters or fewer')
  .transform((typed, { addIssue }) => {
    const address = typed && websiteAddress(typed)
    if (address === null) addIssue({ code: 'custom', message: BAD_WEBSITE })
    return address || undefined
  })
  .optional()

const Message = text('Message', 2000)
  .transform((typed) => typed.trim() || undefined)
  .optional()

export const ApplicationForm = z.object({
  name: line('Name', 100),
  practice_name: line('Practice name', 200),
  email: Email,
  phone: Phone,
  zip_code: ZipCode,
  website: Website,
  message: Message,
  ...consentFields('application'),
})
export type ApplicationForm = z.output<typeof ApplicationForm>

/** The body of `createApplication`. Invalid signals are ignored. */
export const NewApplication = ApplicationForm.extend(Signals.shape)
export type NewApplication = z.output<typeof NewApplication>

/** The answer to a stored application. `id` is random and differs from the id that staff see. */
export const ApplicationReceipt = z.object({ id: z.number().int() })
export type ApplicationReceipt = z.infer<typeof ApplicationReceipt>

/** The stage of an application, in their usual order; `declined` can follow any of them. */
export const ApplicationStatus = z.enum(['new', 'contacted', 'approved', 'training', 'certified', 'declined'])
export type ApplicationStatus = z.infer<typeof ApplicationStatus>

export const STATUS_LABELS: Record<ApplicationStatus, string> = {
  new: 'New',
  contacted: 'Contacted',
  approved: 'Approved',
  training: 'In training',
  certified: 'Certified',
  declined: 'Declined',
}

export const Application = z.object({
  id: z.number().int(),
  created_at: z.iso.datetime(),
  status: ApplicationStatus,
  name: z.string(),
  practice_name: z.string(),
  email: z.string(),
  phone: z.string(),
  zip_code: z.string(),
  website: z.string().nullable(),
  message: z.string().nullable(),
  email_status: DeliveryStatus,
  held_reason: HeldReason.nullable(),
  /** The staff account that takes care of it. */
  owner_id: z.number().int().nullable(),
  owner_name: z.string().nullable(),
  /** When the applicant was promised a review: at the form or at its release. Null while it is held. */
  promised_at: z.iso.datetime().nullable(),
  /** When its status was first changed. Null until then. */
  reviewed_at: z.iso.datetime().nullable(),
})
export type Application = z.infer<typeof Application>

export const APPLICATIONS_PER_PAGE = 40

export const ApplicationListQuery = PageQuery(APPLICATIONS_PER_PAGE).extend({
  status: ApplicationStatus.optional(),
  /** Words that each start a word of the practice, the name, the place or the zip code; or the number of an application. */
  q: LeadFilter.shape.q,
})
export type ApplicationListQuery = z.output<typeof ApplicationListQuery>

/** Newest first. `total` counts the applications that match, `counts` all of each status. */
export const ApplicationList = z.object({
  applications: z.array(Application),
  total: z.number().int(),
  counts: z.record(ApplicationStatus, z.number().int()),
})
export type ApplicationList = z.infer<typeof ApplicationList>

export const ApplicationUpdate = z
  .object({
    status: ApplicationStatus.optional(),
    /** Null removes the owner. */
    owner_id: RowParams.shape.id.nullable().optional(),
  })
  .refine(({ status, owner_id }) => status !== undefined || owner_id !== undefined, {
    path: ['status'],
    message: 'Choose a status or an owner',
  })

export type ApplicationUpdate = z.output<typeof ApplicationUpdate>

export const createApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications',
  summary:
    'Apply to join the network. A repetition with the same Idempotency-Key header, or for the same practice, creates no second application.',
  access: 'public',
  isPublicForm: true,
  input: { body: NewApplication },
  output: ApplicationReceipt,
  status: 201,
})

export const listApplications = defineCall({
  method: 'GET',
  path: '/api/provider-applications',
  summary: 'List provider applications, newest first, one page at a time.',
  access: 'viewer',
  input: { query: ApplicationListQuery },
  output: ApplicationList,
})

export const exportApplications = defineCall({
  method: 'GET',
  path: '/api/provider-applications.csv',
  summary: 'Export all provider applications as CSV, newest first.',
  access: 'manager',
  needsConfirmation: true,
  output: z.string(),
  type: 'text/csv',
})

export const updateApplication = defineCall({
  method: 'PATCH',
  path: '/api/provider-applications/:id',
  summary: 'Set the status of an application, or its owner.',
  access: 'manager',
  input: { params: RowParams, body: ApplicationUpdate },
  output: Application,
})

export const deleteApplication = defineCall({
  method: 'DELETE',
  path: '/api/provider-applications/:id',
  summary: 'Delete an application. The evidence of its consent stays.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams },
})

export const retryApplicationEmail = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/retry-email',
  summary: 'Send the emails of an application again.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const releaseApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/release',
  summary: 'Release an application that was held because it looked automated.',
  access: 'manager',
  input: { params: RowParams },
})

/** The person who did something, as in the audit log. */
const Doer = z.object({ at: z.iso.datetime(), actor: z.string(), actor_name: z.string().nullable() })

/** A change of the status. The first stage, `new`, has no person. */
export const ApplicationStage = Doer.extend({ status: ApplicationStatus, actor: z.string().nullable() })
export type ApplicationStage = z.infer<typeof ApplicationStage>

export const ApplicationNote = Doer.extend({ id: z.number().int(), text: z.string() })
export type ApplicationNote = z.infer<typeof ApplicationNote>

export const ApplicationDetails = Application.extend({
  place: z.object({ city: z.string(), state: z.string().nullable() }).nullable(),
  /** The oldest first. */
  stages: z.array(ApplicationStage),
  /** The oldest first. */
  notes: z.array(ApplicationNote),
  provider: z
    .object({
      id: z.number().int(),
      status: z.enum(['active', 'inactive']),
    })
    .nullable(),
  ledger: Ledger,
})
export type ApplicationDetails = z.infer<typeof ApplicationDetails>

/** The review that an applicant is promised: within 24 to 48 hours, in milliseconds. */
export const REVIEW_PROMISE = { from: 24 * HOUR, until: 48 * HOUR }

/**
 * The promised review of an application. `open` has time left, `due` is past the first 24 hours, `late` past 48. `ms` is the
 * time since the promise until the review or until now.
 */
export type ReviewClock = { state: 'open' | 'due' | 'late' | 'kept' | 'kept_late'; ms: number }

/** Returns the clock of the promised review. Returns null while the application is held: nothing is promised then. */
export function reviewClock(
  { promised_at, reviewed_at }: Pick<Application, 'promised_at' | 'reviewed_at'>,
  now: number,
): ReviewClock | null {
  if (promised_at === null) return null
  const ms = Math.max(0, (reviewed_at === null ? now : Date.parse(reviewed_at)) - Date.parse(promised_at))
  const isLate = ms > REVIEW_PROMISE.until
  if (reviewed_at !== null) return { state: isLate ? 'kept_late' : 'kept', ms }
  return { state: isLate ? 'late' : ms >= REVIEW_PROMISE.from ? 'due' : 'open', ms }
}

export const MAX_APPLICATION_NOTE = 2000

const NewApplicationNote = z.object({
  text: text('Note', MAX_APPLICATION_NOTE).refine((typed) => typed.trim() !== '', { error: 'Write a note first' }),
})

export const Certification = z.object({
  /** Whether the provider gets leads at once. */
  active: z.boolean().default(false),
  /** Whether the waiting leads are matched again, as after a sync. Only with an active provider. */
  match_waiting: z.boolean().default(false),
})
export type Certification = z.output<typeof Certification>

export const getApplication = defineCall({
  method: 'GET',
  path: '/api/provider-applications/:id',
  summary: 'Get an application with its stages, notes and deliveries.',
  access: 'viewer',
  input: { params: RowParams },
  output: ApplicationDetails,
})

export const addApplicationNote = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/notes',
  summary: 'Add a note to an application.',
  access: 'agent',
  input: { params: RowParams, body: NewApplicationNote },
})

export const deleteApplicationNote = defineCall({
  method: 'DELETE',
  path: '/api/provider-applications/:id/notes/:noteId',
  summary: 'Delete a note of an application. Agents can delete their own.',
  access: 'agent',
  input: { params: RowParams.extend({ noteId: RowParams.shape.id }) },
})

export const certifyApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/certify',
  summary: 'Certify an application, and make its provider, which no sync with WordPress changes.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: Certification },
})
