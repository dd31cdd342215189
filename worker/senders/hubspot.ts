import { z } from 'zod'
import { SecureAddress } from '../../core/settings/read-settings.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import {
  type CrmAnswer,
  type CrmSender,
  type CrmServices,
  type DeletedEvent,
  defineCrm,
  type LeadEvent,
} from './crm-sender.ts'
import { answerOf, askHubspot, failureOfAnother } from './hubspot-answers.ts'
import { createHubspotOutcomes, StageMapping } from './hubspot-outcomes.ts'
import { DEFAULT_PROPERTIES, OUTCOME_FIELDS, PropertyMapping, propertiesOf } from './hubspot-properties.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

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

const objectsUrl = (base: string, object: string) => `${base}/crm/v3/objects/${object}`

/**
 * Keeps a HubSpot contact for each person who sent a lead: upserted by email, with the fields of the person's newest lead. A
 * lead whose email is corrected keeps its contact. The contact of a lead that is permanently deleted is deleted as well, as far
 * as `erasure` says.
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
  const account = { url, token, limit }
  const fields = mapping.map(({ field }): string => field)
  const takesWish = fields.includes('do_not_contact')
  const takesOutcome = fields.some((field) => OUTCOME_FIELDS.includes(field))

  return {
    concurrency: 10,
    host: new URL(url).hostname,
    async send(event, services) {
      if (event.purpose === 'deleted') {
        const isKept = erasure === 'never' || (erasure === 'request' && event.reason !== 'request' && !event.isTest)
        if (isKept) throw new NotNeeded('HubSpot keeps its contact when a lead is deleted here.')
        return erase(account, event, services)
      }
      // A stop that does not reach HubSpot needs a person.
      if (event.purpose === 'opted_out' && !takesWish) {
        throw new DeliveryError(NO_PROPERTY_FOR_WISH, { cause: 'refused', retry: 'never' })
      }
      if (event.purpose === 'outcome' && !takesOutcome) throw new NotNeeded(NO_PROPERTY_FOR_OUTCOME)

      await rename(account, event, services)
      await limit.take()
      // Read late, because a newer lead may have come during the wait.
      const newest = await services.readNewest(event)
      return upsert(account, newest, mapping, services).catch((error) => {
        throw newest.lead.id === event.lead.id ? error : failureOfAnother(error)
      })
    },
    async check() {
      await limit.take()
      const { status } = await ask(account, '?limit=1', { method: 'GET' })
      return { status }
    },
    close: limit.close,
  }
}

type Account = { url: string; token: string; limit: RateLimit }

/** Calls the contacts API. @throws DeliveryError */
async function ask(account: Account, path: string, asked: Parameters<typeof askHubspot>[2]) {
  const { response, answer } = await askHubspot(account, account.url + path, asked)
  return { status: response.status, answer }
}

/**
 * Upserts the contact of a lead. A call takes up to a hundred; one is enough for nine leads a second.
 * Source: HubSpot's API reference, "Create or update a batch of contacts by unique property values".
 */
async function upsert(account: Account, event: LeadEvent, mapping: PropertyMapping, { keep }: CrmServices) {
  const input = { id: event.lead.email, idProperty: 'email', properties: propertiesOf(event, mapping) }
  keep(event, input)
  const { status, answer } = await ask(account, '/batch/upsert', { method: 'POST', body: { inputs: [input] } })
  return answerOf(answer, status)
}

/** Reads the email of a contact. Returns null when HubSpot does not have the contact. */
async function readEmail(account: Account, crmId: string): Promise<string | null | undefined> {
  await account.limit.take()
  const path = `/${encodeURIComponent(crmId)}?properties=email`
  const { status, answer } = await ask(account, path, { method: 'GET', allows: [404] })
  return status === 404 ? null : Contact.parse(answer).properties.email?.toLowerCase()
}

/** The part of HubSpot's contact that we read. */
const Contact = z.object({ properties: z.object({ email: z.string().nullish() }).catch({}) }).catch({ properties: {} })

/**
 * Permanently deletes the contact of a deleted lead, unless another lead has the same person. Source: HubSpot's own
 * client for Node.js, codegen/crm/contacts (GDPRApi, BasicApi.getById).
 */
async function erase(account: Account, { crmId }: DeletedEvent, { hasPerson }: CrmServices): Promise<CrmAnswer> {
  if (crmId === null) throw new DeliveryError(UNKNOWN_CONTACT, { cause: 'refused', retry: 'never' })
  const email = await readEmail(account, crmId)
  if (email === null) throw new NotNeeded('HubSpot no longer has this contact.')
  if (email && (await hasPerson(email))) {
    throw new NotNeeded('HubSpot keeps its contact: another request of this person is still here.')
  }
  await account.limit.take()
  const { status } = await ask(account, '/gdpr-delete', { method: 'POST', body: { objectId: crmId } })
  return { status }
}

/**
 * Gives the contact of a lead whose email was corrected the new email, so that the upsert finds it and makes no second one.
 * Leaves a contact alone that has another email by now, or that another lead of ours has, too. Where another contact has the
 * new email, HubSpot refuses (409), and the upsert changes that one. Source: HubSpot's own client for Node.js,
 * codegen/crm/contacts (BasicApi.update).
 */
async function rename(account: Account, { lead }: LeadEvent, { findRenamed, hasPerson }: CrmServices): Promise<void> {
  const renamed = await findRenamed(lead.id)
  if (!renamed) return
  const { crmId, former } = renamed
  const has = await readEmail(account, crmId)
  if (!has || has === lead.email.toLowerCase() || !former.includes(has) || (await hasPerson(has))) return
  await account.limit.take()
  const body = { properties: { email: lead.email } }
  await ask(account, `/${encodeURIComponent(crmId)}`, { method: 'PATCH', body, allows: [400, 409] })
}

const NO_PROPERTY_FOR_WISH =
  'HubSpot does not know that this person must not be contacted, because HUBSPOT_PROPERTIES names no property for do_not_contact. Note it there by hand, or name one and retry.'

const NO_PROPERTY_FOR_OUTCOME = 'HUBSPOT_PROPERTIES names no property for the outcome.'

const UNKNOWN_CONTACT =
  'We do not know which contact of HubSpot this was. Find the person there and delete the contact by hand.'
