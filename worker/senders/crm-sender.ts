import type { z } from 'zod'
import type { Lead } from '../../core/contract/leads.ts'
import type { ErasureReason } from '../../core/contract/privacy.ts'
import type { WorkerEnv } from '../../core/env.ts'
import { readSettings } from '../../core/settings/read-settings.ts'
import type { Provider } from '../../core/stores/providers.ts'

/**
 * Something that happened to a lead, and when (ISO 8601). `messageId` is the same for every attempt to tell it, and so is
 * `occurredAt`. Of a lead that was deleted for good only its ids are left: ours, and the CRM's where that gave one.
 */
export type CrmEvent = LeadEvent | DeletedEvent
export type DeletedEvent = Message & {
  purpose: 'deleted'
  lead: Pick<Lead, 'id'>
  reason: ErasureReason
  crmId: string | null
}
export type LeadEvent = Message & {
  purpose: 'created' | 'matched' | 'opted_out'
  lead: Lead
  provider: Provider | null
  /** Whether the person wants no more contact, as it is now. */
  doNotContact?: boolean
}
type Message = { messageId: string; occurredAt: string }

/**
 * The same events, each with the newest lead of its person, as it is now: the person with the same e-mail, whatever its
 * case. Leads that are held or failed at the CRM are passed over.
 */
export type ReadNewest = (events: LeadEvent[]) => Promise<LeadEvent[]>

/** What a sender may ask our database while it sends. */
export type CrmReads = {
  readNewest: ReadNewest
  /** Whether there is a lead with this e-mail, whatever its case, also one that is deleted and can be restored. */
  hasPerson(email: string): Promise<boolean>
}

/** What became of one event: taken, perhaps with the CRM's own id of the lead; or a DeliveryError, or NotNeeded. */
export type CrmAnswer = { status: number; externalId?: string } | Error

/** A CRM that is told about leads. */
export type CrmSender = {
  /** How many events one call of `send` takes. */
  batchSize: number
  /** How many calls of `send` one process makes at the same time. */
  concurrency: number
  /** Whom it calls, for the traces. */
  host?: string
  /**
   * Tells the CRM. One that keeps persons and not leads asks for their newest before each call.
   * @returns what became of each event, in their order
   * @throws DeliveryError when it is the same for all of them
   */
  send(events: CrmEvent[], reads: CrmReads): Promise<CrmAnswer[]>
  close?(): void
}

/** A kind of CRM that can be connected. */
export type Crm = {
  /** What CRM_KIND calls it. */
  kind: string
  settings: z.ZodObject
  /** @throws SettingsError when a setting is wrong or missing */
  create(env: WorkerEnv): CrmSender
}

/** Declares a kind of CRM: its name, its settings, each with a sentence, and how a sender is made of them. */
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
