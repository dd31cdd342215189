import type { Env } from '../../core/env.ts'
import type { CrmSender } from './crm-sender.ts'
import { createWebhookSender } from './webhook.ts'

/** The sender that the settings ask for; null when no CRM is connected. */
export function createCrmSender(env: Env): CrmSender | null {
  switch (env.CRM_KIND) {
    case 'webhook':
      return createWebhookSender({ url: String(env.CRM_WEBHOOK_URL), secret: String(env.CRM_WEBHOOK_SECRET) })
    case 'none':
      return null
  }
}
