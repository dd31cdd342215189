import { z } from 'zod'
import { HOUR } from '../time.ts'
import { Application, ApplicationStatus } from './applications.ts'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { text } from './forms.ts'

/** Items of the checklist of an approved application that staff tick. */
export const ApplicationCheck = z.enum(['agreement', 'license', 'training'])
export type ApplicationCheck = z.infer<typeof ApplicationCheck>

/** The person who did something, as in the audit log. */
const Doer = z.object({ at: z.iso.datetime(), actor: z.string(), actor_name: z.string().nullable() })

/** A change of the status. The first stage, `new`, has no person. */
export const ApplicationStage = Doer.extend({ status: ApplicationStatus, actor: z.string().nullable() })
export type ApplicationStage = z.infer<typeof ApplicationStage>

/** A note of staff. */
export const ApplicationNote = Doer.extend({ id: z.number().int(), text: z.string() })
export type ApplicationNote = z.infer<typeof ApplicationNote>

/** The time for which waiting people count as demand. */
export const DEMAND_DAYS = 90

/** In degrees. */
const POINT = { latitude: z.number(), longitude: z.number() }

/** The people without a clinic around the zip of an application. */
export const ApplicationDemand = z.object({
  radius_miles: z.number(),
  /** Where the practice is, by its zip. Null while that cannot be placed on the map. */
  here: z.object(POINT).nullable(),
  /** Null while the zip cannot be placed on the map. */
  people: z.number().int().nullable(),
  /** The places with the most people. Distances are in miles. */
  places: z.array(
    z.object({ ...POINT, city: z.string(), state: z.string().nullable(), people: z.number().int(), miles: z.number() }),
  ),
  /** The nearest active clinic. */
  nearest: z.object({ id: z.number().int(), name: z.string(), miles: z.number() }).nullable(),
  /** The nearest active clinics, for the map. */
  clinics: z.array(z.object({ ...POINT, id: z.number().int(), name: z.string() })),
})
export type ApplicationDemand = z.infer<typeof ApplicationDemand>

/** A clinic or another application that may be of the same practice. */
export const LikelyDuplicate = z.object({
  kind: z.enum(['provider', 'application']),
  id: z.number().int(),
  name: z.string(),
  /** `active` or `inactive` for a clinic, otherwise the status of the application. */
  status: z.union([z.enum(['active', 'inactive']), ApplicationStatus]),
  /** `name`: the same name of a practice within 50 miles. */
  reasons: z.array(z.enum(['email', 'phone', 'website', 'name'])),
})
export type LikelyDuplicate = z.infer<typeof LikelyDuplicate>

/** An application with everything that the dashboard shows beside the list. */
export const ApplicationDetails = Application.extend({
  place: z.object({ city: z.string(), state: z.string().nullable() }).nullable(),
  /** The oldest first. */
  stages: z.array(ApplicationStage),
  /** The oldest first. */
  notes: z.array(ApplicationNote),
  /** The ticked items. */
  checks: z.array(Doer.extend({ item: ApplicationCheck })),
  demand: ApplicationDemand,
  duplicates: z.array(LikelyDuplicate),
  /** The clinic that was made of it. */
  provider: z
    .object({
      id: z.number().int(),
      status: z.enum(['active', 'inactive']),
    })
    .nullable(),
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

/** The body of `assignApplication`. Null: without an owner. */
export const ApplicationOwner = z.object({ owner_id: RowParams.shape.id.nullable() })

const MAX_NOTE = 2000

/** The body of `addApplicationNote`. */
export const NewApplicationNote = z.object({
  text: text('Note', MAX_NOTE).refine((typed) => typed.trim() !== '', { error: 'Write a note first' }),
})

/** The body of `certifyApplication`. */
export const Certification = z.object({
  /** Whether the provider gets leads at once. */
  active: z.boolean().default(false),
  /** Whether the waiting leads are matched again, as after a sync. Only with an active provider. */
  match_waiting: z.boolean().default(false),
})
export type Certification = z.output<typeof Certification>

/** The body of `checkApplication`. */
export const ApplicationCheckUpdate = z.object({ item: ApplicationCheck, done: z.boolean() })

export const getApplication = defineCall({
  method: 'GET',
  path: '/api/provider-applications/:id',
  summary: 'Get an application with its stages, notes, the demand around it, and likely duplicates.',
  access: 'viewer',
  input: { params: RowParams },
  output: ApplicationDetails,
})

export const assignApplication = defineCall({
  method: 'PATCH',
  path: '/api/provider-applications/:id/owner',
  summary: 'Set or clear the owner of an application.',
  access: 'manager',
  input: { params: RowParams, body: ApplicationOwner },
  output: ActionAnswer,
})

export const addApplicationNote = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/notes',
  summary: 'Add a note to an application.',
  access: 'agent',
  input: { params: RowParams, body: NewApplicationNote },
  output: ActionAnswer,
})

const NoteParams = RowParams.extend({ noteId: RowParams.shape.id })

export const deleteApplicationNote = defineCall({
  method: 'DELETE',
  path: '/api/provider-applications/:id/notes/:noteId',
  summary: 'Delete a note of an application. Agents can delete their own.',
  access: 'agent',
  input: { params: NoteParams },
  output: ActionAnswer,
})

export const restoreApplicationNote = defineCall({
  method: 'POST',
  path: '/api/provider-applications/:id/notes/:noteId/restore',
  summary: 'Restore a note of an application that was deleted within the last hour.',
  access: 'agent',
  input: { params: NoteParams },
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

export const checkApplication = defineCall({
  method: 'PATCH',
  path: '/api/provider-applications/:id/checks',
  summary: 'Tick an item of the checklist of an application, or clear it.',
  access: 'manager',
  input: { params: RowParams, body: ApplicationCheckUpdate },
  output: ActionAnswer,
})
