import { z } from 'zod'
import { SecureAddress } from '../../core/settings/read-settings.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { HttpAnswer } from '../http.ts'
import {
  askCrm,
  type CrmAnswer,
  type CrmEvent,
  type CrmSender,
  type CrmServices,
  type DeletedEvent,
  defineCrm,
  type LeadEvent,
  postJson,
  type Renamed,
} from './crm-sender.ts'
import {
  answersOf,
  answerToAnother,
  isAboutOneContact,
  pauseAfter,
  readJson,
  refusalOf,
  sendByHalves,
} from './hubspot-answers.ts'
import { createHubspotOutcomes, StageMapping } from './hubspot-outcomes.ts'
import { DEFAULT_PROPERTIES, OUTCOME_FIELDS, PropertyMapping, propertiesOf } from './hubspot-properties.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Source: HubSpot's API reference, "Create or update a batch of contacts by unique property values". */
const MAX_INPUTS = 100
/** Less than half of the five calls a second that all programs of an account share. */
const SEARCH_RATE = { calls: 4, seconds: 1 }

export const hubspot = defineCrm({
  kind: 'hubspot',
  settings: z
    .object({
      HUBSPOT_TOKEN: z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'must be an access token')
        .describe(
          'access token of a private app with the scopes crm.objects.contacts.read and .write, and crm.objects.deals.read to read deals',
        )
        .meta({ secret: true }),
      HUBSPOT_BASE_URL: SecureAddress('https://api.hubapi.com')
        .prefault('https://api.hubapi.com')
        .describe('URL of HubSpot’s API'),
      HUBSPOT_PROPERTIES: z
        .string()
        .default(DEFAULT_PROPERTIES)
        .pipe(PropertyMapping)
        .describe('lead fields sent in addition to the email: our field=HubSpot property, separated by commas'),
      HUBSPOT_RATE: z.coerce
        .number()
        .int()
        .min(11)
        .max(10_000)
        .default(100)
        .describe('maximum calls in ten seconds by all workers together; every account allows a private app 100'),
      HUBSPOT_ERASURE: z
        .enum(['request', 'always', 'never'])
        .default('always')
        .describe(
          'when HubSpot permanently deletes a contact: `always` when a lead is permanently deleted, as the privacy policy says, `request` only when the person asked for it, or `never`',
        ),
      HUBSPOT_OUTCOMES: z
        .enum(['off', 'lifecycle', 'deals'])
        .default('off')
        .describe(
          'whether outcomes are read from HubSpot every minute: `lifecycle` from the contact’s lifecycle stage, `deals` from the stages of its deals, or `off`',
        ),
      HUBSPOT_STAGES: StageMapping.optional()
        .describe('outcome of each stage: internal name=outcome, separated by commas; others are ignored')
        .meta({ example: 'opportunity=booked,customer=treated' }),
    })
    .superRefine(
      ({ HUBSPOT_OUTCOMES, HUBSPOT_STAGES }, check) => {
        if (HUBSPOT_OUTCOMES === 'off' || HUBSPOT_STAGES !== undefined) return
        const message = `is required with HUBSPOT_OUTCOMES=${HUBSPOT_OUTCOMES}: like opportunity=booked,customer=treated`
        check.addIssue({ code: 'custom', path: ['HUBSPOT_STAGES'], message })
      },
      // Also where other settings are invalid, so that every problem is listed at once.
      { when: ({ issues }) => !issues.some(({ path }) => /^HUBSPOT_(OUTCOMES|STAGES)$/.test(String(path?.[0]))) },
    ),
  create(settings, env) {
    const { HUBSPOT_BASE_URL: base, HUBSPOT_TOKEN: token } = settings
    const { HUBSPOT_OUTCOMES: of, HUBSPOT_STAGES: stages } = settings
    const limit = createRateLimit(env, { name: 'hubspot', calls: settings.HUBSPOT_RATE, seconds: 10 })
    const sender = createHubspotSender({
      url: objectsUrl(base, 'contacts'),
      token,
      mapping: settings.HUBSPOT_PROPERTIES,
      erasure: settings.HUBSPOT_ERASURE,
      limit,
    })
    if (of === 'off' || stages === undefined) return sender

    const searchLimit = createRateLimit(env, { name: 'hubspot-search', ...SEARCH_RATE })
    const urls = {
      objects: (object: string) => objectsUrl(base, object),
      associations: `${base}/crm/v4/associations/deals/contacts`,
    }
    return {
      ...sender,
      outcomes: createHubspotOutcomes({ of, urls, token, stages, limit, searchLimit }),
      close() {
        sender.close?.()
        searchLimit.close()
      },
    }
  },
})

