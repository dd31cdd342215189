import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { emailAddress, line } from '../../contract/forms.ts'
import { RetryAnswer, RetryQuery } from '../../deliveries/contract/jobs.ts'

export const AlertRhythm = z.enum(['at_once', 'daily'])
export type AlertRhythm = z.infer<typeof AlertRhythm>

export const ChannelKind = z.enum(['team', 'email', 'slack', 'webhook'])
export type ChannelKind = z.infer<typeof ChannelKind>

export const CHANNEL_KINDS: Record<ChannelKind, string> = {
  team: 'The team’s email',
  email: 'Email',
  slack: 'Slack, or compatible',
  webhook: 'Webhook',
}

const MAX_ADDRESSES = 10

const ADDRESSES = 'Enter email addresses, one on a line'
const Addresses = z.array(emailAddress(ADDRESSES)).min(1, ADDRESSES).max(MAX_ADDRESSES)
// Whether a plain address is allowed depends on a setting, so the server checks the rest.
const Target = z.url({ protocol: /^https?$/, error: 'Enter an address that begins with https://' }).max(1000)
const Name = line('A name', 60)
const DailyHour = z.int().min(0).max(23)

export const NewAlertChannel = z
  .object({
    kind: ChannelKind.exclude(['team']),
    name: Name,
    addresses: Addresses.optional(),
    url: Target.optional(),
  })
  .refine(({ kind, addresses }) => kind !== 'email' || addresses, {
    path: ['addresses'],
    message: ADDRESSES,
  })
  .refine(({ kind, url }) => kind === 'email' || url, {
    path: ['url'],
    message: 'Enter an address that begins with https://',
  })
export type NewAlertChannel = z.output<typeof NewAlertChannel>

export const AlertChannelChanges = z.object({
  daily_hour: DailyHour.optional(),
  rhythm: AlertRhythm.optional(),
})
export type AlertChannelChanges = z.output<typeof AlertChannelChanges>

export const AlertDelivery = z.object({
  job_id: z.uuid(),
  at: z.iso.datetime(),
  kind: z.enum(['alert', 'digest', 'test']),
  state: z.enum(['waiting', 'enqueued', 'done', 'failed', 'cancelled']),
  error: z.string().nullable(),
  detail: z.string().nullable(),
})
export type AlertDelivery = z.infer<typeof AlertDelivery>

export const AlertChannel = z.object({
  id: z.number().int(),
  kind: ChannelKind,
  name: z.string(),
  /** The addresses, or the host and the end of a secret address; null for the team’s, which is a setting. */
  target: z.string().nullable(),
  daily_hour: z.number().int(),
  rhythm: AlertRhythm,
  last: AlertDelivery.nullable(),
})
export type AlertChannel = z.infer<typeof AlertChannel>

export const Alerts = z.object({
  channels: z.array(AlertChannel),
  /** When a worker last looked; null before the first time. */
  checked_at: z.iso.datetime().nullable(),
  no_lead_hours: z.number().int(),
})
export type Alerts = z.infer<typeof Alerts>

export const listAlerts = defineCall({
  method: 'GET',
  path: '/api/alerts',
  summary: 'List the channels of alerts, and what each is told.',
  access: 'manager',
  output: Alerts,
})

export const addAlertChannel = defineCall({
  method: 'POST',
  path: '/api/alerts/channels',
  summary: 'Add a channel of alerts. A webhook answers with its secret, which is not shown again.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: NewAlertChannel },
  output: z.object({ id: z.number().int(), secret: z.string().nullable() }),
})

export const changeAlertChannel = defineCall({
  method: 'PATCH',
  path: '/api/alerts/channels/:id',
  summary: 'Change whether a channel is notified at once or by a daily summary, and at which hour.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: AlertChannelChanges },
})

export const removeAlertChannel = defineCall({
  method: 'DELETE',
  path: '/api/alerts/channels/:id',
  summary: 'Remove a channel of alerts.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams },
})

export const testAlertChannel = defineCall({
  method: 'POST',
  path: '/api/alerts/channels/:id/test',
  summary: 'Send a test message to a channel of alerts.',
  access: 'manager',
  input: { params: RowParams, query: RetryQuery },
  output: RetryAnswer,
})

export const changeAlertSettings = defineCall({
  method: 'PATCH',
  path: '/api/alerts/settings',
  summary: 'Change after how many business hours without a lead staff are alerted.',
  access: 'manager',
  input: { body: z.object({ no_lead_hours: z.int().min(1, 'At least one hour').max(200, 'At most 200 hours') }) },
})

/** `messageId` is the same on every retry, and `recipient` an email address, or null where the channel says where it goes. */
export const AlertPayload = z.object({
  messageId: z.string(),
  channelId: z.int().nullable(),
  recipient: z.string().nullable(),
  at: z.string(),
  notes: z.array(z.int()),
})
export type AlertPayload = z.infer<typeof AlertPayload>
