import { z } from 'zod'
import { SECOND } from '../../core/contract/time.ts'
import type { CrmAnswer } from './crm-server.ts'

/** Five in a second for all programs of an account. Source: HubSpot's page "Search the CRM", "Limits". */
const MAX_SEARCHES_PER_SECOND = 5
const MAX_RESULTS = 10_000
const MAX_QUERY_LENGTH = 3000

const OBJECTS = {
  contacts: { stage: 'lifecyclestage', modified: 'lastmodifieddate' },
  deals: { stage: 'dealstage', modified: 'hs_lastmodifieddate' },
} as const
type ObjectName = keyof typeof OBJECTS

type Version = { value: string; timestamp: string }
type HubspotRecord = {
  id: string
  /** By HubSpot's clock, in milliseconds. */
  modifiedAt: number
  /** Whether the search finds it so. */
  isIndexed: boolean
  versions: Version[]
  contacts: string[]
}

/** The part of a search that these tests need, with the limits of the reference. Times are milliseconds. */
const SearchRequest = z.strictObject({
  filterGroups: z
    .array(
      z.strictObject({
        filters: z
          .array(
            z.strictObject({
              propertyName: z.enum(['lastmodifieddate', 'hs_lastmodifieddate', 'hs_object_id']),
              operator: z.enum(['GT', 'GTE']),
              value: z.string().regex(/^\d+$/),
            }),
          )
          .min(1)
          .max(6),
      }),
    )
    .length(1),
  sorts: z
    .array(z.strictObject({ propertyName: z.literal('hs_object_id'), direction: z.literal('ASCENDING') }))
    .length(1),
  properties: z.array(z.string()),
  limit: z.number().int().min(1).max(200),
  after: z.string().regex(/^\d+$/).optional(),
})

const ReadRequest = z.strictObject({
  inputs: z
    .array(z.strictObject({ id: z.string().regex(/^\d+$/) }))
    .min(1)
    .max(100),
  properties: z.array(z.string()),
  propertiesWithHistory: z.array(z.string()),
  idProperty: z.string().optional(),
})

const AssociationsRequest = z.strictObject({
  inputs: z
    .array(z.strictObject({ id: z.string().regex(/^\d+$/), after: z.string().optional() }))
    .min(1)
    .max(1000),
})

export type HubspotRecords = ReturnType<typeof createRecords>

/**
 * The records of a HubSpot whose stages are read: searches by the time of the last change, histories, and the contacts of
 * deals. Refuses what HubSpot refuses. `now` is its clock.
 */
