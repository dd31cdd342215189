import { z } from 'zod'
import { ActionAnswer, defineCall, PageQuery, RowParams } from './call.ts'
import { consentFields, Email, HeldReason, line, Phone, Signals, text, ZipCode } from './forms.ts'
import { DeliveryStatus, Ledger, RetryAnswer, RetryQuery } from './jobs.ts'

const BAD_WEBSITE = 'Please enter a valid website address'
/** Dots between labels of letters, digits and hyphens, and letters (or `xn--…`) at the end. */
const HOSTNAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+(?=.*[a-z])[a-z0-9-]{2,63}$/

/**
 * The address of a website, whose scheme may be missing: `clinic.example` is `https://clinic.example`. Null if it is
 * none that a person could visit: without a domain, of another scheme, or with a password in it.
 */
export function websiteAddress(typed: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed) ? typed : `https://${typed}`
  if (/[\s\\]/.test(typed) || !URL.canParse(address)) return null
  const { protocol, hostname, username, password, href } = new URL(address)
  const isVisitable = /^https?:$/.test(protocol) && HOSTNAME.test(hostname) && !username && !password
  return isVisitable ? href.replace(/^(https?:\/\/[^/]+)\/$/, '$1') : null
}

/** May be left empty, as browsers send a field that nobody filled in. */
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

/** What a clinic types into the form of the recruitment page, and what `POST /api/provider-applications` takes. */
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

/** The body of `POST /api/provider-applications`. What is wrong in the signals is left out, never a reason to refuse. */
export const NewApplication = ApplicationForm.extend(Signals.shape)
export type NewApplication = z.output<typeof NewApplication>

/** The answer to a stored application: a random number, not the one that staff see. */
export const ApplicationReceipt = z.object({ id: z.number().int() })
export type ApplicationReceipt = z.infer<typeof ApplicationReceipt>

/** How far staff are with an application. */
export const ApplicationStatus = z.enum(['new', 'contacted', 'approved', 'declined'])
export type ApplicationStatus = z.infer<typeof ApplicationStatus>

/** An application as staff see it. */
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
})
export type Application = z.infer<typeof Application>

export const APPLICATIONS_PER_PAGE = 40

/** The query of `GET /api/provider-applications`, the newest first. */
export const ApplicationListQuery = PageQuery(APPLICATIONS_PER_PAGE).extend({ status: ApplicationStatus.optional() })
export type ApplicationListQuery = z.output<typeof ApplicationListQuery>

/** `total` counts those of the status that was asked for, `counts` all of them. */
export const ApplicationList = z.object({
  applications: z.array(Application),
  total: z.number().int(),
  counts: z.record(ApplicationStatus, z.number().int()),
})
export type ApplicationList = z.infer<typeof ApplicationList>

/** The body of `PATCH /api/provider-applications/{id}`. */
export const ApplicationUpdate = z.object({ status: ApplicationStatus })

export const createApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications',
  summary:
    'Apply to join the network. Repeating it with the same Idempotency-Key header, or for the same practice, does not create another one.',
  access: 'public',
  isPublicForm: true,
  input: { body: NewApplication },
  output: ApplicationReceipt,
  status: 201,
})

export const listApplications = defineCall({
  method: 'GET',
  path: '/api/provider-applications',
  summary: 'One page of provider applications, the newest first, and how many there are.',
  access: 'viewer',
  input: { query: ApplicationListQuery },
  output: ApplicationList,
})

export const exportApplications = defineCall({
  method: 'GET',
  path: '/api/provider-applications.csv',
  summary: 'Every provider application, the newest first, as a table for spreadsheets.',
  access: 'manager',
  needsConfirmation: true,
  output: z.string(),
  type: 'text/csv',
})

export const updateApplication = defineCall({
  method: 'PATCH',
  path: '/api/provider-applications/:id',
  summary: 'Set the status of an application.',
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
  output: ActionAnswer,
})

export const listApplicationJobs = defineCall({
  method: 'GET',
  path: '/api/provider-applications/:id/jobs',
  summary: 'Everything that was, is or will be sent for an application.',
  access: 'viewer',
  input: { params: RowParams },
  output: Ledger,
})

export const retryApplicationEmail = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/retry-email',
  summary: 'Send the e-mails of an application again.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const releaseApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/release',
  summary: 'Confirm an application that was held because it looked automated.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})
