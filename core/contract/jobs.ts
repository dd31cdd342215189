import { z } from 'zod'

export const JobName = z.enum(['match-lead', 'send-email', 'sync-crm'])
export type JobName = z.infer<typeof JobName>

/** Why a job of that name exists: which e-mail, or which event the CRM is told. */
export const EmailPurpose = z.enum(['provider', 'visitor', 'team'])
export type EmailPurpose = z.infer<typeof EmailPurpose>
export const CrmPurpose = z.enum(['created', 'matched'])
export type CrmPurpose = z.infer<typeof CrmPurpose>

export const JobState = z.enum(['waiting', 'enqueued', 'done', 'failed', 'cancelled'])
export type JobState = z.infer<typeof JobState>

/** One row of the delivery ledger, as staff see it. */
export const LeadJob = z.object({
  id: z.uuid(),
  name: JobName,
  purpose: z.string(),
  generation: z.number().int(),
  state: JobState,
  attempts: z.number().int(),
  next_attempt_at: z.iso.datetime(),
  last_error: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.iso.datetime(),
  enqueued_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
})
export type LeadJob = z.infer<typeof LeadJob>

/** The answer of the calls that start something again: what will happen, or why not. */
export const ActionAnswer = z.object({ success: z.boolean(), error: z.string().optional() })
export type ActionAnswer = z.infer<typeof ActionAnswer>
