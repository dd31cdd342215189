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
        .describe('source of acceptance_message: our form, or a text stated by the client'),
      test: z.literal(true).optional().describe('a test lead by staff; do not call'),
    })
    .describe('the current lead'),
  provider: StaffProvider.pick({ id: true, name: true, practiceName: true, email: true, phone: true, zipCode: true })
    .nullable()
    .describe('the matched provider; null if there is none'),
})

const AboutDeletedLead = z.object({
  lead: Lead.pick({ id: true }).describe('the deleted lead'),
  reason: ErasureReason.describe('reason: staff deleted it, its retention time ended, or the person asked for it'),
})

const payloadOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('time of the event; the same in every attempt'),
    data,
  })

/**
 * The body of a webhook, by Standard Webhooks 1.0.0. `docs/webhook.schema.json` is made from it, so that receivers can
 * check it. Fields may be added; what is here stays.
 */
export const WebhookPayload = z.discriminatedUnion('type', [
  payloadOf('lead.created', AboutLead).describe('A lead came in.'),
  payloadOf('lead.matched', AboutLead).describe('A provider was found for a lead later, or staff chose another.'),
  payloadOf(
    'lead.outcome',
    AboutLead.extend({
      outcome: LeadOutcome.pick({ kind: true, reason: true, booked_for: true, value_cents: true, source: true })
        .extend({ kind: AnswerKind, reason: OutcomeReason.nullable(), source: OutcomeSource.exclude(['crm']) })
        .describe('the current outcome and its source'),
    }),
  ).describe('The clinic, the visitor or staff reported the outcome of a lead.'),
  payloadOf('lead.opted_out', AboutLead).describe(
    'The person of a lead asked not to be contacted. Calls, texts and emails must stop.',
  ),
  payloadOf('test', z.object({})).describe('Staff are testing the connection. It concerns no lead.'),
  payloadOf('lead.deleted', AboutDeletedLead).describe(
    'A lead was permanently deleted. Please delete the data that you received about it.',
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
  const test = 'is_test' in lead && {
    acceptance_wording: isOurWording(lead.acceptance_message) ? 'ours' : 'client',
    ...(lead.is_test && { test: true }),
  }
  const data = { ...event, lead: { ...lead, ...test } }
  return WebhookPayload.parse({ type: `lead.${purpose}`, timestamp: occurredAt, data })
}

/** The body that tests the connection. */
export function testPayload(now: Date): z.output<typeof WebhookPayload> {
  return WebhookPayload.parse({ type: 'test', timestamp: now.toISOString(), data: {} })
}
