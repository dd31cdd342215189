import type { FailureCause } from '../../core/contract/jobs.ts'
import { DAY, SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'

const DEADLINE = 15 * SECOND
/** In bytes: ten thousand for each of a hundred contacts, the most that one answer is about. */
const MAX_ANSWER = 1024 * 1024
/** A longer Retry-After is taken for this: far beyond it, the wait is no date that the database can hold. */
const MAX_RETRY_AFTER = DAY
const RETRIED = new Set([408, 425, 429])

/** Posts JSON to a CRM, as `request` does. */
export function postJson(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return request('POST', url, { headers: { 'content-type': 'application/json', ...headers }, body })
}

/**
 * Asks a CRM and gives back its answer, whatever its status. Redirects are not followed: they could lead a lead, and us,
 * anywhere.
 * @throws DeliveryError when there is no answer within 15 seconds
 */
export async function request(
  method: 'GET' | 'POST',
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: string },
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      body,
      headers: { 'user-agent': 'Leadwell', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE),
    })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    if (name === 'TimeoutError') {
      throw new DeliveryError('The CRM did not answer within 15 seconds.', { cause: 'unreachable', retry: 'later' })
    }
    const detail = cause?.code ?? cause?.message ?? name
    throw new DeliveryError('The CRM could not be reached.', { cause: 'unreachable', retry: 'later', detail })
  }
}

/**
 * Returns what a CRM answered, as text; an empty one if the answer breaks off. A refusal that is too long counts as empty,
 * because its status says enough.
 * @throws DeliveryError when it would be a success and is longer than 1 MiB
 */
export async function readAnswer(response: Response): Promise<string> {
  const { text, isWhole } = await readStart(response, MAX_ANSWER).catch(() => ({ text: '', isWhole: true }))
  if (isWhole) return text
  if (!response.ok) return ''
  throw new DeliveryError(
    'The CRM’s answer was larger than 1 MB. It may have accepted the lead, which is sent again.',
    { cause: 'server_error', retry: 'later', status: response.status },
  )
}

/** Returns the first bytes of an answer as text, and whether that is all. Does not wait for the rest. */
export async function readStart({ body }: Response, bytes: number): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytes) break
  }
  // Cut in the middle of a character, the text would end with a replacement character.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytes), { stream: size > bytes })
  return { text, isWhole: size <= bytes }
}

/**
 * Returns what an answer means that is not 2xx. Unless the sender knows better (`isFinal`), 408, 425, 429 and 5xx are
 * retried, and everything else is final. `detail` is what the CRM said.
 */
export function refusal(
  { status, headers }: Response,
  detail?: string,
  isFinal = status < 500 && !RETRIED.has(status),
): DeliveryError {
  return new DeliveryError(summaryOf(status, isFinal), {
    cause: causeOf(status),
    retry: isFinal ? 'never' : 'later',
    detail,
    askedFor: isFinal ? undefined : retryAfter(headers.get('retry-after')),
    status,
  })
}

/** Returns why a CRM did not take a lead, from the HTTP status of its answer (RFC 9110, 15). */
function causeOf(status: number): FailureCause {
  if (status === 401 || status === 403) return 'credentials'
  if (RETRIED.has(status)) return 'busy'
  if (status >= 500) return 'server_error'
  if (status < 400 || [404, 405, 410].includes(status)) return 'wrong_address'
  return 'refused'
}

export const isRedirect = (status: number) => status >= 300 && status < 400

function summaryOf(status: number, isFinal: boolean): string {
  if (!isFinal) return `The CRM could not accept the lead yet: it answered ${status}.`
  if (isRedirect(status)) return `The CRM answered with a redirect (${status}), which we do not follow.`
  if (status === 410) {
    return 'The CRM says that this address is gone for good (410). Set the new address, then retry what failed.'
  }
  return `The CRM refused the lead: it answered ${status}.`
}

/**
 * Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). At most a day; what makes no sense counts as
 * absent.
 */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now
  return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER) : undefined
}
