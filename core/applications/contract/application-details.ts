import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { text } from '../../contract/forms.ts'
import { Ledger } from '../../deliveries/contract/jobs.ts'
import { HOUR } from '../../time.ts'
import { Application, ApplicationStatus } from './applications.ts'

/** The person who did something, as in the audit log. */
const Doer = z.object({ at: z.iso.datetime(), actor: z.string(), actor_name: z.string().nullable() })

/** A change of the status. The first stage, `new`, has no person. */
export const ApplicationStage = Doer.extend({ status: ApplicationStatus, actor: z.string().nullable() })
export type ApplicationStage = z.infer<typeof ApplicationStage>

/** A note of staff. */
export const ApplicationNote = Doer.extend({ id: z.number().int(), text: z.string() })
export type ApplicationNote = z.infer<typeof ApplicationNote>

/** An application with everything that the dashboard shows beside the list. */
export const ApplicationDetails = Application.extend({
  place: z.object({ city: z.string(), state: z.string().nullable() }).nullable(),
  /** The oldest first. */
  stages: z.array(ApplicationStage),
  /** The oldest first. */
  notes: z.array(ApplicationNote),
  /** The clinic that was made of it. */
  provider: z
    .object({
      id: z.number().int(),
      status: z.enum(['active', 'inactive']),
    })
    .nullable(),
  /** The deliveries, past and planned. */
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

/** The body of `addApplicationNote`. */
export const NewApplicationNote = z.object({
  text: text('Note', MAX_APPLICATION_NOTE).refine((typed) => typed.trim() !== '', { error: 'Write a note first' }),
})

/** The body of `certifyApplication`. */
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
  output: ActionAnswer,
})

export const deleteApplicationNote = defineCall({
  method: 'DELETE',
  path: '/api/provider-applications/:id/notes/:noteId',
  summary: 'Delete a note of an application. Agents can delete their own.',
  access: 'agent',
  input: { params: RowParams.extend({ noteId: RowParams.shape.id }) },
  output: ActionAnswer,
})

export const certifyApplication = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/certify',
  summary: 'Certify an application, and make its provider, which no sync with WordPress changes.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: Certification },
  output: ActionAnswer,
})
