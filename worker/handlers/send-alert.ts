import * as alerts from '../../core/conditions/stores/alerts.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import { alertEmail } from '../emails/alerts.tsx'
import { compose } from '../emails/emails.ts'
import { postAlert, signatureOf, slackMessage, webhookMessage } from '../senders/alerts.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'
import { deliver } from './send-email.ts'

/** Tells one recipient of a channel what is wrong. */
export const sendAlert: Handler = (tasks, services) => tasks.map((task) => send(task, services))

async function send({ job }: Task, services: WorkerServices): Promise<Outcome> {
  const { db, env } = services
  const delivery = await alerts.findDelivery(db, job.id)
  if (!delivery) throw new NotNeeded('A newer run has taken its place.')
  const channel =
    delivery.channelId === null
      ? null
      : await alerts.findChannel(db, deriveKey(env.DATA_KEY, 'alert-channel'), delivery.channelId)
  if (!channel) throw new NotNeeded('The channel was removed.')
  const { kind, target } = channel
  if (target === 'lost') {
    const summary =
      'Where this channel leads cannot be read with this DATA_KEY. Remove it under Alerts, and add it again.'
    throw new DeliveryError(summary, { cause: 'wrong_address', retry: 'never' })
  }
  if (!target || 'addresses' in target) {
    const to = delivery.recipient ?? env.TEAM_EMAIL
    return deliver(job.id, compose(alertEmail({ delivery, to, isTeam: kind === 'team', env })), services)
  }
  const { url, secret } = target
  const message = kind === 'slack' ? slackMessage(delivery, env.PUBLIC_URL) : webhookMessage(delivery, env.PUBLIC_URL)
  const body = JSON.stringify(message)
  const headers = secret ? signatureOf(delivery.messageId, body, secret) : {}
  return { result: await postAlert({ url, body, headers, privateHosts: env.ALERT_PRIVATE_HOSTS }) }
}
