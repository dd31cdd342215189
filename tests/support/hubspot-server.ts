import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type CrmAnswer, respond } from './crm-server.ts'
import { createRecords, type HubspotRecords } from './hubspot-records.ts'
import { serveHttp } from './loopback.ts'

const PATH = '/crm/v3/objects/contacts'
export const HUBSPOT_TOKEN = 'pat-na1-00000000-0000-4000-8000-000000000000'

/** The request that HubSpot accepts by the rules of its reference: at most a hundred, texts only. */
const UpsertInput = z.strictObject({
  id: z.string(),
  idProperty: z.literal('email'),
  objectWriteTraceId: z.string().optional(),
  properties: z.record(z.string(), z.string()),
})
const UpsertRequest = z.strictObject({ inputs: z.array(UpsertInput).min(1).max(100) })
export type UpsertInput = z.output<typeof UpsertInput>

const GdprDelete = z.strictObject({
  objectId: z.string().regex(/^\d+$/),
  idProperty: z.string().optional(),
})

const Update = z.strictObject({ properties: z.record(z.string(), z.string()) })

export type ContactProblem = { category: string; message: string; code?: string; property?: string }

export type TestHubspot = {
  url: string
  /** The inputs of each call that was understood. */
  calls: UpsertInput[][]
  /** Calls that HubSpot would never accept. A test expects none. */
  rejected: string[]
  contacts: Map<string, { id: string; properties: Record<string, string> }>
  /** The stages of contacts and deals, and the calls that read them. */
  records: HubspotRecords
  /** Sets HubSpot's clock to so many milliseconds ahead of ours. */
  setClock(ahead: number): void
  /** Answers the next calls so, instead of upserting; undefined: upsert. */
  answer(decide: ((inputs: UpsertInput[]) => CrmAnswer | undefined) | undefined): void
  /** Refuses single contacts: in a 207 beside those that are taken, or as 400 for all when `whole`. */
  refuse(problemOf: (input: UpsertInput) => ContactProblem | undefined, options?: { whole?: boolean }): void
  reset(): void
  close(): Promise<void>
}

/**
 * A HubSpot on loopback with the properties of a fresh account, which takes batch upserts of contacts, reads one, changes
 * one, permanently deletes one, lists the first, answers who has changed stages, and nothing else: each answered after `delay` milliseconds.
 */
