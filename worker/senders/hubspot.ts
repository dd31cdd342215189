import { z } from 'zod'
import { SecureAddress } from '../../core/setting-types.ts'
import { SECOND } from '../../core/time.ts'
import { NotNeeded } from '../delivery-error.ts'
import { type CrmAnswer, type CrmEvent, type CrmSender, defineCrm, type LeadEvent } from './crm-sender.ts'
import { sendByHalves } from './halving.ts'
import { postJson } from './http.ts'
import { answersOf, answerToAnother, isAboutOneContact, readJson, refusalOf } from './hubspot-answers.ts'
import { DEFAULT_PROPERTIES, PropertyMapping, propertiesOf } from './hubspot-properties.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Source: HubSpot's API reference, "Create or update a batch of contacts by unique property values". */
const MOST_INPUTS = 100
/** How long to leave HubSpot alone when it says that it is too much and not for how long: its window. */
const WINDOW = 10 * SECOND

export const hubspot = defineCrm({
  kind: 'hubspot',
  settings: z.object({
    HUBSPOT_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be an access token')
      .describe('access token of a private app with the scopes crm.objects.contacts.read and .write'),
    HUBSPOT_BASE_URL: SecureAddress('https://api.hubapi.com').prefault('https://api.hubapi.com').describe('its API'),
    HUBSPOT_API_VERSION: z
      .string()
      .regex(/^(v3|\d{4}-\d{2})$/, 'must be v3, or a dated version like 2026-03')
      .default('v3')
      .describe('version of its API: `v3`, or a dated one like `2026-03`'),
    HUBSPOT_PROPERTIES: z
      .string()
      .default(DEFAULT_PROPERTIES)
      .pipe(PropertyMapping)
      .describe('the fields of a lead that it gets besides the e-mail: our field=its property, separated by commas'),
    HUBSPOT_RATE: z.coerce
      .number()
      .int()
      .min(11)
      .max(10_000)
      .default(100)
      .describe('maximum calls in ten seconds, by all workers together; every account allows a private app 100'),
  }),
  create: (settings, env) =>
    createHubspotSender({
      url: upsertUrl(settings.HUBSPOT_BASE_URL, settings.HUBSPOT_API_VERSION),
      token: settings.HUBSPOT_TOKEN,
      mapping: settings.HUBSPOT_PROPERTIES,
      limit: createRateLimit(env, { name: 'hubspot', calls: settings.HUBSPOT_RATE, seconds: 10 }),
    }),
})

/** Dated versions stand elsewhere in the path than `v3`. */
function upsertUrl(base: string, version: string): string {
  return `${base}/crm/${version === 'v3' ? 'v3/objects' : `objects/${version}`}/contacts/batch/upsert`
}

/**
 * Keeps a contact in HubSpot for each person who sent a lead: created or updated by e-mail, a hundred at once, with what
 * the newest lead says, whichever is told. A deleted lead leaves its contact as it is, because sales may be talking to that
 * person.
 */
export function createHubspotSender({
  url,
  token,
  mapping,
  limit,
}: {
  url: string
  token: string
  mapping: PropertyMapping
  limit: RateLimit
}): CrmSender {
  /** One event for each contact. Answers in their order. @throws DeliveryError when it is the same for all of them */
  const upsert = async (contacts: LeadEvent[]): Promise<CrmAnswer[]> => {
    const inputs = contacts.map((event) => ({
      id: event.lead.email,
      idProperty: 'email',
      // HubSpot names it in its answer, so that each contact's own is found there.
      objectWriteTraceId: event.messageId,
      properties: propertiesOf(event, mapping),
    }))
    const response = await postJson(url, JSON.stringify({ inputs }), { authorization: `Bearer ${token}` })
    const answer = await readJson(response, { without: token })
    if (response.ok) return answersOf(answer, contacts, response.status)

    const error = refusalOf(answer, response, contacts)
    if (response.status === 429) await limit.pause(error.askedFor ?? WINDOW)
    throw error
  }

  return {
    batchSize: MOST_INPUTS,
    callsAtOnce: 4,
    host: new URL(url).hostname,
    async send(events, readNewest) {
      const eventOf = onePerPerson(events)
      /** Which lead each contact was made of. */
      const sent = new Map<string, number>()
      const call = async (persons: LeadEvent[]) => {
        await limit.take()
        // Only now: a newer lead may have come during the wait.
        const contacts = await readNewest(persons)
        for (const contact of contacts) sent.set(personOf(contact), contact.lead.id)
        return upsert(contacts)
      }
      // For one bad contact HubSpot may refuse them all.
      const answers = await sendByHalves([...eventOf.values()], { call, isAboutOne: isAboutOneContact })
      const answerOf = new Map([...eventOf.keys()].map((person, position) => [person, answers[position] as CrmAnswer]))
      return events.map((event) => {
        if (event.purpose === 'deleted') {
          return new NotNeeded('HubSpot keeps its contact when a lead is deleted here.')
        }
        const answer = answerOf.get(personOf(event)) as CrmAnswer
        return sent.get(personOf(event)) === event.lead.id ? answer : answerToAnother(answer)
      })
    },
    close: limit.close,
  }
}

const personOf = ({ lead }: LeadEvent) => lead.email.toLowerCase()

/** One event of each person, by the e-mail: HubSpot refuses a batch that has one twice. That of the newest lead. */
function onePerPerson(events: CrmEvent[]): Map<string, LeadEvent> {
  const told = events.filter((event) => event.purpose !== 'deleted')
  return new Map(told.toSorted((a, b) => a.lead.id - b.lead.id).map((event) => [personOf(event), event]))
}
