import { DAY, SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'

const DEADLINE = 15 * SECOND
/** In bytes: ten thousand for each of a hundred contacts, the most that one answer is about. */
const LARGEST_ANSWER = 1024 * 1024
/** A longer Retry-After is taken for this: far beyond it, the wait is no date that the database can hold. */
const LONGEST_WAIT = DAY
const RETRIED = new Set([408, 425, 429])

/**
 * Posts JSON to a CRM and gives back its answer, whatever its status. Redirects are not followed: they could lead a lead,
 * and us, anywhere.
 * @throws DeliveryError when there is no answer within 15 seconds
 */
export async function postJson(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'Leadwell', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE),
    })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    const reason = name === 'TimeoutError' ? 'no answer within 15 seconds' : (cause?.code ?? cause?.message ?? name)
    throw new DeliveryError(`The CRM could not be reached: ${reason}`, { retry: 'later', cause: error })
  }
}

/**
 * What a CRM answered, as text: nothing where the answer breaks off. Of a refusal that is too long there is nothing either,
 * because its status says enough.
 * @throws DeliveryError when it would be a success and is longer than 1 MiB
 */
export async function readAnswer(response: Response): Promise<string> {
  const text = await readAtMost(response, LARGEST_ANSWER).catch(() => '')
  if (text !== undefined || !response.ok) return text ?? ''
  throw new DeliveryError(
    'The CRM answered with more than 1 MB, which is no answer to a lead. It may have taken the lead, which is sent again.',
    { retry: 'later', status: response.status },
  )
}

/** The body of an answer as text; undefined when it has more bytes than that, of which the rest is not waited for. */
export async function readAtMost({ body }: Response, bytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > bytes) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * What an answer means that is not 2xx. Unless the sender knows better (`isFinal`), 408, 425, 429 and 5xx are
 * tried again, and everything else is final. `said` is what the CRM said, for staff only.
 */
export function refusal(
  { status, headers }: Response,
  said?: string,
  isFinal = status < 500 && !RETRIED.has(status),
): DeliveryError {
  const summary = `${wordsFor(status, isFinal)}: it answered ${status}.`
  const advice = status === 410 ? 'Set the address that has taken its place, then retry what failed.' : undefined
  return new DeliveryError([summary, advice, said && `It said: ${said}`].filter(Boolean).join(' '), {
    summary,
    retry: isFinal ? 'never' : 'later',
    askedFor: isFinal ? undefined : retryAfter(headers.get('retry-after')),
    status,
  })
}

export const isRedirect = (status: number) => status >= 300 && status < 400

function wordsFor(status: number, isFinal: boolean): string {
  if (!isFinal) return 'The CRM could not take the lead yet'
  if (isRedirect(status)) return 'The CRM answered with a redirect, which we do not follow'
  if (status === 410) return 'The CRM has closed this address for good, so nothing more can be sent there'
  return 'The CRM refused the lead'
}

/**
 * Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). At most a day; what makes no sense counts as
 * absent.
 */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now
  return wait > 0 ? Math.min(wait, LONGEST_WAIT) : undefined
}