export async function startHubspot({
  properties = ['email', 'firstname', 'lastname', 'phone', 'zip'],
  delay = 0,
} = {}): Promise<TestHubspot> {
  const calls: UpsertInput[][] = []
  const rejected: string[] = []
  const contacts: TestHubspot['contacts'] = new Map()
  let decide: (inputs: UpsertInput[]) => CrmAnswer | undefined = () => undefined
  let problemOf: (input: UpsertInput) => ContactProblem | undefined = () => undefined
  let isWhole = false
  let made = 0
  let ahead = 0
  const records = createRecords(() => Date.now() + ahead)

  const take = (input: UpsertInput) => {
    const known = contacts.get(input.id.toLowerCase())
    const contact = known ?? { id: String(1000 + made++), properties: {} }
    Object.assign(contact.properties, input.properties)
    contacts.set(input.id.toLowerCase(), contact)
    records.touch('contacts', contact.id)
    const now = new Date().toISOString()
    const trace = input.objectWriteTraceId && { objectWriteTraceId: input.objectWriteTraceId }
    return { ...contact, ...trace, new: !known, archived: false, createdAt: now, updatedAt: now }
  }
  const upsert = (inputs: UpsertInput[]): CrmAnswer => {
    const unknown = inputs.flatMap((input) => Object.keys(input.properties)).find((name) => !properties.includes(name))
    if (unknown) return { status: 400, body: unknownProperty(unknown) }
    const problems = inputs.flatMap((input) => {
      const problem = problemOf(input)
      return problem ? [standardError(problem, input)] : []
    })
    const [first] = problems
    if (first && isWhole) return { status: 400, body: { ...first, correlationId: 'c-1' } }
    const results = inputs.filter((input) => !problemOf(input)).map(take)
    const now = new Date().toISOString()
    const answer = { status: 'COMPLETE', results, startedAt: now, completedAt: now }
    if (problems.length === 0) return { status: 200, body: answer }
    return { status: 207, body: { ...answer, numErrors: problems.length, errors: problems } }
  }

  /** Source: GDPRApiResponseProcessor of its client: 204 without content. */
  const deleteForGood = (body: unknown): CrmAnswer => {
    const { objectId } = GdprDelete.parse(body)
    for (const [email, { id }] of contacts) if (id === objectId) contacts.delete(email)
    return { status: 204, body: '' }
  }

  /** HubSpot refuses an email that another contact has (409). */
  const update = (id: string, body: unknown): CrmAnswer => {
    const { properties: changed } = Update.parse(body)
    const entry = [...contacts].find(([, contact]) => contact.id === id)
    if (!entry) return { status: 404, body: { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'none' } }
    const [email, contact] = entry
    const next = changed.email?.toLowerCase() ?? email
    const other = contacts.get(next)
    if (other && other !== contact) {
      const message = `Contact already exists. Existing ID: ${other.id}`
      return { status: 409, body: { status: 'error', category: 'CONFLICT', message, correlationId: 'c-1' } }
    }
    contacts.delete(email)
    contacts.set(next, contact)
    Object.assign(contact.properties, changed)
    const now = new Date().toISOString()
    return { status: 200, body: { ...contact, archived: false, createdAt: now, updatedAt: now } }
  }

  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const reject = (status: number, category: string, message: string) => {
      rejected.push(message)
      const body = { status: 'error', category, message, correlationId: 'c-1' }
      respond(response, { status, body })
    }
    if (request.headers.authorization !== `Bearer ${HUBSPOT_TOKEN}`) {
      return reject(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
    }
    const call = `${request.method} ${request.url?.startsWith(PATH) ? request.url.slice(PATH.length) : 'elsewhere'}`
    const stages = records.take(`${request.method} ${request.url}`, Buffer.concat(chunks).toString('utf8'))
    if (stages) {
      if (typeof stages === 'object' && stages.status === 400) rejected.push(JSON.stringify(stages.body))
      response.setHeader('date', new Date(Date.now() + ahead).toUTCString())
      return respond(response, stages)
    }
    const [, read] = /^GET \/(\d+)\?properties=email$/.exec(call) ?? []
    const [, changed] = /^PATCH \/(\d+)$/.exec(call) ?? []
    if (!read && !changed && !['POST /batch/upsert', 'POST /gdpr-delete', 'GET ?limit=1'].includes(call)) {
      return reject(404, 'OBJECT_NOT_FOUND', `No ${request.url}`)
    }
    if (call === 'GET ?limit=1') {
      const page = { results: [...contacts.values()].slice(0, 1).map((contact) => ({ ...contact, archived: false })) }
      return respond(response, decide([]) ?? { status: 200, body: page })
    }
    if (read) {
      const contact = [...contacts.values()].find(({ id }) => id === read)
      if (contact) return respond(response, { status: 200, body: { ...contact, archived: false } })
      return respond(response, {
        status: 404,
        body: { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'none' },
      })
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (changed) return respond(response, update(changed, body))
    if (call === 'POST /gdpr-delete') return respond(response, deleteForGood(body))
    const upserts = UpsertRequest.safeParse(body)
    if (!upserts.success) return reject(400, 'VALIDATION_ERROR', `Invalid input JSON: ${upserts.error.message}`)

    calls.push(upserts.data.inputs)
    if (delay > 0) await sleep(delay)
    respond(response, decide(upserts.data.inputs) ?? upsert(upserts.data.inputs))
  })

  const reset = () => {
    decide = () => undefined
    problemOf = () => undefined
    isWhole = false
    for (const list of [calls, rejected]) list.length = 0
    contacts.clear()
    records.reset()
    made = 0
    ahead = 0
  }
  return {
    ...server,
    calls,
    rejected,
    contacts,
    records,
    setClock(ms) {
      ahead = ms
    },
    answer(next) {
      decide = next ?? (() => undefined)
    },
    refuse(next, { whole = false } = {}) {
      problemOf = next
      isWhole = whole
    },
    reset,
  }
}

function standardError({ category, message, code, property }: ContactProblem, input: UpsertInput) {
  return {
    status: 'error',
    category,
    message,
    context: { ...(input.objectWriteTraceId && { objectWriteTraceId: [input.objectWriteTraceId] }) },
    errors: code ? [{ message, code, context: property ? { propertyName: [property] } : {} }] : [],
    links: {},
  }
}

function unknownProperty(name: string) {
  const problem = {
    isValid: false,
    message: `Property "${name}" does not exist`,
    error: 'PROPERTY_DOESNT_EXIST',
    name,
    localizedErrorMessage: `Property "${name}" does not exist`,
  }
  return {
    status: 'error',
    message: `Property values were not valid: ${JSON.stringify([problem])}`,
    correlationId: 'c-1',
    category: 'VALIDATION_ERROR',
  }
}
