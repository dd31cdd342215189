import { compile } from 'html-to-text'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { isOurWording } from '../../core/contract/consent.ts'
import { eachLeadField } from '../../core/contract/forms.ts'
import { SECOND } from '../../core/contract/time.ts'
import { Lead, MatchKind } from '../../core/leads/contract/leads.ts'
import { AnswerKind, LeadOutcome, OutcomeReason, OutcomeSource } from '../../core/leads/contract/outcomes.ts'
import { ErasureReason } from '../../core/privacy/contract/privacy.ts'
import { StaffProvider } from '../../core/providers/contract/providers.ts'
import { SecureEndpoint, WebhookSecret } from '../../core/settings/read-settings.ts'
import { type HttpAnswer, isRedirect, readText, withoutAddress } from '../http.ts'
import {
  askCrm,
  type CrmAnswer,
  type CrmEvent,
  type CrmSender,
  type CrmServices,
  defineCrm,
  readAnswer,
  refusal,
} from './crm-sender.ts'

/** The part of the CRM's answer that we read: its own id of the lead. */
const Answer = z.object({ id: z.union([z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u), z.number()]).transform(String) })

/**
 * Statuses that are final for this lead or this address. All other 4xx may come from a gateway while the CRM is being
 * replaced, or be fixed by a setting. Why: docs/decisions/0011-retries.md.
 */
const FINAL = new Set([400, 410, 413, 422])

/** The longest refusal that staff see, in bytes. */
const MAX_SAID = 2048

export const webhook = defineCrm({
  kind: 'webhook',
  settings: z.object({
    CRM_WEBHOOK_URL: SecureEndpoint('https://crm.example.com/hooks/leads').describe(
      'URL for webhook posts: https, unless it is in a private network',
    ),
    CRM_WEBHOOK_SECRET: z
      .string()
      .transform((text) => text.trim().split(/\s+/))
      .pipe(z.array(WebhookSecret))
      .describe('Standard Webhooks secret, whsec_…; during rotation two, separated by a space: both sign')
      .meta({ secret: true }),
  }),
  create: (settings) => createWebhookSender({ url: settings.CRM_WEBHOOK_URL, secrets: settings.CRM_WEBHOOK_SECRET }),
})

/**
 * Posts each event to one address, signed by Standard Webhooks 1.0.0: `webhook-id` names the message and is the same on
 * every retry, `webhook-timestamp` is the time of this attempt, and `webhook-signature` has a signature by each secret.
 * Only 2xx succeeds. Redirects and the statuses in `FINAL` are final, and everything else is retried.
 */
export function createWebhookSender({ url, secrets }: { url: string; secrets: string[] }): CrmSender {
  const signers = secrets.map((secret) => new Webhook(secret))

  const post = async (messageId: string, payload: ReturnType<typeof webhookPayload | typeof testPayload>) => {
    const body = JSON.stringify(payload)
    const response = await askCrm(url, { method: 'POST', headers: signed(messageId, body, signers), body })
    if (response.ok) return response
    throw refusal(response, {
      detail: await readRefusal(response, url),
      isFinal: FINAL.has(response.status) || isRedirect(response.status),
      what: payload.type === 'test' ? 'the test' : 'the lead',
    })
  }
  const send = async (event: CrmEvent, { keep }: CrmServices): Promise<CrmAnswer> => {
    const payload = webhookPayload(event)
    if (event.purpose !== 'deleted') keep(event, payload)
    const response = await post(event.messageId, payload)
    // The CRM has accepted the lead: an unreadable answer costs us only the id.
    const answer = await readAnswer(response).catch(() => '')
    return { status: response.status, externalId: externalIdIn(answer) }
  }
  return {
    concurrency: 10,
    host: new URL(url).hostname,
    send,
    check: async (messageId) => ({ status: (await post(messageId, testPayload(new Date()))).status }),
  }
}

/** Returns the headers of Standard Webhooks 1.0.0, with a signature by each secret. */
export function signed(messageId: string, body: string, signers: Webhook[]): Record<string, string> {
  const now = new Date()
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / SECOND)),
    'webhook-signature': signers.map((signer) => signer.sign(messageId, now, body)).join(' '),
  }
}

/** Converts a web page to its text, without links and pictures. */
const pageToText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'block' })),
  ],
})

/** Returns a refusal as text (converted from HTML) and without our address, which may be a secret. */
export async function readRefusal(response: HttpAnswer, url: string): Promise<string> {
  const { text } = await readText(response, MAX_SAID).catch(() => ({ text: '' }))
  const isPage = response.headers.get('content-type')?.includes('html')
  return withoutAddress(isPage ? pageToText(text) : text, url)
}

function externalIdIn(answer: string): string | undefined {
  try {
    return Answer.parse(JSON.parse(answer)).id
  } catch {
    return undefined
  }
}

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

/** `docs/webhook.schema.json` is made from it, for receivers. Fields may be added; what is here stays. */
const WebhookPayload = z.discriminatedUnion('type', [
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

/** Returns the body of an event: what the schema has, and nothing else. */
export function webhookPayload({ purpose, occurredAt, ...event }: CrmEvent): z.output<typeof WebhookPayload> {
  const { lead } = event
  const marks = 'is_test' in lead && {
    acceptance_wording: isOurWording(lead.acceptance_message) ? 'ours' : 'client',
    ...(lead.is_test && { test: true }),
  }
  const data = { ...event, lead: { ...lead, ...marks } }
  return WebhookPayload.parse({ type: `lead.${purpose}`, timestamp: occurredAt, data })
}

function testPayload(now: Date): z.output<typeof WebhookPayload> {
  return WebhookPayload.parse({ type: 'test', timestamp: now.toISOString(), data: {} })
}
