import type { CrmPurpose } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { StaffProvider } from '../../core/contract/providers.ts'
import type { Env } from '../../core/env.ts'
import { createWebhookSender } from './webhook.ts'

/** Something that happened to a lead. `messageId` is the same for every attempt to tell it. */
export type CrmEvent = {
  messageId: string
  purpose: CrmPurpose
  lead: Lead
  provider: StaffProvider | null
}

/** A CRM that is told about leads. */
export type CrmSender = {
  /**
   * @returns the CRM's own id of the lead, if it gave one
   * @throws DeliveryError with what the CRM said
   */
  send(event: CrmEvent): Promise<{ status: number; externalId?: string }>
}

/** The sender that the settings ask for; null when no CRM is connected. */
export function createCrmSender(env: Env): CrmSender | null {
  switch (env.CRM_KIND) {
    case 'webhook':
      return createWebhookSender({ url: String(env.CRM_WEBHOOK_URL), secret: String(env.CRM_WEBHOOK_SECRET) })
    case 'none':
      return null
  }
}
