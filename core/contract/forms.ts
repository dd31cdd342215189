import { z } from 'zod'
import { defineCall, RowParams } from './call.ts'
import { CONSENT, type ConsentForm, consentOfVersion } from './consent.ts'
import { formatCount } from './texts.ts'

/** The longest address that SMTP carries (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL_LENGTH = 254

/**
 * Matches what a browser's field of the type email takes (HTML, “valid email address”; `z.regexes.html5Email`), as far as SMTP
 * can reach it: the local part is a dot-string (RFC 5321, 4.1.2), and the domain ends with a name of two or more characters
 * that is no number. No character of it can end a header or a command.
 */
const EMAIL_ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i

/** Invisible characters, which copy and paste brings along: zero width spaces, direction marks, soft hyphens. */
const FORMAT_CHARACTERS = /\p{Cf}/gu

export function visible(text: string): string {
  return text.replace(FORMAT_CHARACTERS, '')
}

/** Returns a typed line without invisible characters and outer spaces. */
export const cleaned = (typed: string) => visible(typed).trim()

/** Returns whether a text is exactly one email address that can be written to. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL_ADDRESS.test(text)
}

/** Returns the schema of one email address, which is cleaned. Every address that is typed, synced, set or sent to goes by it. */
export const emailAddress = (error: string, tooLong = error) =>
  z
    .string()
    .overwrite(cleaned)
    .pipe(z.email({ pattern: EMAIL_ADDRESS, error }).max(MAX_EMAIL_LENGTH, tooLong))

/**
 * Matches characters that no field may hold. Control characters, lone surrogates and line separators break headers, logs
 * and the database. U+FFFD replaces bytes that were not UTF-8, so the typed text is lost.
 */
export const UNUSABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u
/** Like `UNUSABLE`, but allows tabs and line breaks. */
const UNUSABLE_IN_TEXT = /[^\P{Cc}\t\r\n]|[\p{Cs}\ufffd]/u

/** Returns the schema of a required field of one line. Invisible characters are left out. */
export const line = (label: string, max: number, tooLong = `${label} must be ${max} characters or fewer`) =>
  z
    .string({ error: `${label} is required` })
    .overwrite(cleaned)
    .min(1, `${label} is required`)
    .max(max, tooLong)
    .refine((text) => !UNUSABLE.test(text), `${label} contains characters that cannot be used`)

/** Returns the schema of a text of several lines, which may be empty. */
export const text = (label: string, max: number) =>
  z
    .string()
    .max(max, `${label} must be ${max} characters or fewer`)
    .refine((typed) => !UNUSABLE_IN_TEXT.test(typed), `${label} contains characters that cannot be used`)

/** Returns the schema of an optional line that is ignored if it is invalid. */
const optionalLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((typed) => !UNUSABLE.test(typed))
    .optional()
    .catch(undefined)

export const Email = z
  .string({ error: 'Email is required' })
  .overwrite(cleaned)
  .min(1, 'Email is required')
  .max(MAX_EMAIL_LENGTH, `Email must be ${MAX_EMAIL_LENGTH} characters or fewer`)
  .pipe(emailAddress('Invalid email format'))

export const Phone = line('Phone number', 40)

/**
 * A US zip code of five digits in the range that the postal service assigns:
 * 00501 (Holtsville, NY) to 99950 (Ketchikan, AK). Source: USPS Publication 65.
 */
export const ZipCode = z
  .string({ error: 'Zip code is required' })
  .overwrite(cleaned)
  .min(1, 'Zip code is required')
  .regex(/^\d{5}$/, 'Please enter a valid 5-digit zip code')
  .refine((zip) => zip >= '00501' && zip <= '99950', 'Please enter a valid 5-digit zip code')

const CONSENT_REQUIRED = 'You must agree to receive communications to continue.'

const UNKNOWN_CONSENT = 'This form has changed. Please reload the page, read what you agree to, and send it again.'

/** Whether a consent is read aloud by staff. No form shows it. */
const isReadAloud = (version: string) => version === CONSENT.phone.version

/**
 * Returns the consent fields of a form. `consent_version` or the wording in `acceptance_message` names the text that was
 * shown (`consent.ts`), and the server stores its own text of it. Any other `acceptance_message` is stored as the words that
 * the client states.
 */
export const consentFields = (form: ConsentForm) => ({
  acceptance_consent: z
    .boolean({ error: CONSENT_REQUIRED })
    .refine((agreed) => agreed, CONSENT_REQUIRED)
    .describe('Whether the person agreed. A form without a consent is refused.'),
  acceptance_message: ClientWording,
  consent_version: z
    .string()
    .refine(
      (version) => version === '' || (consentOfVersion(form, version) !== null && !isReadAloud(version)),
      UNKNOWN_CONSENT,
    )
    .optional()
    .describe(
      'Only for forms that show a consent text of this site: its version, instead of its words. Leave it out otherwise. An unknown version is refused.',
    ),
})