/** Returns the URL of the API of an object. */
const objectsUrl = (base: string, object: string) => `${base}/crm/v3/objects/${object}`

/**
 * Keeps a HubSpot contact for each person who sent a lead: upserted by email, a hundred at once, with the fields of
 * the person's newest lead. A lead whose email is corrected keeps its contact. The contact of a lead that is deleted for good
 * is deleted as well, as far as `erasure` says.
 */
export function createHubspotSender({
  url,
  token,
  mapping,
  limit,
  erasure,
}: {
  /** The URL of the contacts API. */
  url: string
  token: string
  mapping: PropertyMapping
  limit: RateLimit
  erasure: 'request' | 'always' | 'never'
}): CrmSender {
  const authorization = { authorization: `Bearer ${token}` }

  const refused = async (response: HttpAnswer, answer: unknown, contacts: LeadEvent[]): Promise<DeliveryError> => {
    const error = refusalOf(answer, response, contacts)
    const pause = pauseAfter(error)
    if (pause !== undefined) await limit.pause(pause)
    return error
  }

  /**
   * Upserts one contact per event. Returns the results in their order.
   * @throws DeliveryError when all contacts failed for the same reason
   */
  const upsert = async (contacts: LeadEvent[], keep: CrmServices['keep']): Promise<CrmAnswer[]> => {
    const inputs = contacts.map((event) => ({
      id: event.lead.email,
      idProperty: 'email',
      // HubSpot repeats it in its answer, which assigns results to contacts.
      objectWriteTraceId: event.messageId,
      properties: propertiesOf(event, mapping),
    }))
    for (const [position, event] of contacts.entries()) keep(event, inputs[position])
    const response = await postJson(`${url}/batch/upsert`, JSON.stringify({ inputs }), authorization)
    const answer = await readJson(response, { without: token })
    if (response.ok) return answersOf(answer, contacts, response.status)
    throw await refused(response, answer, contacts)
  }

  /**
   * Deletes the contact of a deleted lead for good, unless another lead has the same person. Source: HubSpot's own
   * client for Node.js, codegen/crm/contacts (GDPRApi, BasicApi.getById).
   */
  const erase = async (
    { crmId, reason, isTest }: DeletedEvent,
    hasPerson: CrmServices['hasPerson'],
  ): Promise<CrmAnswer> => {
    if (erasure === 'never' || (erasure === 'request' && reason !== 'request' && !isTest)) {
      return new NotNeeded('HubSpot keeps its contact when a lead is deleted here.')
    }
    if (crmId === null) return unknownContact()

    await limit.take()
    const contact = await askCrm('GET', `${url}/${encodeURIComponent(crmId)}?properties=email`, {
      headers: authorization,
    })
    const found = await readJson(contact, { without: token })
    if (contact.status === 404) return new NotNeeded('HubSpot no longer has this contact.')
    if (!contact.ok) throw await refused(contact, found, [])
    const { email } = Contact.parse(found).properties
    if (email && (await hasPerson(email))) {
      return new NotNeeded('HubSpot keeps its contact: another request of this person is still here.')
    }

    await limit.take()
    const response = await postJson(`${url}/gdpr-delete`, JSON.stringify({ objectId: crmId }), authorization)
    if (response.ok) return { status: response.status }
    throw await refused(response, await readJson(response, { without: token }), [])
  }

  /**
   * Gives the contact of a lead whose email was corrected the new email, so that the upsert finds it and makes no second one.
   * Leaves a contact alone that has another email by now, or that another lead of ours has, too. Where another contact has the
   * new email, HubSpot refuses (409), and the upsert changes that one. Source: HubSpot's own client for Node.js,
   * codegen/crm/contacts (BasicApi.update).
   */
  const rename = async ({ crmId, former }: Renamed, to: string, hasPerson: CrmServices['hasPerson']): Promise<void> => {
    const address = `${url}/${encodeURIComponent(crmId)}`
    await limit.take()
    const contact = await askCrm('GET', `${address}?properties=email`, { headers: authorization })
    const found = await readJson(contact, { without: token })
    if (contact.status === 404) return
    if (!contact.ok) throw await refused(contact, found, [])
    const has = Contact.parse(found).properties.email?.toLowerCase()
    if (!has || has === to.toLowerCase() || !former.includes(has) || (await hasPerson(has))) return

    await limit.take()
    const headers = { 'content-type': 'application/json', ...authorization }
    const response = await askCrm('PATCH', address, { headers, body: JSON.stringify({ properties: { email: to } }) })
    const answer = await readJson(response, { without: token })
    if (!response.ok && response.status !== 409 && response.status !== 400) throw await refused(response, answer, [])
  }

  /** Renames the contacts of these events. Returns why that failed, by person: their upsert would make a second contact. */
  const renameAll = async (
    events: LeadEvent[],
    { hasPerson, listRenamed }: CrmServices,
  ): Promise<Map<string, Error>> => {
    const failures = new Map<string, Error>()
    for (const renamed of await listRenamed(events.map(({ lead }) => lead.id))) {
      const event = events.find(({ lead }) => lead.id === renamed.leadId)
      if (!event) continue
      await rename(renamed, event.lead.email, hasPerson).catch((error: Error) => failures.set(personOf(event), error))
    }
    return failures
  }

  const takesWish = mapping.some(({ field }) => field === 'do_not_contact')
  const takesOutcome = mapping.some(({ field }) => OUTCOME_FIELDS.includes(field))
  /** Returns why an event is not sent to HubSpot, if it is not. A stop that does not reach it needs a person. */
  const reasonAgainst = ({ purpose }: CrmEvent): Error | undefined => {
    if (purpose === 'opted_out' && !takesWish) {
      return new DeliveryError(NO_PROPERTY_FOR_WISH, { cause: 'refused', retry: 'never' })
    }
    return purpose === 'outcome' && !takesOutcome ? new NotNeeded(NO_PROPERTY_FOR_OUTCOME) : undefined
  }

  return {
    batchSize: MAX_INPUTS,
    concurrency: 4,
    host: new URL(url).hostname,
    async send(events, services) {
      const { readNewest, hasPerson, keep } = services
      const sendable = events.filter((event) => !reasonAgainst(event))
      const failures = await renameAll(
        sendable.filter((event) => event.purpose !== 'deleted'),
        services,
      )
      const eventOf = onePerPerson(sendable)
      for (const person of failures.keys()) eventOf.delete(person)
      /** The lead of each sent contact. */
      const sent = new Map<string, number>()
      const call = async (persons: LeadEvent[]) => {
        await limit.take()
        // Read late, because a newer lead may have come during the wait.
        const contacts = await readNewest(persons)
        for (const contact of contacts) sent.set(personOf(contact), contact.lead.id)
        return upsert(contacts, keep)
      }
      // One bad contact can make HubSpot refuse the whole batch.
      const answers = await sendByHalves([...eventOf.values()], { call, isAboutOne: isAboutOneContact })
      const answerOf = new Map([...eventOf.keys()].map((person, position) => [person, answers[position] as CrmAnswer]))
      return Promise.all(
        events.map(async (event) => {
          if (event.purpose === 'deleted') return erase(event, hasPerson).catch((error: Error) => error)
          const reason = reasonAgainst(event)
          if (reason) return reason
          const failure = failures.get(personOf(event))
          if (failure) return failure
          const answer = answerOf.get(personOf(event)) as CrmAnswer
          return sent.get(personOf(event)) === event.lead.id ? answer : answerToAnother(answer)
        }),
      )
    },
    async check() {
      await limit.take()
      const response = await askCrm('GET', `${url}?limit=1`, { headers: authorization })
      const answer = await readJson(response, { without: token })
      if (response.ok) return { status: response.status }
      throw await refused(response, answer, [])
    },
    close: limit.close,
  }
}

const NO_PROPERTY_FOR_WISH =
  'HubSpot does not know that this person must not be contacted, because HUBSPOT_PROPERTIES names no property for do_not_contact. Note it there by hand, or name one and retry.'

const NO_PROPERTY_FOR_OUTCOME = 'HUBSPOT_PROPERTIES names no property for the outcome.'

/** The part of HubSpot's contact that we read. */
const Contact = z.object({ properties: z.object({ email: z.string().nullish() }).catch({}) }).catch({ properties: {} })

function unknownContact(): DeliveryError {
  const summary =
    'We do not know which contact of HubSpot this was. Find the person there and delete the contact by hand.'
  return new DeliveryError(summary, { cause: 'refused', retry: 'never' })
}

const personOf = ({ lead }: LeadEvent) => lead.email.toLowerCase()

/** Returns one event per person, by email: that of the newest lead. HubSpot refuses a batch with duplicates. */
function onePerPerson(events: CrmEvent[]): Map<string, LeadEvent> {
  const upserts = events.filter((event) => event.purpose !== 'deleted')
  return new Map(upserts.toSorted((a, b) => a.lead.id - b.lead.id).map((event) => [personOf(event), event]))
}
