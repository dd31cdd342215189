import { z } from 'zod'

/**
 * Control characters, lone surrogates and line separators: they break headers, logs and the database. U+FFFD is what is
 * left of bytes that were no UTF-8: what was typed is lost.
 */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u
/** As above, but a text of several lines may have tabs and line breaks. */
const UNUSABLE_IN_TEXT = /[^\P{Cc}\t\r\n]|[\p{Cs}\ufffd]/u

const line = (label: string, max: number) =>
  z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .max(max, `${label} must be ${max} characters or fewer`)
    .refine((text) => !UNUSABLE.test(text), `${label} contains characters that cannot be used`)

const optionalLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !UNUSABLE.test(text))
    .optional()
    .catch(undefined)

/**
 * A US zip code of five digits in the range that the postal service assigns:
 * 00501 (Holtsville, NY) to 99950 (Ketchikan, AK). Source: USPS Publication 65.
 */
const ZipCode = z
  .string({ error: 'Zip code is required' })
  .trim()
  .min(1, 'Zip code is required')
  .regex(/^\d{5}$/, 'Please enter a valid 5-digit zip code')
  .refine((zip) => zip >= '00501' && zip <= '99950', 'Please enter a valid 5-digit zip code')

const CONSENT_REQUIRED = 'You must agree to receive communications to continue.'

/** How a visitor came to the site: one visit's landing page, referrer and campaign ids. */
const Touch = z.object({
  landing_page: optionalLine(500),
  referrer: optionalLine(500),
  utm_source: optionalLine(200),
  utm_medium: optionalLine(200),
  utm_campaign: optionalLine(200),
  utm_term: optionalLine(200),
  utm_content: optionalLine(200),
  gclid: optionalLine(200),
  msclkid: optionalLine(200),
  fbclid: optionalLine(200),
})

export const Attribution = z.object({
  first: Touch.optional().catch(undefined),
  last: Touch.optional().catch(undefined),
})

/** What a visitor types into every lead form, and what `POST /api/leads` takes. */
export const LeadForm = z.object({
  first_name: line('First name', 100),
  last_name: line('Last name', 100),
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .min(1, 'Email is required')
    .max(254, 'Email must be 254 characters or fewer')
    .pipe(z.email('Invalid email format')),
  phone: line('Phone number', 40),
  zip_code: ZipCode,
  acceptance_consent: z.boolean({ error: CONSENT_REQUIRED }).refine((agreed) => agreed, CONSENT_REQUIRED),
  acceptance_message: z
    .string()
    .max(2000, 'Consent wording must be 2000 characters or fewer')
    .refine((text) => !UNUSABLE_IN_TEXT.test(text), 'Consent wording contains characters that cannot be used')
    .default(''),
})
export type LeadForm = z.output<typeof LeadForm>

/** The body of `POST /api/leads`. Attribution is a courtesy: what is wrong in it is left out, never a reason to refuse. */
export const NewLead = LeadForm.extend({ attribution: Attribution.optional().catch(undefined) })
export type NewLead = z.output<typeof NewLead>

/** The query of `POST /api/leads`. A provider id that makes no sense is as good as none: a lead is not lost for it. */
export const NewLeadQuery = z.object({
  providerId: z.coerce.number().int().positive().max(2_147_483_647).optional().catch(undefined),
})

/** The `Idempotency-Key` header, made once per form. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'The Idempotency-Key header must be 1 to 200 visible ASCII characters')
  .optional()

/** The answer to a stored lead; without `providerId` no provider is in reach yet. */
export const LeadReceipt = z.object({ id: z.number().int(), providerId: z.number().int().optional() })
export type LeadReceipt = z.infer<typeof LeadReceipt>

export const CrmSyncStatus = z.enum(['pending', 'success', 'failed'])
export type CrmSyncStatus = z.infer<typeof CrmSyncStatus>

export const MatchKind = z.enum(['chosen', 'nearest', 'staff'])
export type MatchKind = z.infer<typeof MatchKind>

/** A lead as staff see it. Distances are in miles, times ISO 8601. */
export const Lead = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  zip_code: z.string(),
  provider_id: z.number().int().nullable(),
  created_at: z.iso.datetime(),
  crm_sync_status: CrmSyncStatus,
  email_status: CrmSyncStatus,
  acceptance_message: z.string(),
  acceptance_consent: z.boolean(),
  acceptance_ip: z.string().nullable(),
  matched_at: z.iso.datetime().nullable(),
  match_kind: MatchKind.nullable(),
  match_distance_miles: z.number().nullable(),
})
export type Lead = z.infer<typeof Lead>

export const LEADS_PER_PAGE = 40

const LeadSort = z.enum(['created_at', '-created_at'])

/** The query of `GET /api/leads`. */
export const LeadListQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(LEADS_PER_PAGE),
  sort: LeadSort.default('-created_at'),
})
export type LeadListQuery = z.output<typeof LeadListQuery>

export const LeadList = z.object({ leads: z.array(Lead), total: z.number().int() })
export type LeadList = z.infer<typeof LeadList>

export const LeadParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) })

export const AssignProvider = z.object({
  providerId: z.number({ error: 'Choose a provider' }).int().positive().max(2_147_483_647),
})
