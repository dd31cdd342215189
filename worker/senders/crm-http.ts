import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import {
  HTTP_TIMEOUT,
  type HttpAnswer,
  HttpError,
  isBusy,
  isRedirect,
  isTemporary,
  readText,
  request,
  retryAfter,
} from '../http.ts'

/** Ten thousand bytes for each of a hundred contacts, the most that one answer is about. */
const MAX_ANSWER_BYTES = 1024 * 1024

type Asked = { headers: Record<string, string>; body?: string; signal?: AbortSignal }

/**
 * Sends a request to a CRM and returns its answer, whatever its status. Redirects are not followed.
 * @throws DeliveryError when there is no answer within 15 seconds; the signal's reason once that is aborted
 */
export async function askCrm(method: 'GET' | 'POST' | 'PATCH', url: string, asked: Asked): Promise<HttpAnswer> {
  try {
    return await request(url, { method, ...asked })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const isLate = error.reason === 'timeout'
    throw new DeliveryError(
      isLate ? `The CRM did not answer within ${HTTP_TIMEOUT / SECOND} seconds.` : 'The CRM could not be reached.',
      { cause: 'unreachable', retry: 'later', detail: isLate ? undefined : error.detail },
    )
  }
}

/** Posts JSON to a CRM, as `askCrm` does. */
export function postJson(
  url: string,
  body: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  return askCrm('POST', url, { headers: { 'content-type': 'application/json', ...headers }, body, signal })
}

/**
 * Returns a CRM's answer as text. An answer that breaks off, and a refusal that is too long, count as empty, because the
 * status says enough.
 * @throws DeliveryError when a success is longer than 1 MiB
 */
export async function readAnswer(response: HttpAnswer): Promise<string> {
  const { text, isWhole } = await readText(response, MAX_ANSWER_BYTES).catch(() => ({ text: '', isWhole: true }))
  if (isWhole) return text
  if (!response.ok) return ''
  throw new DeliveryError(
    'The CRM’s answer was larger than 1 MB. It may have accepted the lead, which is sent again.',
    { cause: 'server_error', retry: 'later', status: response.status },
  )
}

/**
 * Returns the failure that an answer other than 2xx means. 408, 423, 425, 429, 477 and 5xx are retried and everything else is
 * final, unless the sender says otherwise (`isFinal`). `detail` is the CRM's own text, and `what` was sent.
 */
export function refusal(
  { status, headers }: HttpAnswer,
  detail?: string,
  isFinal = !isTemporary(status),
  what = 'the lead',
): DeliveryError {
  return new DeliveryError(summaryOf(status, isFinal, what), {
    cause: causeOf(status),
    retry: isFinal ? 'never' : 'later',
    detail,
    retryAfter: isFinal ? undefined : retryAfter(headers.get('retry-after')),
    status,
  })
}

/** Maps the status of a CRM's answer to the cause of the failure (RFC 9110, 15). */
function causeOf(status: number): FailureCause {
  if (status === 401 || status === 403) return 'credentials'
  if (isBusy(status)) return 'busy'
  if (status >= 500) return 'server_error'
  if (status < 400 || [404, 405, 410].includes(status)) return 'wrong_address'
  return 'refused'
}

function summaryOf(status: number, isFinal: boolean, what: string): string {
  if (!isFinal) return `The CRM could not accept ${what} yet: it answered ${status}.`
  if (isRedirect(status)) return `The CRM answered with a redirect (${status}), which we do not follow.`
  if (status === 410) {
    return 'The CRM says that this address is gone for good (410). Set the new address, then retry what failed.'
  }
  return `The CRM refused ${what}: it answered ${status}.`
}
