import type { z } from 'zod'
import { LEAD_FIELD_NAMES, type LeadForm } from '../../../core/contract/leads.ts'

/** The values of a lead form before validation. */
export type LeadFields = z.input<typeof LeadForm>

export const FIELD_NAMES = [...LEAD_FIELD_NAMES, 'acceptance_consent'] as const satisfies (keyof LeadFields)[]
