import { z } from 'zod'
import { MINUTE } from '../../core/contract/time.ts'
import type { CrmChange } from '../../core/leads/answers.ts'
import { AnswerKind } from '../../core/leads/contract/outcomes.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { HttpAnswer } from '../http.ts'
import { type CrmOutcomes, refusal } from './crm-sender.ts'
import { askHubspot, BAD_CREDENTIALS } from './hubspot-answers.ts'
import type { RateLimit } from './rate-limit.ts'

/*
 * HubSpot's stages as outcomes. Sources: its pages "Search the CRM", "Limits" (five calls a second for all programs of an
 * account, 10,000 results for a query, an index that is some moments late), and "Retrieve a batch of contacts"; the change
 * log of 2025-02-10 (associations of 1,000 records in a call); and its own client for Node.js, codegen/crm.
 */

/** HubSpot allows 200. Its answers stay below 1 MB with half of them. */
const MAX_RESULTS = 100
/** HubSpot's words: "The maximum number of inputs supported in a batch request for property histories is 50". */
const MAX_HISTORIES = 50
/** How far a search goes back behind the last one, because HubSpot's index may lag. Changes are recorded once. */
const OVERLAP = 10 * MINUTE

/** What is read: the object, the property with its stage, and the one with the time of the last change. */
const SOURCES = {
  lifecycle: { object: 'contacts', stage: 'lifecyclestage', modified: 'lastmodifieddate' },
  deals: { object: 'deals', stage: 'dealstage', modified: 'hs_lastmodifieddate' },
} as const
export type StageSource = keyof typeof SOURCES

const StatedKind = AnswerKind.exclude(['opted_out'])
type StatedKind = z.output<typeof StatedKind>

/** Outcomes by HubSpot's internal names of stages. Every account can have stages of its own. */
export type StageMapping = Map<string, StatedKind>

/** Parses `stage=outcome`, separated by commas. */
export const StageMapping = z.string().transform((text, check): StageMapping => {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  const stages: StageMapping = new Map()
  for (const [stage, kind, ...more] of pairs) {
    const outcome = StatedKind.safeParse(kind)
    if (stage && outcome.success && more.length === 0) stages.set(stage, outcome.data)
  }
  if (stages.size < pairs.length) {
    const message = `must be like opportunity=booked,customer=treated, each stage once, of the outcomes ${StatedKind.options.join(', ')}`
    check.addIssue({ code: 'custom', message })
  }
  return stages
})

/** The values that a property had, and since when each (ISO 8601). */
export type Version = { value: string; timestamp: string }

/** Returns the outcomes stated since `from`, the oldest first. A stage that repeats an outcome states nothing. */
export function outcomesOf(
  history: Version[],
  stages: StageMapping,
  from: Date,
): { stage: string; kind: StatedKind; happenedAt: string }[] {
  // HubSpot lists the newest first, which decides between changes of one millisecond.
  const versions = history.toReversed().toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  return versions.flatMap(({ value: stage, timestamp }, position) => {
    const kind = stages.get(stage)
    const before = versions[position - 1]
    const isNew = kind !== undefined && (before === undefined || stages.get(before.value) !== kind)
    return isNew && Date.parse(timestamp) >= from.getTime() ? { stage, kind, happenedAt: timestamp } : []
  })
}

const Id = z.coerce.string().regex(/^\d{1,20}$/)
const Found = z.object({
  results: z.array(z.object({ id: Id, properties: z.record(z.string(), z.string().nullable()).catch({}) })),
})
const Problems = z.array(z.object({ category: z.string().catch('') })).default([])
const Histories = z.object({
  results: z.array(
    z.object({
      id: Id,
      propertiesWithHistory: z.record(
        z.string(),
        z.array(z.object({ value: z.string().nullish(), timestamp: z.iso.datetime({ offset: true }) })),
      ),
    }),
  ),
  errors: Problems,
})
const Associations = z.object({
  results: z.array(
    z.object({
      from: z.object({ id: Id }),
      to: z.array(z.object({ toObjectId: Id })),
      paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
    }),
  ),
  errors: Problems,
})
const Said = z.object({ message: z.string() }).catch({ message: '' })

type Source = {
  of: StageSource
  /** The URLs of the APIs of the object, and of the contacts of deals. */
  urls: { objects: (object: string) => string; associations: string }
  token: string
  stages: StageMapping
  limit: RateLimit
  /** Searches have a limit of their own, and do not count for the other one. */
  searchLimit: RateLimit
}
type Reading = Source & { signal: AbortSignal | undefined }

/**
 * Reads stages of HubSpot and when they were reached: of contacts, or of the deals of contacts. A page is the next hundred
 * records by their ids, not by their times: a query has at most 10,000 results, and an import gives more records than that
 * one and the same time.
 */
export function createHubspotOutcomes(source: Source): CrmOutcomes {
  const { of, stages } = source
  return {
    source: `hubspot-${of}`,
    async readPage({ since, afterId }, { known, signal }) {
      const reading = { ...source, signal }
      const from = new Date(since.getTime() - OVERLAP)
      const { answer, readAt } = await search(reading, from, afterId)
      const lastId = answer.results.length < MAX_RESULTS ? null : (answer.results.at(-1)?.id ?? null)
      if (lastId !== null && BigInt(lastId) <= BigInt(afterId ?? 0)) throw notUnderstood(200)

      const persons = await personsOf(reading, answer.results)
      const ours = await known([...persons.values()].flat(2))
      const records = [...persons].filter(([, crmIds]) => crmIds.flat().some((crmId) => ours.has(crmId)))
      const histories = await readHistories(
        reading,
        records.map(([id]) => id),
      )
      const changes = records.flatMap(([id, persons]) =>
        outcomesOf(histories.get(id) ?? [], stages, from).flatMap(({ stage, kind, happenedAt }) =>
          persons.map((crmIds): CrmChange => {
            const record = of === 'deals' ? `deal:${id}:${crmIds[0]}` : `contact:${id}`
            return { eventId: `hubspot:${record}:${Date.parse(happenedAt)}:${stage}`, crmIds, kind, happenedAt }
          }),
        ),
      )
      return { changes, readAt, lastId }
    },
  }
}

