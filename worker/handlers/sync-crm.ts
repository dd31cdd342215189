import pLimit, { type LimitFunction } from 'p-limit'
import { CrmPurpose } from '../../core/deliveries/contract/jobs.ts'
import { JOBS } from '../../core/deliveries/jobs.ts'
import type { SentMessage } from '../../core/deliveries/stores/sent-messages.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Db } from '../../core/platform/db.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { CrmAnswer, CrmEvent, CrmSender, LeadEvent } from '../senders/crm-sender.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'

/** Tells the CRM about leads, in calls of as many as its sender takes. */
export const syncCrm: Handler = (tasks, services) => {
  const { crm } = services
  if (!crm) return tasks.map(() => Promise.reject(new NotNeeded('No CRM is connected (CRM_KIND is none).')))
  const reading = readEvents(tasks, services)
  const chunks = Array.from({ length: Math.ceil(tasks.length / crm.batchSize) }, (_, chunk) => {
    const from = chunk * crm.batchSize
    const answers = callsOf(crm)(async () =>
      sendChunk((await reading).slice(from, from + crm.batchSize), crm, services),
    )
    return tasks.slice(from, from + crm.batchSize).map(async ({ of, job }, position) => {
      if (of === 'none') return resultOf(await crm.check(`msg_${job.id}`))
      const { answer, payload } = (await answers)[position] ?? {}
      return resultOf(answer, payload === undefined ? undefined : { payload })
    })
  })
  return chunks.flat()
}

/** In milliseconds: how long a lead waits for others to share a call. */
const MAX_BATCH_WAIT = 100

/**
 * Returns how a worker takes the jobs of a sender that takes many leads in a call: one call more than run at once, so that
 * the next is full when its turn comes.
 */
export function batchesOf({ batchSize, concurrency }: CrmSender) {
  if (batchSize === 1) return JOBS['sync-crm']
  return { size: batchSize, linger: MAX_BATCH_WAIT, concurrency: batchSize * (concurrency + 1) }
}

/** Returns the limit of concurrent calls of a sender. */
function callsOf(crm: CrmSender): LimitFunction {
  const limit = limits.get(crm) ?? pLimit(crm.concurrency)
  limits.set(crm, limit)
  return limit
}
const limits = new WeakMap<CrmSender, LimitFunction>()

/** Reads what the CRM is told in each task. */
async function readEvents(tasks: Task[], { db, env }: WorkerServices): Promise<(CrmEvent | NotNeeded)[]> {
  const leads = tasks.flatMap((task) => (task.of === 'lead' ? task.row : []))
  const [providerOf, outcomeOf, suppressed] = await Promise.all([
    readProviders(db, leads),
    readOutcomes(db, leads),
    suppressions.among(db, deriveKey(env.DATA_KEY, 'person-hash'), leads),
  ])
  return tasks.map((task) => eventOf(task, { providerOf, outcomeOf, suppressed }))
}

/** The answer to an event, and the payload that was sent, if one was made. */
type Sent = { answer?: CrmAnswer; payload?: unknown }

/** Sends events in one call. Returns one answer per event, in their order. */
async function sendChunk(events: (CrmEvent | NotNeeded)[], crm: CrmSender, { db }: WorkerServices): Promise<Sent[]> {
  const sendable = events.filter((event): event is CrmEvent => !(event instanceof Error))
  const payloads = new Map<CrmEvent, unknown>()
  const eventOfMessage = new Map(sendable.map((event) => [event.messageId, event]))
  const services = {
    readNewest: (some: LeadEvent[]) => readNewest(db, some),
    hasPerson: (email: string) => withoutWords(() => leadLists.hasPerson(db, email)),
    listRenamed: (ids: number[]) => withoutWords(() => leadChanges.listRenamed(db, ids)),
    keep({ messageId, lead }: LeadEvent, payload: unknown) {
      const event = eventOfMessage.get(messageId)
      // A payload with a newer lead of the person is not kept here: it would outlive that lead.
      if (event?.lead.id === lead.id) payloads.set(event, payload)
    },
  }
  // A failure of the whole call is that of each event.
  const answers =
    sendable.length > 0 ? await crm.send(sendable, services).catch((error: Error) => sendable.map(() => error)) : []
  const answerTo = new Map<CrmEvent, CrmAnswer | undefined>(
    sendable.map((event, position) => [event, answers[position]]),
  )
  return events.map((event) =>
    event instanceof Error ? { answer: event } : { answer: answerTo.get(event), payload: payloads.get(event) },
  )
}

