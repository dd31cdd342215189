import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { DAY, SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { CrmEvent, CrmSender } from './crm-sender.ts'

const DEADLINE = 15 * SECOND
/** A longer Retry-After is taken for this: far beyond it, the wait is no date that the database can hold. */
const LONGEST_WAIT = DAY
const RETRIED = new Set([408, 425, 429])

/** What a CRM may answer: its own id of the lead. Anything else in the answer is not our business. */
const Answer = z.object({ id: z.union([z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u), z.number()]).transform(String) })

/**
 * Posts each event to one address, signed by Standard Webhooks 1.0.0: `webhook-id` names the message and stays the same
 * over retries, `webhook-timestamp` is the time of this attempt. Only 2xx succeeds; redirects are refused.
 */
export function createWebhookSender({ url, secret }: { url: string; secret: string }): CrmSender {
  const webhook = new Webhook(secret)

  return {
    async send(event) {
      const now = new Date()
      const body = JSON.stringify(payload(event, now))
      const response = await post(url, body, {
        'content-type': 'application/json',
        'user-agent': 'Leadwell',
        'webhook-id': event.messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / SECOND)),
        'webhook-signature': webhook.sign(event.messageId, now, body),
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw asDeliveryError(response)
      }
      return { status: response.status, externalId: await readExternalId(response) }
    },
  }
}

function payload({ purpose, lead, provider }: CrmEvent, now: Date) {
  return {
    type: `lead.${purpose}`,
    timestamp: now.toISOString(),
    data: {
      lead: {
        id: lead.id,
        first_name: lead.first_name,
        last_name: lead.last_name,
        email: lead.email,
        phone: lead.phone,
        zip_code: lead.zip_code,
        created_at: lead.created_at,
        acceptance_consent: lead.acceptance_consent,
        acceptance_message: lead.acceptance_message,
        match_kind: lead.match_kind,
        match_distance_miles: lead.match_distance_miles,
      },
      provider: provider && {
        id: provider.id,
        name: provider.name,
        practiceName: provider.practiceName,
        email: provider.email,
        phone: provider.phone,
        zipCode: provider.zipCode,
      },
    },
  }
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE),
    })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    const reason = name === 'TimeoutError' ? 'no answer within 15 seconds' : (cause?.code ?? cause?.message ?? name)
    throw new DeliveryError(`The CRM could not be reached: ${reason}`, { retry: 'later', cause: error })
  }
}

function asDeliveryError({ status, headers }: Response): DeliveryError {
  if (RETRIED.has(status) || status >= 500) {
    return new DeliveryError(`The CRM could not take the lead yet: it answered ${status}.`, {
      retry: 'later',
      askedFor: retryAfter(headers.get('retry-after')),
      status,
    })
  }
  const isRedirect = status >= 300 && status < 400
  const words = isRedirect ? 'The CRM answered with a redirect, which we do not follow' : 'The CRM refused the lead'
  return new DeliveryError(`${words}: it answered ${status}.`, { retry: 'never', status })
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). At most a day; what makes no sense counts as absent. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now
  return wait > 0 ? Math.min(wait, LONGEST_WAIT) : undefined
}

/** The delivery has succeeded by now, so an answer that cannot be read only costs us the id. */
async function readExternalId(response: Response): Promise<string | undefined> {
  try {
    return Answer.parse(await response.json()).id
  } catch {
    return undefined
  }
}
