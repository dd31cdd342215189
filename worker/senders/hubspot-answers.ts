import { z } from 'zod'
import { DeliveryError } from '../delivery-error.ts'
import type { CrmAnswer, LeadEvent } from './crm-sender.ts'
import { readAnswer, refusal } from './http.ts'

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
    const summary = 'HubSpot refused our credentials'
    const advice = `${summary}. Have HUBSPOT_TOKEN and its scopes checked.`
    return new DeliveryError(said ? `${advice} It said: ${said}` : advice, { summary, retry: 'never', status })
  }
  if (status === 409) return contactError({ isFinal: false, said, status })
  return refusal(response, said && policyName ? `${said} (${policyName})` : said || policyName)
}

/** Whether other contacts, or each of several without the others, may fare better. */
export function isAboutOneContact({ status, summary }: DeliveryError): boolean {
  return [207, 400, 409, 413].includes(status ?? 0) && !summary.startsWith(UNKNOWN)
}

/**
 * What an answer means for a lead of which another one, the newest of its person, was sent instead. Where that one was
 * refused, this one is tried again, and the refused one, failed by then, is passed over.
 */
export function answerToAnother(answer: CrmAnswer): CrmAnswer {
  const isRefused = answer instanceof DeliveryError && answer.retry === 'never' && isAboutOneContact(answer)
  if (!isRefused) return answer
  const words = 'HubSpot refused what this person said in a newer lead. This one goes by itself next.'
  return new DeliveryError(words, { retry: 'later', status: answer.status })
}

const NO_PROBLEM: Problem = { category: '', message: '', context: {}, errors: [] }
const UNKNOWN = 'HubSpot has no contact property called'

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
  const summary = `${UNKNOWN} ${names.join(', ')}`
  const advice = 'Create it there under Settings, Properties, or take it out of HUBSPOT_PROPERTIES, then retry.'
  return new DeliveryError(`${summary}. ${advice}`, { summary, retry: 'never', status })
}

function partOf(problem: Problem, { status, quote }: { status: number; quote: boolean }): DeliveryError {
  const unknown = unknownProperties(problem)
  if (unknown.length > 0) return unknownPropertiesError(unknown, status)
  return contactError({ isFinal: FINAL.has(problem.category), said: quote ? problem.message : '', status })
}

function contactError({ isFinal, said, status }: { isFinal: boolean; said: string; status: number }): DeliveryError {
  const summary = isFinal ? 'HubSpot refused this contact' : 'HubSpot could not take this contact yet'
  const message = said ? `${summary}: ${said}` : `${summary}.`
  return new DeliveryError(message, { summary, retry: isFinal ? 'never' : 'later', status })
}

function unmentioned(status: number): DeliveryError {
  return new DeliveryError('HubSpot did not say what became of this contact.', { retry: 'later', status })
}
