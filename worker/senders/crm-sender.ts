import type { CrmPurpose } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { Provider } from '../../core/stores/providers.ts'

/** Something that happened to a lead. `messageId` is the same for every attempt to tell it. */
export type CrmEvent = {
  messageId: string
  purpose: CrmPurpose
  lead: Lead
  provider: Provider | null
}

/** A CRM that is told about leads. */
export type CrmSender = {
  /**
   * @returns the CRM's own id of the lead, if it gave one
   * @throws DeliveryError with what the CRM said
   */
  send(event: CrmEvent): Promise<{ status: number; externalId?: string }>
}
