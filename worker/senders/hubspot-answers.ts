import { z } from 'zod'
import { SECOND } from '../../core/contract/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import { type HttpAnswer, isBusy } from '../http.ts'
import { askCrm, type CrmAnswer, readAnswer, refusal } from './crm-sender.ts'
import type { RateLimit } from './rate-limit.ts'

/*
 * HubSpot's answers to the upsert of a contact. Source: the models of HubSpot's own client for Node.js,
 * codegen/crm/contacts (StandardError, ErrorDetail, BatchResponseSimplePublicUpsertObjectWithErrors), and HubSpot's
 * page "Error handling".
 */

const Problem = z.object({
  category: z.string().catch(''),
  message: z.string().catch(''),
  errors: z
    .array(
      z.object({
        code: z.string().catch(''),
        message: z.string().catch(''),
        context: z.record(z.string(), z.array(z.string())).catch({}),
      }),
    )
    .catch([]),
  /** The limit that a 429 is about. */
  policyName: z
    .string()
    .regex(/^\w{1,100}$/)
    .optional()
    .catch(undefined),
})
type Problem = z.output<typeof Problem>

const Answer = z.object({
  results: z.array(z.object({ id: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u) })),
  errors: z.array(Problem).catch([]),
})

/** The pause after a 429 or 477 without Retry-After: HubSpot's window. */
const WINDOW = 10 * SECOND
export const BAD_CREDENTIALS = 'HubSpot refused our credentials. Check HUBSPOT_TOKEN and its scopes.'

/** The pause after a 423. */
const LOCKED = 2 * SECOND

/** A retry cannot resolve these. After a CONFLICT it finds the contact of the upsert that was faster. */
const FINAL = new Set(['VALIDATION_ERROR', 'MISSING_SCOPES', 'OBJECT_NOT_FOUND'])

type Asked = {
  method: 'GET' | 'POST' | 'PATCH'
  body?: object
  /** Statuses that are no failure, besides 2xx. */
  allows?: number[]
  /** Maps any other answer to a failure. */
  refuse?: (body: unknown, response: HttpAnswer) => DeliveryError
  signal?: AbortSignal
}

/** Calls HubSpot, which must have a slot of `limit`, and pauses that where it asks for it. @throws DeliveryError */
export async function askHubspot(
  { token, limit }: { token: string; limit: RateLimit },
  url: string,
  { method, body, allows = [], refuse = refusalOf, signal }: Asked,
): Promise<{ response: HttpAnswer; answer: unknown }> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await askCrm(url, { method, headers, body: body && JSON.stringify(body), signal })
  const answer = await readJson(response, { without: token })
  if (response.ok || allows.includes(response.status)) return { response, answer }
  const error = refuse(answer, response)
  const pause = pauseAfter(error)
  if (pause !== undefined) await limit.pause(pause)
  throw error
}

/** Parses JSON and removes our secret; undefined when it is none. @throws DeliveryError, as `readAnswer` does */
export async function readJson(response: HttpAnswer, { without }: { without: string }): Promise<unknown> {
  const text = await readAnswer(response)
  try {
    return JSON.parse(text.replaceAll(without, '…'))
  } catch {
    return undefined
  }
}

/** Maps 200 or 207. A contact that HubSpot does not mention is sent again: upserts repeat. @throws DeliveryError */
export function answerOf(body: unknown, status: number): CrmAnswer {
  const {
    results: [accepted],
    errors: [problem],
  } = Answer.catch({ results: [], errors: [] }).parse(body)
  if (accepted) return { status, externalId: accepted.id }
  if (!problem) {
    const summary = 'HubSpot did not report a result for this contact.'
    throw new DeliveryError(summary, { cause: 'server_error', retry: 'later', status })
  }
  const unknown = unknownProperties(problem)
  if (unknown.length > 0) throw unknownPropertiesError(unknown, status)

  const detail = problem.message
  if (!FINAL.has(problem.category)) throw notYet({ detail, status })
  const cause = problem.category === 'MISSING_SCOPES' ? 'credentials' : 'refused'
  throw new DeliveryError('HubSpot refused this contact.', { cause, retry: 'never', detail, status })
}

export function refusalOf(body: unknown, response: HttpAnswer): DeliveryError {
  const problem = Problem.catch({ category: '', message: '', errors: [] }).parse(body)
  const { message: said, policyName } = problem
  const { status } = response
  const unknown = unknownProperties(problem)
  if (unknown.length > 0) return unknownPropertiesError(unknown, status)

  if (status === 401 || status === 403) {
    return new DeliveryError(BAD_CREDENTIALS, { cause: 'credentials', retry: 'never', detail: said, status })
  }
  if (status === 409) return notYet({ detail: said, status })
  return refusal(response, { detail: said && policyName ? `${said} (${policyName})` : said || policyName })
}

/**
 * Returns how long all calls of the account wait after a refusal, in milliseconds: as long as HubSpot says, or its own
 * figures for 423 ("at least 2 seconds") and 429 (its window). Returns undefined when the others may go on, as after a fault
 * of HubSpot (5xx).
 * Source: HubSpot's page "Error handling".
 */
export function pauseAfter({ status = 0, retry, retryAfter }: DeliveryError): number | undefined {
  if (retry === 'never') return undefined
  if (status === 423) return retryAfter ?? LOCKED
  return isBusy(status) ? (retryAfter ?? WINDOW) : undefined
}

/**
 * Maps the failure of a person's newest lead to an older lead that it was sent for. If the newest was refused, the older
 * lead is retried, and by then the refused one has failed and is skipped.
 */
export function failureOfAnother(error: unknown): unknown {
  if (!(error instanceof DeliveryError) || error.retry !== 'never' || !ABOUT_CONTACT.includes(error.status ?? 0))
    return error
  if (error.cause === 'unknown_property') return error
  const summary = 'HubSpot refused a newer lead of this person. This one is sent on its own next.'
  return new DeliveryError(summary, { cause: error.cause, retry: 'later', status: error.status })
}

/** The statuses of refusals that are about the contact. */
const ABOUT_CONTACT = [207, 400, 409, 413]

/** Returns the sent properties that HubSpot does not have: from its error codes, or else from its message. */
function unknownProperties({ message, errors }: Problem): string[] {
  const coded = errors
    .filter(({ code }) => code === 'PROPERTY_DOESNT_EXIST')
    .flatMap(({ context }) => context.propertyName ?? [])
  const said = [message, ...errors.map((error) => error.message)].flatMap((words) =>
    [...words.matchAll(/Property \\*"(\w{1,100})\\*" does not exist/g)].map(([, name]) => String(name)),
  )
  return [...new Set([...coded, ...said])].filter((name) => /^\w{1,100}$/.test(name))
}

function unknownPropertiesError(names: string[], status: number): DeliveryError {
  const summary = `HubSpot has no contact property called ${names.join(', ')}. Create it there under Settings, Properties, or remove it from HUBSPOT_PROPERTIES, then retry.`
  return new DeliveryError(summary, { cause: 'unknown_property', retry: 'never', status })
}

function notYet({ detail, status }: { detail: string; status: number }): DeliveryError {
  const summary = 'HubSpot could not accept this contact yet.'
  return new DeliveryError(summary, { cause: 'server_error', retry: 'later', detail, status })
}