/** The most characters of a wording that a client states. */
const MAX_WORDING = 10_000

/** Characters that the database cannot store become U+FFFD, because a form is not refused for its wording. */
const ClientWording = z
  .string()
  .max(MAX_WORDING, `Consent wording must be ${formatCount(MAX_WORDING)} characters or fewer`)
  .transform((wording) => wording.replace(/\0|\p{Cs}/gu, '\ufffd'))
  .nullish()
  .transform((wording) => wording ?? '')
  .describe(
    'The words that the person agreed to, any text. Empty or left out if there were none. They are stored and passed on word for word, as the wording that the client states.',
  )

/**
 * Signals that distinguish a program from a person (`core/leads/rules/holds.ts`). They are never stored. Missing and
 * invalid signals count as those of a person.
 */
export const Signals = z.object({
  /** A honeypot: people do not see the field, so only programs fill it in. */
  topic: z.string().optional().catch(undefined),
  /** Milliseconds from opening the page to sending the form. */
  elapsed_ms: z.number().nonnegative().optional().catch(undefined),
  /** Whether the browser saw a trusted pointer, touch or key event. */
  touched: z.boolean().optional().catch(undefined),
})
export type Signals = z.output<typeof Signals>

/**
 * The reason for which a form is held for review by staff. `other` stands for an unknown reason. No form is held for
 * `unknown_wording`, but older ones may still wait.
 */
export const HeldReason = z.enum([
  'honeypot',
  'too_fast',
  'other_site',
  'unknown_wording',
  'odd_name',
  'many_to_visitor',
  'many_from_address',
  'many_to_clinic',
  'many_in_all',
  'do_not_contact',
  'other',
])
export type HeldReason = z.infer<typeof HeldReason>

/**
 * The reasons for which we cannot prove what the person agreed to. Before such a lead is released, staff say how the consent
 * was given.
 */
const WITHOUT_CONSENT: ReadonlySet<HeldReason> = new Set<HeldReason>(['other_site', 'unknown_wording'])

export const lacksConsent = (reason: HeldReason | null): boolean => reason !== null && WITHOUT_CONSENT.has(reason)

/** How staff learned that a person agrees: `read_aloud` is the text for the phone (`consent.ts`). */
export const ConfirmedConsent = z.enum(['read_aloud', 'in_writing'])
export type ConfirmedConsent = z.infer<typeof ConfirmedConsent>

export const CONFIRMED_CONSENTS: Record<ConfirmedConsent, string> = {
  read_aloud: 'I called, read this aloud, and the person agreed',
  in_writing: 'I have the agreement of the person in writing',
}

export const HELD_REASONS: Record<HeldReason, string> = {
  honeypot: 'A field that people cannot see was filled in.',
  too_fast: 'The form was sent within two seconds of opening the page, without a click, a touch or a key.',
  other_site:
    'Another site’s page sent the form, and FORM_ORIGINS does not name that site: the person may not have seen our form, or may not know that it was sent.',
  unknown_wording: 'The form did not name a consent that we know, so we cannot prove what the person agreed to.',
  odd_name: 'The name contains an address, a link or a phone number, or is longer than names are.',
  many_to_visitor: 'More forms named this email address within an hour or a day than one person sends.',
  many_from_address:
    'More forms came from one network address within an hour than ADDRESS_LEADS_PER_HOUR allows: one person or program may have sent them all.',
  many_to_clinic: 'More forms came for this clinic within an hour than CLINIC_LEADS_PER_HOUR allows.',
  many_in_all: 'More forms came within an hour than LEADS_PER_HOUR allows.',
  do_not_contact: 'This person asked not to be contacted.',
  other: 'The form looked automated.',
}

/** The reasons about which the team gets one email an hour, instead of one for each form. */
export const NOTIFIED_HOURLY: HeldReason[] = [
  'other_site',
  'many_to_visitor',
  'many_from_address',
  'many_to_clinic',
  'many_in_all',
]

/** The `Idempotency-Key` header, the same for every attempt to send a form. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'The Idempotency-Key header must be 1 to 200 visible ASCII characters')
  .optional()

/** The advertising networks whose click ids in an address the browser recognizes. The ids themselves are neither sent nor stored. */
export const CLICK_NETWORKS = ['google', 'microsoft', 'facebook'] as const

