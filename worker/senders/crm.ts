import type { WorkerEnv } from '../../core/env.ts'
import { settingsError } from '../../core/settings/read-settings.ts'
import type { Crm, CrmSender } from './crm-sender.ts'
import { hubspot } from './hubspot.ts'
import { webhook } from './webhook.ts'

/** Every CRM that can be connected. How to add one: docs/adding-a-crm.md. */
export const CRMS: Crm[] = [webhook, hubspot]

/** Null when none is connected. @throws SettingsError when CRM_KIND is unknown, or a setting wrong or missing */
export function createCrmSender(env: WorkerEnv, crms = CRMS): CrmSender | null {
  if (env.CRM_KIND === 'none') return null
  const crm = crms.find(({ kind }) => kind === env.CRM_KIND)
  if (!crm) throw settingsError([`CRM_KIND must be one of ${[...crms.map(({ kind }) => kind), 'none'].join(', ')}`])
  return crm.create(env)
}
