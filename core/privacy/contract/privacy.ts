import { z } from 'zod'
import { defineCall, PageQuery, RowParams } from '../../contract/call.ts'
import { cleaned, isEmailAddress } from '../../contract/forms.ts'
import { asciiDigits, phoneNumbers } from '../../contract/texts.ts'
import { LedgerEdit, LedgerJob } from '../../deliveries/contract/jobs.ts'
import { LeadWork } from '../../leads/contract/leads.ts'
import { LeadOutcome } from '../../leads/contract/outcomes.ts'
import { AccessLine, AuditLine } from '../../staff/contract/audit-log.ts'
import { ClinicOptOut, Suppression } from './opt-outs.ts'

export const ErasureKind = z.enum(['lead', 'application'])
export type ErasureKind = z.infer<typeof ErasureKind>

/** The reason of a permanent deletion: by staff, at the end of the retention period, or at the person's request. */
export const ErasureReason = z.enum(['deleted', 'retention', 'request'])
export type ErasureReason = z.infer<typeof ErasureReason>

/** A text with fewer digits is no phone number: different people type the same one. */
export const MIN_PHONE_DIGITS = 7

/** An email address, or a phone number in any format. */
const PersonContact = z
  .string()
  .overwrite(cleaned)
  .max(254, 'That is too long for an email address or a phone number')
  .refine(
    (text) =>
      text.includes('@')
        ? isEmailAddress(text)
        : phoneNumbers(text).length > 0 ||
          (/^[^\p{L}]+$/u.test(text) && asciiDigits(text).replace(/\D/g, '').length >= MIN_PHONE_DIGITS),
    { error: 'Type a whole email address or phone number' },
  )

export const PersonQuery = z.object({ contact: PersonContact })

export const FormId = z.object({ kind: ErasureKind, id: z.number().int().positive() })
export type FormId = z.output<typeof FormId>

/** The most forms that one call can erase. */
const MAX_ERASED = 200

/** The body of `erasePerson`. `forms` are those that were shown before. */
const PersonErasure = PersonQuery.extend({
  forms: z.array(FormId).min(1, 'Choose at least one request').max(MAX_ERASED),
})

const Fields = z.record(z.string(), z.unknown())
const Clinic = z.object({ id: z.number().int(), name: z.string(), email: z.string().nullable() })

/** A form of a person, with everything stored about it. */
export const PersonForm = FormId.extend({
  reference: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Set while staff can restore the deleted form. */
  deleted_at: z.iso.datetime().nullable(),
  /** The typed fields and the data of the visit, by column name. */
  fields: Fields,
  /** The clinics that got the lead: by an email that was delivered, or by opening its page. */
  clinics: z.array(Clinic).default([]),
  consent: Fields.nullable(),
  /** The delivery ledger: every recipient, time and answer. */
  deliveries: z.array(LedgerJob),
  /** Copies of what was sent about a lead, by the ids of the deliveries: emails without their secrets, and payloads for the CRM. */
  messages: z.array(z.object({ job_id: z.uuid(), at: z.iso.datetime(), content: z.unknown() })).default([]),
  edits: z.array(LedgerEdit).default([]),
  work: LeadWork.nullable().default(null),
  /** What clinics, staff, the visitor and the CRM said became of a lead, with their notes. */
  outcomes: z.array(LeadOutcome).default([]),
  opt_outs: z.array(ClinicOptOut).default([]),
  /** The acts on the form, and the readings of it, without the IP addresses of staff. */
  acts: z.array(AuditLine.omit({ ip: true })),
  reads: z.array(AccessLine.omit({ ip: true })),
  /** The rows of all other tables about the form, by table. */
  other: z.record(z.string(), z.array(Fields)).default({}),
})
export type PersonForm = z.infer<typeof PersonForm>

export const ErasedForm = FormId.extend({
  reference: z.string().nullable(),
  sent_at: z.iso.datetime(),
  erased_at: z.iso.datetime(),
  reason: ErasureReason,
  /** The erasure request that the form was part of, if any. */
  request_id: z.number().int().nullable(),
})
export type ErasedForm = z.infer<typeof ErasedForm>

/** Everything stored about the person with an email address or phone number. Newest form first. */
export const PersonRecord = z.object({
  contact: z.string(),
  at: z.iso.datetime(),
  forms: z.array(PersonForm),
  /** Forms that were deleted permanently before. No other data of them is left. */
  erased: z.array(ErasedForm),
  /** The opt-outs of the person, including lifted ones. */
  do_not_contact: z.array(Suppression),
})
export type PersonRecord = z.infer<typeof PersonRecord>

/** A request to the CRM or to a clinic (by name) to delete its copy of a form. */
export const ErasureNotice = z.object({
  to: z.string(),
  state: LedgerJob.shape.state,
  /** The error, or the reason for which it was not needed. */
  error: z.string().nullable(),
  at: z.iso.datetime(),
})
export type ErasureNotice = z.infer<typeof ErasureNotice>

/** The receipt of an erasure that a person requested. */
export const ErasureRequest = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  actor: z.string(),
  actor_name: z.string().nullable(),
  forms: z.array(ErasedForm.omit({ request_id: true, reason: true }).extend({ notices: z.array(ErasureNotice) })),
})
export type ErasureRequest = z.infer<typeof ErasureRequest>

export const ERASURES_PER_PAGE = 20

export const ErasureListQuery = PageQuery(ERASURES_PER_PAGE)
export type ErasureListQuery = z.output<typeof ErasureListQuery>

export const ErasureList = z.object({ erasures: z.array(ErasureRequest), total: z.number().int() })
export type ErasureList = z.infer<typeof ErasureList>

export const findPerson = defineCall({
  method: 'POST',
  path: '/api/privacy/find',
  summary: 'Find data stored about the person with an email address or phone number.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: PersonQuery },
  output: PersonRecord,
})

export const erasePerson = defineCall({
  method: 'POST',
  path: '/api/privacy/erase',
  summary:
    'Delete forms of a person permanently, and ask CRM and clinics to delete their copies. Answers with the receipt.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: PersonErasure },
  output: ErasureRequest,
})

export const listErasures = defineCall({
  method: 'GET',
  path: '/api/privacy/erasures',
  summary: 'List the requested erasures, newest first, with the state at the CRM and the clinics.',
  access: 'manager',
  input: { query: ErasureListQuery },
  output: ErasureList,
})

export const retryErasure = defineCall({
  method: 'POST',
  path: '/api/privacy/erasures/:id/retry',
  summary: 'Retry the failed deletion requests of an erasure.',
  access: 'manager',
  input: { params: RowParams },
})
