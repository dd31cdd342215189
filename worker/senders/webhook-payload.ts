import { z } from 'zod'
import { isOurWording } from '../../core/contract/consent.ts'
import { eachLeadField } from '../../core/contract/lead-form.ts'
import { Lead, MatchKind } from '../../core/leads/contract/leads.ts'
import { AnswerKind, LeadOutcome, OutcomeReason, OutcomeSource } from '../../core/leads/contract/outcomes.ts'
import { ErasureReason } from '../../core/privacy/contract/privacy.ts'
import { StaffProvider } from '../../core/providers/contract/providers.ts'
import type { CrmEvent } from './crm-sender.ts'

const AboutLead = z.object({
  lead: Lead.pick({
    id: true,
    ...eachLeadField(() => true as const),
    created_at: true,
    acceptance_consent: true,
    acceptance_message: true,
    match_kind: true,
    match_distance_miles: true,
  })
    // The dashboard accepts any text in these; the webhook never sends anything else than this.
    .extend({
      created_at: z.iso.datetime(),
      match_kind: MatchKind.nullable(),
      acceptance_wording: z
        .enum(['ours', 'client'])
        .describe('whose words acceptance_message has: those of a form of ours, or those stated by the client'),
      test: z.literal(true).optional().describe('staff test their setup with it; nobody is to be called'),
    })
    .describe('the lead as it is now'),
  provider: StaffProvider.pick({ id: true, name: true, practiceName: true, email: true, phone: true, zipCode: true })
    .nullable()
    .describe('whom it was given to; null while nobody is in reach'),
})

const AboutDeletedLead = z.object({
  lead: Lead.pick({ id: true }).describe('all that is left of it here'),
  reason: ErasureReason.describe('why: staff deleted it, its time was over, or the person asked for it'),
})

const payloadOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('when it happened; the same in every attempt to tell it'),
    data,
  })

/**
 * The body of a webhook, by Standard Webhooks 1.0.0. `docs/webhook.schema.json` is made from it, so that whoever receives
 * it can check it. Fields may be added; what is here stays.
 */
export const WebhookPayload = z.discriminatedUnion('type', [
  payloadOf('lead.created', AboutLead).describe('A lead came in.'),
  payloadOf('lead.matched', AboutLead).describe('A provider was found for a lead later, or staff chose another.'),
  payloadOf(
    'lead.outcome',
    AboutLead.extend({
      outcome: LeadOutcome.pick({ kind: true, reason: true, booked_for: true, value_cents: true, source: true })
        .extend({ kind: AnswerKind, reason: OutcomeReason.nullable(), source: OutcomeSource.exclude(['crm']) })
        .describe('what became of it, as far as known now, and who said so'),
    }),
  ).describe('Somebody stated what became of a lead: its clinic, the visitor, or staff.'),
  payloadOf('lead.opted_out', AboutLead).describe(
    'The person of a lead asked not to be contacted. Calls, texts and e-mails must stop.',
  ),
  payloadOf('test', z.object({})).describe(
    'Staff test the connection. It is about no lead, and there is nothing to do.',
  ),
  payloadOf('lead.deleted', AboutDeletedLead).describe(
    'A lead was deleted for good. What you learned about it from us should be deleted as well.',
  ),
])

/** Returns the JSON schema of `WebhookPayload`, which is `docs/webhook.schema.json`. */
export const webhookSchema = () =>
  z.toJSONSchema(WebhookPayload, {
    io: 'input',
    // The format says it, and a person can read that.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })

/** The body that tells an event: what the schema knows of it, and nothing else. */
export function webhookPayload({ purpose, occurredAt, ...event }: CrmEvent): z.output<typeof WebhookPayload> {
  const { lead } = event
  const told = 'is_test' in lead && {
    acceptance_wording: isOurWording(lead.acceptance_message) ? 'ours' : 'client',
    ...(lead.is_test && { test: true }),
  }
  const data = { ...event, lead: { ...lead, ...told } }
  return WebhookPayload.parse({ type: `lead.${purpose}`, timestamp: occurredAt, data })
}

/** The body that tests the connection. */
export function testPayload(now: Date): z.output<typeof WebhookPayload> {
  return WebhookPayload.parse({ type: 'test', timestamp: now.toISOString(), data: {} })
}
