import * as alerts from '../../core/conditions/stores/alerts.ts'
import type { JobName } from '../../core/deliveries/contract/jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { noteNoMatch } from '../../core/leads/advance-clocks.ts'
import { assignTo, choose, chooseUnderLock, needsLock, wantedBy } from '../../core/leads/assign-provider.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { only } from '../../core/platform/db.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import { beginSync } from '../../core/sync/runs.ts'
import { DeliveryError, HandedBack, NotNeeded, reasonOf } from '../delivery-error.ts'
import { alertEmail } from '../emails/alerts.tsx'
import { compose } from '../emails/emails.ts'
import { type DeleteBatch, retention } from '../retention.ts'
import { postAlert, signatureOf, slackMessage, webhookMessage } from '../senders/alerts.ts'
import { performRun } from '../sync/run.ts'
import { bulk } from './bulk.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'
import { deliver, sendEmail } from './send-email.ts'
import { syncCrm } from './sync-crm.ts'

/** Returns the handler that runs each task by itself. */
function each(run: (task: Task, services: WorkerServices) => Promise<Outcome>): Handler {
  return (tasks, services) => tasks.map((task) => run(task, services))
}

/** Finds a provider for leads that have none. */
const matchLead = each(async (task, { db, env }) => {
  if (task.of !== 'lead') throw new NotNeeded('Only leads are matched.')
  const { row: lead, job } = task
  if (lead.held_reason !== null) throw new NotNeeded('The lead is held. It is matched when staff release it.')
  if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider already.')

  const radiusMiles = env.MATCH_RADIUS_MILES
  const wanted = only(await wantedBy(db, [lead]))
  const found = await choose(db, wanted, radiusMiles)
  return {
    result: { ...found },
    async commit(trx, current) {
      if (current.provider_id !== null) return
      const final = needsLock(found) ? await chooseUnderLock(trx, wanted, radiusMiles) : found
      if (final.providerId !== found.providerId) await jobs.correctResult(trx, job.id, { ...final })
      if (final.providerId !== null) await assignTo(trx, current, final)
      else await noteNoMatch(trx, current, final)
    },
  }
})

/** Runs of the provider sync. A job is done when its run has ended; the run's row says how. */
const syncProviders = each(async ({ of, id }, services) => {
  if (of !== 'sync') throw new NotNeeded('The job belongs to no sync.')
  const run = await beginSync(services.db, id)
  // The end of that sync adds this job again.
  if (run === 'busy') throw new NotNeeded('Another sync is running. This one follows it.')
  if (run !== 'ended' && !(await performRun(run, services, services.stopping))) throw new HandedBack()
  return { result: {} }
})

/** Sends one alert to one recipient of a channel. */
const sendAlert = each(async ({ job }, services) => {
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
})

/** Deletes what is older than its retention. Whatever ends the attempt, the next one goes on with what is left. */
const purge = each(async ({ job }, { db, env, log, stopping }) => {
  /** One batch is one transaction, so that no row is deleted twice or half. */
  const deleteAll = async (deleteBatch: DeleteBatch) => {
    for (let total = 0; ; ) {
      if (stopping.aborted) throw new HandedBack('The worker stops.')
      const deleted = await db.transaction(async (trx) => {
        if (!(await erasures.isOpen(trx, job.id))) throw new NotNeeded('Another worker has ended this purge.')
        return deleteBatch(trx, total)
      })
      total += deleted
      if (deleted === 0) return total
    }
  }

  const failed: string[] = []
  let total = 0
  for (const [name, deleteBatch] of Object.entries(retention(env))) {
    try {
      const deleted = await deleteAll(deleteBatch)
      if (deleted > 0) log.info({ what: name, deleted }, 'purge')
      total += deleted
    } catch (error) {
      if (error instanceof HandedBack || error instanceof NotNeeded) throw error
      log.warn({ what: name, reason: reasonOf(error as Error) }, 'purge')
      failed.push(name)
    }
  }
  if (failed.length > 0) {
    throw new DeliveryError(`Could not delete: ${failed.join(', ')}.`, { cause: 'our_side', retry: 'later' })
  }
  return { result: { deleted: total } }
})

/** The handler of each kind of job. A missing one is a compile error. */
export const HANDLERS = {
  'match-lead': matchLead,
  'send-email': sendEmail,
  'sync-crm': syncCrm,
  bulk,
  'send-alert': sendAlert,
  'sync-providers': syncProviders,
  purge,
} satisfies Record<JobName, Handler>
