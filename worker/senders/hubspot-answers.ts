import { z } from 'zod'
import { DeliveryError } from '../delivery-error.ts'
import { readAnswer, refusal } from './crm-http.ts'
import type { CrmAnswer, LeadEvent } from './crm-sender.ts'

/*
 * What HubSpot answers to a batch upsert of contacts.
 * Source: the models of HubSpot's own client for Node.js, codegen/crm/contacts (StandardError, ErrorDetail,
 * BatchResponseSimplePublicUpsertObjectWithErrors), and HubSpot's page "Error handling".
 */

const Context = z.record(z.string(), z.array(z.string())).catch({})

const Problem = z.object({
  category: z.string().catch(''),
  message: z.string().catch(''),
  context: Context,
  errors: z.array(z.object({ code: z.string().catch(''), message: z.string().catch(''), context: Context })).catch([]),
  /** Which limit a 429 is about. */
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

/**
 * Of a partial failure: what would be refused again. Everything else may be mended by waiting; a CONFLICT, too, because an
 * upsert that loses to another one of the same new contact will find that contact the next time.
 */
const FINAL = new Set(['VALIDATION_ERROR', 'MISSING_SCOPES', 'OBJECT_NOT_FOUND'])

/** The answer as JSON, without our secret should it repeat that; undefined when it is none. @throws what readAnswer does */
export async function readJson(response: Response, { without }: { without: string }): Promise<unknown> {
  const text = await readAnswer(response)
  try {
    return JSON.parse(text.replaceAll(without, '…'))
  } catch {
    return undefined
  }
}

/**
 * What became of each contact, in their order, of an answer of 200 or 207. Upserts can be repeated, so that whatever
 * HubSpot says nothing of is sent again. What it says may quote a visitor, so that only the one it is about keeps it.
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

/** Whether HubSpot calls a contact so: as we have named it, or by its e-mail. */
function isName(name: string | null | undefined, { messageId, lead }: LeadEvent): boolean {
  return name === messageId || name?.toLowerCase() === lead.email.toLowerCase()
}

function isAbout({ context }: Problem, contact: LeadEvent): boolean {
  const names = [context.objectWriteTraceId, context.ids, context.id].flatMap((named) => named ?? [])
  return names.some((name) => isName(name, contact))
}

/**
 * What became of all contacts of an answer that is neither 200 nor 207. What HubSpot says may quote one of them: it is
 * kept only where there is no other.
 */
export function refusalOf(body: unknown, response: Response, contacts: LeadEvent[]): DeliveryError {
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

/** Returns whether other contacts, or each of several without the others, may be taken. */
export function isAboutOneContact({ status, cause }: DeliveryError): boolean {
  return [207, 400, 409, 413].includes(status ?? 0) && cause !== 'unknown_property'
}

/**
 * Returns what an answer means for a lead when another one, the newest of its person, was sent instead. If that one was
 * refused, this one is retried, and the refused one, failed by then, is passed over.
 */
export function answerToAnother(answer: CrmAnswer): CrmAnswer {
  const isRefused = answer instanceof DeliveryError && answer.retry === 'never' && isAboutOneContact(answer)
  if (!isRefused) return answer
  const summary = 'HubSpot refused a newer lead of this person. This one is sent on its own next.'
  return new DeliveryError(summary, { cause: answer.cause, retry: 'later', status: answer.status })
}

const NO_PROBLEM: Problem = { category: '', message: '', context: {}, errors: [] }

/** Names of properties that we have sent and HubSpot does not have: from its codes, and from its words without them. */
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
  const summary = 'HubSpot did not say what became of this contact.'
  return new DeliveryError(summary, { cause: 'server_error', retry: 'later', status })
}
