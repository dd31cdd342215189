import { z } from 'zod'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import { type HttpAnswer, isBusy } from '../http.ts'
import { type CrmAnswer, type LeadEvent, readAnswer, refusal } from './crm-sender.ts'

/*
 * HubSpot's answers to a batch upsert of contacts. Source: the models of HubSpot's own client for Node.js,
 * codegen/crm/contacts (StandardError, ErrorDetail, BatchResponseSimplePublicUpsertObjectWithErrors), and HubSpot's
 * page "Error handling".
 */

const Context = z.record(z.string(), z.array(z.string())).catch({})

const Problem = z.object({
  category: z.string().catch(''),
  message: z.string().catch(''),
  context: Context,
  errors: z.array(z.object({ code: z.string().catch(''), message: z.string().catch(''), context: Context })).catch([]),
  /** The limit that a 429 is about. */
  policyName: z
    .string()
    .regex(/^\w{1,100}$/)
    .optional()
    .catch(undefined),
})
type Problem = z.output<typeof Problem>

const Answer = z.object({
  results: z.array(
    z.object({
      id: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u),
      objectWriteTraceId: z.string().optional(),
      properties: z.record(z.string(), z.string().nullable()).catch({}),
    }),
  ),
  errors: z.array(Problem).catch([]),
})

/** The pause after a 429 or 477 without Retry-After: HubSpot's window. */
const WINDOW = 10 * SECOND
/** The pause after a 423. */
const LOCKED = 2 * SECOND

/**
 * Categories of a partial failure that a retry cannot resolve. A CONFLICT can: an upsert that loses to another upsert
 * of the same new contact finds that contact on the next attempt.
 */
const FINAL = new Set(['VALIDATION_ERROR', 'MISSING_SCOPES', 'OBJECT_NOT_FOUND'])

/**
 * Parses an answer as JSON and removes our secret from it. Returns undefined when it is no JSON.
 * @throws DeliveryError, as `readAnswer` does
 */
export async function readJson(response: HttpAnswer, { without }: { without: string }): Promise<unknown> {
  const text = await readAnswer(response)
  try {
    return JSON.parse(text.replaceAll(without, '…'))
  } catch {
    return undefined
  }
}

/**
 * Maps an answer of 200 or 207 to one result per contact, in their order. Contacts that HubSpot does not mention are
 * retried, because upserts can be repeated. HubSpot's text may quote a visitor, so it stays with the contact that it is
 * about.
 */
export function answersOf(body: unknown, contacts: LeadEvent[], status: number): CrmAnswer[] {
  const { results, errors } = Answer.catch({ results: [], errors: [] }).parse(body)
  return contacts.map((contact) => {
    const taken = results.find(
      ({ objectWriteTraceId, properties }) => isName(objectWriteTraceId, contact) || isName(properties.email, contact),
    )
    if (taken) return { status, externalId: taken.id }

    const problem = errors.find((error) => contacts.length === 1 || isAbout(error, contact))
    if (!problem) return unmentioned(status)
    const isAboutAnother = contacts.some((other) => other !== contact && isAbout(problem, other))
    return partOf(problem, { status, quote: !isAboutAnother })
  })
}

/** Returns whether HubSpot means this contact: by our trace id, or by its email. */
function isName(name: string | null | undefined, { messageId, lead }: LeadEvent): boolean {
  return name === messageId || name?.toLowerCase() === lead.email.toLowerCase()
}

function isAbout({ context }: Problem, contact: LeadEvent): boolean {
  const names = [context.objectWriteTraceId, context.ids, context.id].flatMap((named) => named ?? [])
  return names.some((name) => isName(name, contact))
}

/**
 * Maps an answer other than 200 and 207 to the failure of all contacts. HubSpot's text may quote one of them, so it is
 * kept for a single contact only.
 */
export function refusalOf(body: unknown, response: HttpAnswer, contacts: LeadEvent[]): DeliveryError {
  const problem = Problem.catch(NO_PROBLEM).parse(body)
  const { policyName } = problem
  const { status } = response
  const unknown = unknownProperties(problem)
  if (unknown.length > 0) return unknownPropertiesError(unknown, status)

  const said = contacts.length === 1 ? problem.message : ''
  if (status === 401 || status === 403) {
    const summary = 'HubSpot refused our credentials. Check HUBSPOT_TOKEN and its scopes.'
    return new DeliveryError(summary, { cause: 'credentials', retry: 'never', detail: said, status })
  }
  if (status === 409) return couldNotTake({ detail: said, status })
  return refusal(response, said && policyName ? `${said} (${policyName})` : said || policyName)
}