export function createRecords(now: () => number) {
  const records = { contacts: new Map<string, HubspotRecord>(), deals: new Map<string, HubspotRecord>() }
  const reads: { call: string; body: unknown }[] = []
  let searches: number[] = []
  let decide: (call: string) => CrmAnswer | undefined = () => undefined
  let isIndexLate = false
  let contactsPerPage = Number.POSITIVE_INFINITY
  let maxSearches = MAX_SEARCHES_PER_SECOND

  const recordOf = (object: ObjectName, id: string): HubspotRecord => {
    const known = records[object].get(id)
    const record = known ?? { id, modifiedAt: 0, isIndexed: true, versions: [], contacts: [] }
    records[object].set(id, record)
    return record
  }
  const touch = (object: ObjectName, id: string) => {
    const record = recordOf(object, id)
    record.modifiedAt = now()
    record.isIndexed = !isIndexLate
    return record
  }
  const setStage = (object: ObjectName, id: string, stage: string, at = new Date(now()).toISOString()) => {
    touch(object, id).versions.unshift({ value: stage, timestamp: at })
  }

  /** An object as HubSpot shows it. It adds three properties that nobody asked for. */
  const shown = (object: ObjectName, record: HubspotRecord) => {
    const { stage, modified } = OBJECTS[object]
    const time = new Date(record.modifiedAt).toISOString()
    return {
      id: record.id,
      properties: {
        hs_object_id: record.id,
        createdate: time,
        [modified]: time,
        [stage]: record.versions[0]?.value ?? null,
        ...(object === 'contacts' && { hs_merged_object_ids: null }),
      },
      createdAt: time,
      updatedAt: time,
      archived: false,
    }
  }

  const search = (object: ObjectName, text: string): CrmAnswer => {
    if (text.length > MAX_QUERY_LENGTH) return refused('The query is too long')
    const at = performance.now()
    searches = searches.filter((time) => at - time < SECOND)
    if (searches.length >= maxSearches) return TOO_MANY_SEARCHES
    searches.push(at)
    const query = SearchRequest.safeParse(JSON.parse(text))
    if (!query.success) return refused(`Invalid input JSON: ${query.error.message}`)
    const { filterGroups, limit, after = '0' } = query.data
    if (Number(after) + limit > MAX_RESULTS) return refused('You can only page through 10000 results')
    const filters = filterGroups.flatMap((group) => group.filters)
    const { modified } = OBJECTS[object]
    const unknown = filters.find(({ propertyName }) => ![modified, 'hs_object_id'].includes(propertyName))
    if (unknown) return refused(`There was a problem with the request: unknown property ${unknown.propertyName}`)
    const found = [...records[object].values()]
      .filter(({ isIndexed }) => isIndexed)
      .filter((record) =>
        filters.every(({ propertyName, operator, value }) => {
          const own = propertyName === modified ? BigInt(record.modifiedAt) : BigInt(record.id)
          return operator === 'GT' ? own > BigInt(value) : own >= BigInt(value)
        }),
      )
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    const end = Number(after) + limit
    const results = found.slice(Number(after), end).map((record) => shown(object, record))
    const paging = end < found.length ? { paging: { next: { after: String(end) } } } : {}
    return { status: 200, body: { total: found.length, results, ...paging } }
  }

  const read = (object: ObjectName, body: unknown): CrmAnswer => {
    const request = ReadRequest.safeParse(body)
    if (!request.success) return refused(`Invalid input JSON: ${request.error.message}`)
    const { inputs, propertiesWithHistory } = request.data
    if (propertiesWithHistory.length > 0 && inputs.length > 50) {
      return refused(
        'The maximum number of inputs supported in a batch request for property histories is 50. Please reduce the number of items and try again.',
      )
    }
    const { stage } = OBJECTS[object]
    const results = inputs.flatMap(({ id }) => {
      const record = records[object].get(id)
      if (!record) return []
      const versions = record.versions.map((version) => ({ ...version, sourceType: 'CRM_UI' }))
      return { ...shown(object, record), propertiesWithHistory: { [stage]: versions } }
    })
    const missing = inputs.filter(({ id }) => !records[object].has(id)).map(({ id }) => id)
    const message = `Could not get some ${object.toUpperCase()} objects, they may be deleted or not exist. Check that ids are valid.`
    return batch(results, missing.length > 0 ? [notFound(message, { ids: missing })] : [])
  }

  const readContacts = (body: unknown): CrmAnswer => {
    const request = AssociationsRequest.safeParse(body)
    if (!request.success) return refused(`Invalid input JSON: ${request.error.message}`)
    const answers = request.data.inputs.map(({ id, after = '0' }) => {
      const contacts = records.deals.get(id)?.contacts ?? []
      const end = Number(after) + contactsPerPage
      const to = contacts.slice(Number(after), end).map((toObjectId) => ({
        // HubSpot's client says text, HubSpot's reference shows a number.
        toObjectId: Number(toObjectId),
        associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 3, label: null }],
      }))
      return { from: { id }, to, ...(end < contacts.length && { paging: { next: { after: String(end) } } }) }
    })
    const problems = answers
      .filter(({ to }) => to.length === 0)
      .map(({ from }) => ({
        ...notFound(`No contact is associated with deal ${from.id}.`, { fromObjectId: [from.id] }),
        subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
      }))
    return batch(
      answers.filter(({ to }) => to.length > 0),
      problems,
    )
  }

  return {
    /** The calls that were understood, with their bodies. */
    reads,
    touch,
    /** Sets the lifecycle stage of a contact, now or at a time that HubSpot states (ISO 8601). */
    setLifecycle: (id: string, stage: string, at?: string) => setStage('contacts', id, stage, at),
    /** Sets the stage of a deal of these contacts, as before where none are given. */
    setDeal(id: string, stage: string, { contacts, at }: { contacts?: string[]; at?: string } = {}) {
      setStage('deals', id, stage, at)
      if (contacts) recordOf('deals', id).contacts = contacts
    },
    /** From now on, the search finds no change, until `catchUp`. */
    holdIndex() {
      isIndexLate = true
    },
    catchUp() {
      isIndexLate = false
      for (const record of [...records.contacts.values(), ...records.deals.values()]) record.isIndexed = true
    },
    /** Takes any number of searches in a second. */
    unlimit() {
      maxSearches = Number.POSITIVE_INFINITY
    },
    pageContacts(size: number) {
      contactsPerPage = size
    },
    /** Answers the next reads so, by their address; undefined: as usual. */
    answer(next: (call: string) => CrmAnswer | undefined) {
      decide = next
    },
    /** Returns the answer to a call, or undefined for one that is no read of stages. `call` is like `POST /crm/v3/…`. */
    take(call: string, text: string): CrmAnswer | undefined {
      const [, object, action] =
        /^POST \/crm\/(?:v3\/objects|objects\/\d{4}-\d{2})\/(contacts|deals)\/(search|batch\/read)$/.exec(call) ?? []
      const isOfDeals =
        /^POST \/crm\/(?:v4\/associations|associations\/\d{4}-\d{2})\/deals\/contacts\/batch\/read$/.test(call)
      if (!object && !isOfDeals) return undefined
      reads.push({ call, body: JSON.parse(text) })
      const decided = decide(call)
      if (decided) return decided
      if (isOfDeals) return readContacts(JSON.parse(text))
      return action === 'search' ? search(object as ObjectName, text) : read(object as ObjectName, JSON.parse(text))
    },
    reset() {
      for (const map of Object.values(records)) map.clear()
      reads.length = 0
      searches = []
      decide = () => undefined
      isIndexLate = false
      contactsPerPage = Number.POSITIVE_INFINITY
      maxSearches = MAX_SEARCHES_PER_SECOND
    },
  }
}

const refused = (message: string): CrmAnswer => ({
  status: 400,
  body: { status: 'error', category: 'VALIDATION_ERROR', message, correlationId: 'c-1' },
})

const TOO_MANY_SEARCHES: CrmAnswer = {
  status: 429,
  body: {
    status: 'error',
    message: 'You have reached your secondly limit.',
    errorType: 'RATE_LIMIT',
    policyName: 'SECONDLY',
    correlationId: 'c-1',
  },
}

const notFound = (message: string, context: Record<string, string[]>) => ({
  status: 'error',
  category: 'OBJECT_NOT_FOUND',
  message,
  context,
  links: {},
  errors: [],
})

/** The answer to a batch: 207 where some could not be read. */
function batch(results: unknown[], errors: ReturnType<typeof notFound>[]): CrmAnswer {
  const time = new Date().toISOString()
  const body = { status: 'COMPLETE', results, startedAt: time, completedAt: time }
  if (errors.length === 0) return { status: 200, body }
  return { status: 207, body: { ...body, numErrors: errors.length, errors } }
}
