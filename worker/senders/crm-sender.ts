import type { z } from 'zod'
import type { WorkerEnv } from '../../core/env.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import type { CrmChange } from '../../core/leads/take-crm-outcome.ts'
import type { ErasureReason } from '../../core/privacy/contract/privacy.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { readSettings } from '../../core/settings/read-settings.ts'

/**
 * An event of a lead, and its time (ISO 8601). `messageId` and `occurredAt` are the same for every attempt. Of a lead
 * that was deleted for good only the ids are left: ours, and the CRM's if it gave one.
 */
export type CrmEvent = LeadEvent | DeletedEvent
export type DeletedEvent = Message & {
  purpose: 'deleted'
  lead: Pick<Lead, 'id'>
  reason: ErasureReason
  crmId: string | null
  /** Whether staff had tested their setup with the lead. */
  isTest?: boolean
}
export type LeadEvent = Message & {
  purpose: 'created' | 'matched' | 'outcome' | 'opted_out'
  lead: Lead
  provider: Provider | null
  /** The current outcome. An event of the purpose `outcome` always has one. */
  outcome?: LeadOutcome
  /** The person asks for no contact, as of now. */
  doNotContact?: boolean
}
type Message = { messageId: string; occurredAt: string }

/**
 * Returns the same events, each with the newest lead of its person (the same e-mail, ignoring case) as it is now. Skips
 * leads that are held or failed at the CRM.
 */
export type ReadNewest = (events: LeadEvent[]) => Promise<LeadEvent[]>

/** A lead whose e-mail staff have corrected, with the CRM's id of it and its earlier e-mails in lower case. */
export type Renamed = { leadId: number; crmId: string; former: string[] }

/** What a sender may use: reads of our database, and the copy that staff can look at. */
export type CrmServices = {
  readNewest: ReadNewest
  /** Returns whether a lead has this e-mail, ignoring case. Counts deleted leads that can be restored. */
  hasPerson(email: string): Promise<boolean>
  /** Returns those of the leads that the CRM knows and whose e-mail was corrected. */
  listRenamed(leadIds: number[]): Promise<Renamed[]>
  /** Keeps the payload that tells an event, before the call. It must contain no secret. The last one counts. */
  keep(event: LeadEvent, payload: unknown): void
}

/** The result of one event: accepted, perhaps with the CRM's id of the lead, or a DeliveryError, or NotNeeded. */
export type CrmAnswer = { status: number; externalId?: string } | Error

/** Sends events of leads to a CRM. */
export type CrmSender = {
  /** Events in one call of `send`, at most. */
  batchSize: number
  /** Concurrent calls of `send` in one process, at most. */
  concurrency: number
  /** The host that is called, for the traces. */
  host?: string
  /**
   * Sends events to the CRM. A CRM that keeps persons, not leads, reads their newest leads before each call.
   * @returns one result per event, in their order
   * @throws DeliveryError when all events failed for the same reason
   */
  send(events: CrmEvent[], services: CrmServices): Promise<CrmAnswer[]>
  /**
   * Asks the CRM whether it accepts us, without changing anything there.
   * @param messageId the same for every attempt
   * @throws DeliveryError
   */
  check(messageId: string): Promise<{ status: number }>
  /** What is read from this CRM, if it is asked what became of leads. */
  outcomes?: CrmOutcomes
  close?(): void
}

/** Asks a CRM what became of leads, page by page. */
export type CrmOutcomes = {
  /** The name of what is read. Each has a cursor of its own. */
  source: string
  /**
   * Reads the next page of the records that have changed since a time, those with greater ids than `afterId`.
   * @param reads.known returns those of the CRM's ids that leads of ours have; nothing else is read further
   * @returns the stated outcomes; the CRM's own time; and the last id, or null where no page follows
   * @throws DeliveryError; the signal's reason once that is aborted
   */
  readPage(
    place: { since: Date; afterId: string | null },
    reads: { known(crmIds: string[]): Promise<Set<string>>; signal?: AbortSignal },
  ): Promise<{ changes: CrmChange[]; readAt: Date; lastId: string | null }>
}

/** A kind of CRM that can be connected. */
export type Crm = {
  /** The value of CRM_KIND. */
  kind: string
  settings: z.ZodObject
  /** @throws SettingsError when a setting is wrong or missing */
  create(env: WorkerEnv): CrmSender
}

/** Declares a kind of CRM: its name, its settings, each with a sentence, and the function that makes its sender. */
export function defineCrm<Settings extends z.ZodObject>({
  kind,
  settings,
  create,
}: {
  kind: string
  settings: Settings
  create(settings: z.output<Settings>, env: WorkerEnv): CrmSender
}): Crm {
  return { kind, settings, create: (env) => create(readSettings(settings, env.given), env) }
}
