import type { z } from 'zod'
import type { LeadForm } from '../../../core/contract/leads.ts'

/** What a lead form holds, before it is checked. */
export type LeadFields = z.input<typeof LeadForm>

export const FIELD_NAMES = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'zip_code',
  'acceptance_consent',
] as const satisfies (keyof LeadFields)[]