/** The origin of one visit: landing page, referrer, campaign, and the network of a click on an ad. */
const Touch = z.object({
  landing_page: optionalLine(500),
  referrer: optionalLine(500),
  utm_source: optionalLine(200),
  utm_medium: optionalLine(200),
  utm_campaign: optionalLine(200),
  utm_term: optionalLine(200),
  utm_content: optionalLine(200),
  network: z.enum(CLICK_NETWORKS).optional().catch(undefined),
})

export const Attribution = z.object({
  first: Touch.optional().catch(undefined),
  last: Touch.optional().catch(undefined),
})

/**
 * The fields that a visitor types, with their schemas. Each is a text column of `leads` of the same name. Forms, API, storage,
 * export, webhook and the comparison with repeats derive from this list. A new field is optional.
 */
export const LEAD_FIELDS = {
  first_name: line('First name', 100),
  last_name: line('Last name', 100),
  email: Email,
  phone: Phone,
  zip_code: ZipCode,
}

export type LeadField = keyof typeof LEAD_FIELDS

export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as LeadField[]

export function eachLeadField<Value>(map: (name: LeadField) => Value) {
  return Object.fromEntries(LEAD_FIELD_NAMES.map((name) => [name, map(name)])) as Record<LeadField, Value>
}

export const LeadForm = z.object({ ...LEAD_FIELDS, ...consentFields('lead') })

export type LeadForm = z.output<typeof LeadForm>

const UNKNOWN_ZIP = 'Please enter a valid 5-digit zip code'

/** The fields of the finder, which takes any zip code. A lead with one that does not exist stays unmatched. */
export const FinderForm = LeadForm.extend({ zip_code: line('Zip code', 10, UNKNOWN_ZIP) })

/** The body of `createLead`. Invalid attribution and signals are ignored, so that the lead is kept. */
export const NewLead = FinderForm.extend({
  attribution: Attribution.optional().catch(undefined),
  ...Signals.shape,
}).refine((lead) => isOfFinder(lead) || !lead.zip_code || ZipCode.safeParse(lead.zip_code).success, {
  path: ['zip_code'],
  error: UNKNOWN_ZIP,
  // Also with other faults, so that a form names all of them at once.
  when: ({ value }) => typeof value === 'object' && value !== null,
})

/** Returns whether a lead was sent by the finder, from the consent that it names. */
function isOfFinder({ consent_version, acceptance_message }: Pick<LeadForm, 'consent_version' | 'acceptance_message'>) {
  const consent = consent_version ? consentOfVersion('lead', consent_version) : { wording: acceptance_message }
  return consent?.wording === CONSENT.finder.wording
}

export type NewLead = z.output<typeof NewLead>

/** The query of `createLead`. An invalid provider id is ignored, so that the lead is kept. */
export const NewLeadQuery = z.object({
  providerId: RowParams.shape.id.optional().catch(undefined),
})

/**
 * The answer to a stored lead. It depends on the form and on the number of forms, never on what else is known about a
 * person, because a stranger may have typed the address or the number. A person who asked before may therefore be called by
 * another clinic: only the email names it.
 */
export const LeadReceipt = z.object({
  id: z.number().int().describe('A random number of this form. It differs from the number that staff see.'),
  providerId: z
    .number()
    .int()
    .optional()
    .describe(
      'The provider that was chosen, or else the one for this zip code. Missing if none is in the area, or with `inReview`.',
    ),
  inReview: z
    .literal(true)
    .optional()
    .describe(
      'The lead is stored, and our team looks at it before a provider gets it: a browser sent it from the page of another site that is not in FORM_ORIGINS, it looks as if a program had filled it in, or there were more forms than a cap allows. The caps count forms within an hour: those that name one email address (VISITOR_LEADS_PER_HOUR, and twice as many within a day), from one network address (ADDRESS_LEADS_PER_HOUR), for one provider (CLINIC_LEADS_PER_HOUR) and in all (LEADS_PER_HOUR).',
    ),
})

export type LeadReceipt = z.infer<typeof LeadReceipt>

export const createLead = defineCall({
  method: 'POST',
  path: '/api/leads',
  summary:
    'Submit a lead. A repetition with the same Idempotency-Key header, or of the same form within ten minutes, creates no second lead.',
  description:
    'Seven fields are enough: `first_name`, `last_name`, `email`, `phone`, `zip_code`, `acceptance_consent` and `acceptance_message`, without a cookie and without further headers. The lead goes to its provider at once, unless the answer has `inReview`. Invalid `attribution`, `topic`, `elapsed_ms` and `touched` are ignored; leave them out unless a form of this site is filled in.',
  access: 'public',
  isPublicForm: true,
  input: { query: NewLeadQuery, body: NewLead },
  output: LeadReceipt,
  status: 201,
})