/** Posts to HubSpot. @throws DeliveryError */
async function ask<Schema extends z.ZodType>(
  { token, limit, signal }: Reading,
  [address, body, schema]: [string, object, Schema],
  rate = limit,
): Promise<{ answer: z.output<Schema>; readAt: Date }> {
  await rate.take()
  const asked = { method: 'POST', body, refuse: unreadable, signal } as const
  const { response, answer: read } = await askHubspot({ token, limit: rate }, address, asked)
  const answer = schema.safeParse(read)
  if (!answer.success) throw notUnderstood(response.status)
  return { answer: answer.data, readAt: timeOf(response) }
}

function search(reading: Reading, since: Date, afterId: string | null) {
  const { object, modified } = SOURCES[reading.of]
  const filters = [
    { propertyName: modified, operator: 'GTE', value: String(since.getTime()) },
    ...(afterId === null ? [] : [{ propertyName: 'hs_object_id', operator: 'GT', value: afterId }]),
  ]
  const query = {
    filterGroups: [{ filters }],
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties: reading.of === 'lifecycle' ? ['hs_merged_object_ids'] : ['hs_object_id'],
    limit: MAX_RESULTS,
  }
  return ask(reading, [`${reading.urls.objects(object)}/search`, query, Found], reading.searchLimit)
}

/** Reads the histories of the stages of records, by their ids. Skips records that are deleted by now. */
async function readHistories(reading: Reading, ids: string[]): Promise<Map<string, Version[]>> {
  const { object, stage } = SOURCES[reading.of]
  const histories = new Map<string, Version[]>()
  for (let from = 0; from < ids.length; from += MAX_HISTORIES) {
    const inputs = ids.slice(from, from + MAX_HISTORIES).map((id) => ({ id }))
    const body = { inputs, properties: [stage], propertiesWithHistory: [stage] }
    const { answer } = await ask(reading, [`${reading.urls.objects(object)}/batch/read`, body, Histories])
    refuseProblems(answer.errors)
    for (const { id, propertiesWithHistory } of answer.results) {
      const versions = propertiesWithHistory[stage] ?? []
      histories.set(
        id,
        versions.map(({ value, timestamp }) => ({ value: value ?? '', timestamp })),
      )
    }
  }
  return histories
}

async function readContacts(reading: Reading, dealIds: string[]): Promise<Map<string, string[]>> {
  const contacts = new Map<string, string[]>()
  for (let inputs: { id: string; after?: string }[] = dealIds.map((id) => ({ id })); inputs.length > 0; ) {
    const { answer } = await ask(reading, [`${reading.urls.associations}/batch/read`, { inputs }, Associations])
    refuseProblems(answer.errors)
    for (const { from, to } of answer.results) {
      contacts.set(from.id, [...(contacts.get(from.id) ?? []), ...to.map(({ toObjectId }) => toObjectId)])
    }
    inputs = answer.results.flatMap(({ from, paging }) =>
      paging?.next ? { id: from.id, after: paging.next.after } : [],
    )
  }
  return contacts
}

/** Returns the persons of each record, each by all ids that our leads may have for it. */
async function personsOf(reading: Reading, found: z.output<typeof Found>['results']): Promise<Map<string, string[][]>> {
  if (reading.of === 'lifecycle') {
    // Merging contacts makes a new one, and our leads keep the id of theirs.
    const merged = (ids: string | null | undefined) => ids?.split(';').filter((id) => id !== '') ?? []
    return new Map(found.map(({ id, properties }) => [id, [[id, ...merged(properties.hs_merged_object_ids)]]]))
  }
  const contacts = await readContacts(
    reading,
    found.map(({ id }) => id),
  )
  return new Map([...contacts].map(([deal, ids]) => [deal, ids.map((id) => [id])]))
}

/** Returns HubSpot's own time (RFC 9110, 6.6.1), so that a wrong clock of ours loses nothing. */
function timeOf({ headers }: HttpAnswer): Date {
  const stated = new Date(headers.get('date') ?? '')
  return Number.isNaN(stated.getTime()) ? new Date() : stated
}

/** Ignores records that are gone or have no contact. @throws DeliveryError when others could not be read */
function refuseProblems(problems: z.output<typeof Problems>): void {
  if (problems.every(({ category }) => category === 'OBJECT_NOT_FOUND')) return
  const summary = 'HubSpot could not read some of the records that have changed.'
  throw new DeliveryError(summary, { cause: 'server_error', retry: 'later', status: 207 })
}

function unreadable(body: unknown, response: HttpAnswer): DeliveryError {
  const { status } = response
  const unknown = `HubSpot did not say which stages have changed: it answered ${status}.`
  const words = status === 401 || status === 403 ? BAD_CREDENTIALS : unknown
  return refusal(response, { words, detail: Said.parse(body).message })
}

function notUnderstood(status: number): DeliveryError {
  const summary = 'HubSpot’s answer about changed stages could not be understood.'
  return new DeliveryError(summary, { cause: 'server_error', retry: 'later', status })
}
