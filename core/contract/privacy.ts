import { z } from 'zod'
import { AccessLine } from './access-log.ts'
import { AuditLine } from './audit-log.ts'
import { ActionAnswer, defineCall, PageQuery, RowParams } from './call.ts'
import { LedgerJob } from './jobs.ts'
import { Suppression } from './opt-outs.ts'

/** A form of a visitor, or of a clinic that applied. */
export const ErasureKind = z.enum(['lead', 'application'])
export type ErasureKind = z.infer<typeof ErasureKind>

/** Why a form was deleted for good: by staff, at the end of its time, or because the person asked for it. */
export const ErasureReason = z.enum(['deleted', 'retention', 'request'])
export type ErasureReason = z.infer<typeof ErasureReason>

const MIN_PHONE_DIGITS = 7

/** An e-mail address, or a phone number however it is typed. */
const PersonContact = z
  .string()
  .trim()
  .max(254, 'That is too long for an e-mail address or a phone number')
  .refine(
    (text) =>
      text.includes('@')
        ? z.email().safeParse(text).success
        : /^[\d\s().+/-]+$/.test(text) && text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS,
    { error: 'Type a whole e-mail address or phone number' },
  )

/** The body of `POST /api/privacy/find`. */
export const PersonQuery = z.object({ contact: PersonContact })
export type PersonQuery = z.output<typeof PersonQuery>

/** A form by its kind and number. */
export const FormId = z.object({ kind: ErasureKind, id: z.number().int().positive() })
export type FormId = z.output<typeof FormId>

/** The most forms that are erased at once. */
export const MAX_ERASED = 200

/** The body of `POST /api/privacy/erase`: those of the person's forms that were looked at. */
export const PersonErasure = PersonQuery.extend({
  forms: z.array(FormId).min(1, 'Choose at least one request').max(MAX_ERASED),
})
export type PersonErasure = z.output<typeof PersonErasure>

const Fields = z.record(z.string(), z.unknown())

/** One form of a person, with all that is stored about it. */
export const PersonForm = FormId.extend({
  /** The number of its receipt. */
  reference: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Of one that staff deleted and can restore. */
  deleted_at: z.iso.datetime().nullable(),
  /** What the person typed, and what we know of the visit, by the names of our columns. */
  fields: Fields,
  clinic: z.object({ id: z.number().int(), name: z.string(), email: z.string().nullable() }).nullable(),
  consent: Fields.nullable(),
  /** The delivery ledger: every recipient, time and answer. */
  deliveries: z.array(LedgerJob),
  /** The acts of staff on it, and their readings of it. */
  acts: z.array(AuditLine),
  reads: z.array(AccessLine),
})
export type PersonForm = z.infer<typeof PersonForm>

/** A form that was deleted for good. */
export const ErasedForm = FormId.extend({
  reference: z.string().nullable(),
  sent_at: z.iso.datetime(),
  erased_at: z.iso.datetime(),
  reason: ErasureReason,
  /** The erasure that it was part of, where the person asked for it. */
  request_id: z.number().int().nullable(),
})
export type ErasedForm = z.infer<typeof ErasedForm>

/** Everything about the person with an e-mail address or phone number, the newest form first. */
export const PersonRecord = z.object({
  contact: z.string(),
  at: z.iso.datetime(),
  forms: z.array(PersonForm),
  /** What was deleted for good before. Nothing is left of it but this. */
  erased: z.array(ErasedForm),
  /** When the person asked not to be contacted, and whether that was taken back. */
  do_not_contact: z.array(Suppression),
})
export type PersonRecord = z.infer<typeof PersonRecord>

/** A request to delete a form as well, to the CRM or to a clinic by name, and its state. */
export const ErasureNotice = z.object({
  to: z.string(),
  state: LedgerJob.shape.state,
  /** What went wrong, or why it was not needed. */
  error: z.string().nullable(),
  at: z.iso.datetime(),
})
export type ErasureNotice = z.infer<typeof ErasureNotice>

/** An erasure that a person asked for: its receipt. */
export const ErasureRequest = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  actor: z.string(),
  actor_name: z.string().nullable(),
  forms: z.array(ErasedForm.omit({ request_id: true, reason: true }).extend({ notices: z.array(ErasureNotice) })),
})
export type ErasureRequest = z.infer<typeof ErasureRequest>

export const ERASURES_PER_PAGE = 20

/** The query of `GET /api/privacy/erasures`. */
export const ErasureListQuery = PageQuery(ERASURES_PER_PAGE)
export type ErasureListQuery = z.output<typeof ErasureListQuery>

export const ErasureList = z.object({ erasures: z.array(ErasureRequest), total: z.number().int() })
export type ErasureList = z.infer<typeof ErasureList>

export const findPerson = defineCall({
  method: 'POST',
  path: '/api/privacy/find',
  summary: 'Everything that is stored about the person with an e-mail address or phone number.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: PersonQuery },
  output: PersonRecord,
})

export const erasePerson = defineCall({
  method: 'POST',
  path: '/api/privacy/erase',
  summary:
    'Delete forms of a person for good, and ask CRM and clinics to delete them as well. The answer is the receipt.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: PersonErasure },
  output: ErasureRequest,
})

export const listErasures = defineCall({
  method: 'GET',
  path: '/api/privacy/erasures',
  summary: 'The erasures that persons asked for, the newest first, and how far others are with theirs.',
  access: 'manager',
  input: { query: ErasureListQuery },
  output: ErasureList,
})

export const retryErasure = defineCall({
  method: 'POST',
  path: '/api/privacy/erasures/:id/retry',
  summary: 'Ask those again whom an erasure has not reached.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})
