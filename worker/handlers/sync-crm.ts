import pLimit, { type LimitFunction } from 'p-limit'
import { CrmPurpose } from '../../core/deliveries/contract/jobs.ts'
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
import type { CrmEvent, CrmSender, CrmServices, LeadEvent } from '../senders/crm-sender.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'

/** Sends events of leads to the CRM, each in a call of its own. */
export const syncCrm: Handler = (tasks, services) => {
  const { crm } = services
  if (!crm) return tasks.map(() => Promise.reject(new NotNeeded('No CRM is connected (CRM_KIND is none).')))
  const known = readKnown(tasks, services)
  return tasks.map((task) => callsOf(crm)(async () => send(task, await known, crm, services)))
}

/** Returns the limit of concurrent calls of a sender. */
function callsOf(crm: CrmSender): LimitFunction {
  const limit = limits.get(crm) ?? pLimit(crm.concurrency)
  limits.set(crm, limit)
  return limit
}
const limits = new WeakMap<CrmSender, LimitFunction>()

type Known = {
  providerOf: Map<number, providers.Provider>
  outcomeOf: Map<number, LeadOutcome>
  suppressed: Set<Lead>
}

/** Reads what the events of these tasks say besides their leads. */
async function readKnown(tasks: Task[], { db, env }: WorkerServices): Promise<Known> {
  const leads = tasks.flatMap((task) => (task.of === 'lead' ? task.row : []))
  const [providerOf, outcomeOf, suppressed] = await Promise.all([
    readProviders(db, leads),
    readOutcomes(db, leads),
    suppressions.among(db, deriveKey(env.DATA_KEY, 'person-hash'), leads),
  ])
  return { providerOf, outcomeOf, suppressed }
}

/** Sends one event, and keeps its payload with the job. */
async function send(task: Task, known: Known, crm: CrmSender, { db }: WorkerServices): Promise<Outcome> {
  if (task.of === 'none') return { result: await crm.check(`msg_${task.job.id}`) }
  const event = eventOf(task, known)
  let sent: SentMessage | undefined
  const services: CrmServices = {
    readNewest: (newer) => withoutWords(() => readNewest(db, newer)),
    hasPerson: (email) => withoutWords(() => leadLists.hasPerson(db, email)),
    findRenamed: (id) => withoutWords(async () => (await leadChanges.listRenamed(db, [id]))[0]),
    keep({ lead }, payload) {
      // A payload with a newer lead of the person is not kept here: it would outlive that lead.
      if (lead.id === event.lead.id) sent = { payload }
    },
  }
  const { status, externalId } = await crm.send(event, services).catch((error) => {
    throw error instanceof DeliveryError ? Object.assign(error, { sent }) : error
  })
  return { result: { status, ...(externalId && { externalId }) }, sent }
}

/** Reads the providers of these leads, by id. */
async function readProviders(db: Db, leads: Lead[]): Promise<Map<number, providers.Provider>> {
  const found = await providers.findMany(db, [...new Set(leads.flatMap(({ provider_id }) => provider_id ?? []))])
  return new Map(found.map((provider) => [provider.id, provider]))
}

/** Reads the current outcomes of these leads, by lead. */
async function readOutcomes(db: Db, leads: Lead[]): Promise<Map<number, LeadOutcome>> {
  const ids = leads.filter(({ outcome }) => outcome !== null).map(({ id }) => id)
  // The usual case: most events are about leads that no provider has answered yet.
  return ids.length === 0 ? new Map() : outcomes.findCurrent(db, ids)
}

async function readNewest(db: Db, event: LeadEvent): Promise<LeadEvent> {
  const lead = (await leadLists.newestOfPersons(db, [event.lead])).get(event.lead.email.toLowerCase())
  if (!lead) return event
  const [providerOf, outcomeOf] = await Promise.all([readProviders(db, [lead]), readOutcomes(db, [lead])])
  const provider = providerOf.get(lead.provider_id ?? 0) ?? null
  return { ...event, lead, provider, outcome: outcomeOf.get(lead.id) }
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

/** @throws NotNeeded when the CRM must not get it */
function eventOf(task: Task, { providerOf, outcomeOf, suppressed }: Known): CrmEvent {
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
  if (task.of !== 'lead') throw new NotNeeded('Only leads are sent to the CRM.')
  const lead = task.row.is_test ? asTest(task.row) : task.row
  if (lead.held_reason !== null) throw new NotNeeded('The lead is held. The CRM gets it when staff release it.')
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
    throw new NotNeeded('The lead has another clinic by now, which has not answered yet.')
  }
  if (purpose === 'outcome' && outcome?.source === 'crm') {
    throw new NotNeeded('The CRM has stated the present outcome itself.')
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
