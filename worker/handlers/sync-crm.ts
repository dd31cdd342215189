import { CrmPurpose } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Db } from '../../core/platform/db.ts'
import * as erasures from '../../core/stores/erasures.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as providers from '../../core/stores/providers.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { CrmAnswer, CrmEvent, LeadEvent } from '../senders/crm-sender.ts'
import type { LeadTask, Outcome, WorkerServices } from './handler.ts'

/**
 * Sends leads to the CRM in one call of the sender. One lead is a batch of one.
 * @returns one outcome per task, in their order
 */
export async function syncCrm(
  tasks: LeadTask[],
  { db, crm, env }: Pick<WorkerServices, 'db' | 'crm' | 'env'>,
): Promise<(Outcome<Lead> | Error)[]> {
  if (!crm) return tasks.map(() => new NotNeeded('No CRM is connected (CRM_KIND is none).'))

  const leads = tasks.flatMap(({ lead }) => lead ?? [])
  const known = {
    providerOf: await readProviders(db, leads),
    erasedOf: await erasures.findLeads(
      db,
      tasks.flatMap(({ job }) => (job.purpose === 'deleted' ? job.leadId : [])),
    ),
    suppressed: await suppressions.among(db, deriveKey(env.DATA_KEY, 'person-hash'), leads),
  }
  const events = tasks.map((task) => eventOf(task, known))

  const told = events.filter((event): event is CrmEvent => !(event instanceof Error))
  const sending =
    told.length > 0
      ? crm.send(told, { readNewest: (some) => readNewest(db, some), hasPerson: (email) => hasPerson(db, email) })
      : Promise.resolve([])
  const answers = await sending.catch((error: Error) => told.map(() => error))
  const answerTo = new Map<CrmEvent, CrmAnswer | undefined>(told.map((event, position) => [event, answers[position]]))
  return events.map((event) => (event instanceof Error ? event : outcomeOf(answerTo.get(event))))
}

/** Reads the providers of these leads, by id. */
async function readProviders(db: Db, leads: Lead[]): Promise<Map<number, providers.Provider>> {
  const found = await providers.findMany(db, [...new Set(leads.flatMap(({ provider_id }) => provider_id ?? []))])
  return new Map(found.map((provider) => [provider.id, provider]))
}

/** Implements `ReadNewest`. */
async function readNewest(db: Db, events: LeadEvent[]): Promise<LeadEvent[]> {
  return withoutWords(async () => {
    const leadOf = await leadLists.newestOfPersons(
      db,
      events.map(({ lead }) => lead),
    )
    const providerOf = await readProviders(db, [...leadOf.values()])
    return events.map((event) => {
      const lead = leadOf.get(event.lead.email.toLowerCase())
      return lead ? { ...event, lead, provider: providerOf.get(lead.provider_id ?? 0) ?? null } : event
    })
  })
}

/** Implements `CrmReads.hasPerson`. */
async function hasPerson(db: Db, email: string): Promise<boolean> {
  return withoutWords(() => leadLists.hasPerson(db, email))
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
  erasedOf: Map<number, erasures.ErasedLead>
  suppressed: Set<Lead>
}

function eventOf({ job, lead }: LeadTask, { providerOf, erasedOf, suppressed }: Known): CrmEvent | NotNeeded {
  const messageId = `msg_${job.id}`
  const purpose = CrmPurpose.parse(job.purpose)
  if (purpose === 'deleted') {
    const { reason = 'deleted', crmId = null } = erasedOf.get(job.leadId) ?? {}
    return { messageId, occurredAt: job.createdAt, purpose, lead: { id: job.leadId }, reason, crmId }
  }
  if (!lead) return new NotNeeded('The lead is deleted.')
  if (lead.held_reason !== null) return new NotNeeded('The lead is held. The CRM is told when staff release it.')
  // Not the job's own time: staff may have retried or released the lead much later.
  const matchedAt = lead.matched_at ?? job.createdAt
  const occurredAt = { created: lead.created_at, matched: matchedAt, opted_out: job.createdAt }[purpose]
  const provider = providerOf.get(lead.provider_id ?? 0) ?? null
  return { messageId, occurredAt, purpose, lead, provider, doNotContact: suppressed.has(lead) }
}

function outcomeOf(answer: CrmAnswer | undefined): Outcome<Lead> | Error {
  if (!answer) return new Error('The sender gave no answer for this lead.')
  if (answer instanceof Error) return answer
  const { status, externalId } = answer
  return { result: { status, ...(externalId && { externalId }) } }
}