/** Reads the providers of these leads, by id. */
async function readProviders(db: Db, leads: Lead[]): Promise<Map<number, providers.Provider>> {
  const found = await providers.findMany(db, [...new Set(leads.flatMap(({ provider_id }) => provider_id ?? []))])
  return new Map(found.map((provider) => [provider.id, provider]))
}

/** Reads the current outcomes of these leads, by lead. */
async function readOutcomes(db: Db, leads: Lead[]): Promise<Map<number, LeadOutcome>> {
  const ids = leads.filter(({ outcome }) => outcome !== null).map(({ id }) => id)
  // The usual case: most events are about leads that no clinic has answered yet.
  return ids.length === 0 ? new Map() : outcomes.findCurrent(db, ids)
}

/** Implements `ReadNewest`. */
async function readNewest(db: Db, events: LeadEvent[]): Promise<LeadEvent[]> {
  return withoutWords(async () => {
    const leadOf = await leadLists.newestOfPersons(
      db,
      events.map(({ lead }) => lead),
    )
    const newest = [...leadOf.values()]
    const [providerOf, outcomeOf] = await Promise.all([readProviders(db, newest), readOutcomes(db, newest)])
    return events.map((event) => {
      const lead = leadOf.get(event.lead.email.toLowerCase())
      if (!lead) return event
      return {
        ...event,
        lead,
        provider: providerOf.get(lead.provider_id ?? 0) ?? null,
        outcome: outcomeOf.get(lead.id),
      }
    })
  })
}

/** @throws DeliveryError without PostgreSQL's own message, which may quote visitors */
async function withoutWords<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch {
    const summary = 'Our database could not be asked for the newest leads.'
    throw new DeliveryError(summary, { cause: 'our_side', retry: 'later' })
  }
}

type Known = {
  providerOf: Map<number, providers.Provider>
  outcomeOf: Map<number, LeadOutcome>
  suppressed: Set<Lead>
}

function eventOf(task: Task, { providerOf, outcomeOf, suppressed }: Known): CrmEvent | NotNeeded {
  const { job } = task
  const messageId = `msg_${job.id}`
  if (task.of === 'erased lead') {
    const { reason = 'deleted', crmId = null, isTest = false } = task.row ?? {}
    return {
      messageId,
      occurredAt: job.createdAt,
      purpose: 'deleted',
      lead: { id: task.id },
      reason,
      crmId,
      isTest,
    }
  }
  if (task.of !== 'lead') return new NotNeeded('Only leads are sent to the CRM.')
  const lead = task.row.is_test ? asTest(task.row) : task.row
  if (lead.held_reason !== null) return new NotNeeded('The lead is held. The CRM gets it when staff release it.')
  const purpose = LeadPurpose.parse(job.purpose)
  // Not the job's own time: staff may have retried or released the lead much later.
  const matchedAt = lead.matched_at ?? job.createdAt
  const occurredAt = {
    created: lead.created_at,
    matched: matchedAt,
    outcome: lead.outcome_at ?? job.createdAt,
    opted_out: job.createdAt,
  }[purpose]
  const provider = providerOf.get(lead.provider_id ?? 0) ?? null
  const outcome = outcomeOf.get(lead.id)
  if (purpose === 'outcome' && (outcome === undefined || outcome.kind === 'opened')) {
    return new NotNeeded('The lead has another clinic by now, which has not answered yet.')
  }
  if (purpose === 'outcome' && outcome?.source === 'crm') {
    return new NotNeeded('The CRM has stated the present outcome itself.')
  }
  return { messageId, occurredAt, purpose, lead, provider, outcome, doNotContact: suppressed.has(lead) }
}

/**
 * Returns a test lead as the CRM gets it: with an address that nobody has (RFC 2606), because a CRM that keeps persons would
 * overwrite the contact of the staff who made it.
 */
const asTest = (lead: Lead): Lead => ({ ...lead, email: `test-lead-${lead.id}@example.com` })

/** The purposes that are about a lead that is there. */
const LeadPurpose = CrmPurpose.exclude(['deleted', 'test'])

function resultOf(answer: CrmAnswer | undefined, sent?: SentMessage): Outcome {
  if (!answer) throw new Error('The sender gave no answer for this lead.')
  if (answer instanceof DeliveryError) throw answer.withSent(sent)
  if (answer instanceof Error) throw answer
  const { status, externalId } = answer
  return { result: { status, ...(externalId && { externalId }) }, sent }
}
