import { compile } from 'html-to-text'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { SecureEndpoint, WebhookSecret } from '../../core/settings/types.ts'
import { SECOND } from '../../core/time.ts'
import { type HttpAnswer, isRedirect, readText } from '../http.ts'
import { postJson, readAnswer, refusal } from './crm-http.ts'
import { type CrmAnswer, type CrmEvent, type CrmSender, type CrmServices, defineCrm } from './crm-sender.ts'
import { testPayload, webhookPayload } from './webhook-payload.ts'

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
    const now = new Date()
    const body = JSON.stringify(payload)
    const response = await postJson(url, body, {
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / SECOND)),
      'webhook-signature': signers.map((signer) => signer.sign(messageId, now, body)).join(' '),
    })
    if (response.ok) return response
    const said = await readRefusal(response, url)
    const isFinal = FINAL.has(response.status) || isRedirect(response.status)
    throw refusal(response, said, isFinal, payload.type === 'test' ? 'the test' : 'the lead')
  }
  const sendOne = async (event: CrmEvent, keep: CrmServices['keep']): Promise<CrmAnswer> => {
    const payload = webhookPayload(event)
    if (event.purpose !== 'deleted') keep(event, payload)
    const response = await post(event.messageId, payload)
    // The CRM has accepted the lead: an unreadable answer costs us only the id.
    const answer = await readAnswer(response).catch(() => '')
    return { status: response.status, externalId: externalIdIn(answer) }
  }
  return {
    batchSize: 1,
    concurrency: 10,
    host: new URL(url).hostname,
    send: (events, { keep }) => Promise.all(events.map((event) => sendOne(event, keep))),
    check: async (messageId) => ({ status: (await post(messageId, testPayload(new Date()))).status }),
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

/** Returns the CRM's refusal as text (converted from HTML) and without our address, which may be a secret. */
async function readRefusal(response: HttpAnswer, url: string): Promise<string> {
  const { text } = await readText(response, MAX_SAID).catch(() => ({ text: '' }))
  const isPage = response.headers.get('content-type')?.includes('html')
  const words = isPage ? pageToText(text) : text
  const { pathname, search } = new URL(url)
  return [search, pathname].filter((part) => part.length > 1).reduce((said, part) => said.replaceAll(part, '…'), words)
}

function externalIdIn(answer: string): string | undefined {
  try {
    return Answer.parse(JSON.parse(answer)).id
  } catch {
    return undefined
  }
}