/**
 * Returns how long all calls of the account wait after a refusal, in milliseconds: as long as HubSpot says, or its own
 * figures for 423 ("at least 2 seconds") and 429 (its window). Returns undefined when the others may go on, as after a fault
 * of HubSpot (5xx).
 * Source: HubSpot's page "Error handling".
 */
export function pauseAfter({ status = 0, retry, retryAfter }: DeliveryError, window = WINDOW): number | undefined {
  if (retry === 'never') return undefined
  if (status === 423) return retryAfter ?? LOCKED
  return isBusy(status) ? (retryAfter ?? window) : undefined
}

/** Returns whether each contact of the batch may succeed without the others. */
export function isAboutOneContact({ status, cause }: DeliveryError): boolean {
  return [207, 400, 409, 413].includes(status ?? 0) && cause !== 'unknown_property'
}

/**
 * Maps the result of a person's newest lead to an older lead that it was sent for. If the newest was refused, the older
 * lead is retried, and by then the refused one has failed and is skipped.
 */
export function answerToAnother(answer: CrmAnswer): CrmAnswer {
  const isRefused = answer instanceof DeliveryError && answer.retry === 'never' && isAboutOneContact(answer)
  if (!isRefused) return answer
  const summary = 'HubSpot refused a newer lead of this person. This one is sent on its own next.'
  return new DeliveryError(summary, { cause: answer.cause, retry: 'later', status: answer.status })
}

const NO_PROBLEM: Problem = { category: '', message: '', context: {}, errors: [] }

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

function partOf(problem: Problem, { status, quote }: { status: number; quote: boolean }): DeliveryError {
  const unknown = unknownProperties(problem)
  if (unknown.length > 0) return unknownPropertiesError(unknown, status)

  const detail = quote ? problem.message : ''
  if (!FINAL.has(problem.category)) return couldNotTake({ detail, status })
  const cause = problem.category === 'MISSING_SCOPES' ? 'credentials' : 'refused'
  return new DeliveryError('HubSpot refused this contact.', { cause, retry: 'never', detail, status })
}

function couldNotTake({ detail, status }: { detail: string; status: number }): DeliveryError {
  const summary = 'HubSpot could not accept this contact yet.'
  return new DeliveryError(summary, { cause: 'server_error', retry: 'later', detail, status })
}

function unmentioned(status: number): DeliveryError {
  const summary = 'HubSpot did not report a result for this contact.'
  return new DeliveryError(summary, { cause: 'server_error', retry: 'later', status })
}

/**
 * In milliseconds: no new call begins after this time. The last call may wait 10 s for its slot and 15 s for its
 * answer, so an attempt may last a minute. A worker that stops waits 18 s and then leaves its leads to other workers,
 * as after a kill.
 */
const BATCH_TIMEOUT = 30 * SECOND
/** Single items refused before any was accepted: the reason is probably not the items. */
const MAX_FAILED_SPLITS = 3

type Options<Item> = {
  /** @throws DeliveryError when all items failed for the same reason */
  call: (items: Item[]) => Promise<CrmAnswer[]>
  /** Returns whether items with this error may succeed without the others. */
  isAboutOne: (error: DeliveryError) => boolean
}

/**
 * Sends a batch and returns one result per item. Splits a refused batch in half until the bad item is alone. Items
 * still unsent after `BATCH_TIMEOUT`, or after `MAX_FAILED_SPLITS`, are retried later.
 */
export async function sendByHalves<Item>(all: Item[], { call, isAboutOne }: Options<Item>): Promise<CrmAnswer[]> {
  const deadline = Date.now() + BATCH_TIMEOUT
  let isAnyTaken = false
  let refusedAlone = 0

  const send = async (items: Item[]): Promise<CrmAnswer[]> => {
    if (items.length === 0) return []
    try {
      const answers = await call(items)
      isAnyTaken = true
      return answers
    } catch (reason) {
      const error = reason as DeliveryError
      if (!isAboutOne(error)) return items.map(() => error)
      if (items.length === 1) {
        refusedAlone += 1
        return [error]
      }
      const middle = Math.ceil(items.length / 2)
      return [...(await sendHalf(items.slice(0, middle), error)), ...(await sendHalf(items.slice(middle), error))]
    }
  }
  const sendHalf = async (items: Item[], refusal: DeliveryError): Promise<CrmAnswer[]> => {
    const isInVain = !isAnyTaken && refusedAlone >= MAX_FAILED_SPLITS
    return isInVain || Date.now() > deadline ? items.map(() => notAlone(refusal)) : send(items)
  }
  return send(all)
}

/** Leaves out the CRM's text, which may name another item. */
function notAlone({ cause, status }: DeliveryError): DeliveryError {
  const summary = 'The CRM refused a batch that contains this lead. The lead is retried.'
  return new DeliveryError(summary, { cause, retry: 'later', status })
}
