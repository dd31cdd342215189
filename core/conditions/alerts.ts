import { randomBytes } from 'node:crypto'
import { DAY, MINUTE } from '../contract/time.ts'
import * as changes from '../deliveries/stores/changes.ts'
import type { Env } from '../env.ts'
import { AppError, invalidField } from '../errors.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { limitTests } from '../staff/stores/audit-log.ts'
import type { ConditionEnv } from './condition.ts'
import { ALERTED, listFound } from './conditions.ts'
import type { AlertChannelChanges, NewAlertChannel } from './contract/alerts.ts'
import { conditionOf } from './contract/conditions.ts'
import { compare, dueAt, type Finding, SILENCE, targetProblem } from './rules/alerts.ts'
import * as alerts from './stores/alerts.ts'

export type AlertEnv = ConditionEnv & Pick<Env, 'CLINIC_HOURS' | 'ANSWER_HOURS'>

/** In milliseconds: what began before is not announced. A lead of last month that was never matched is no news. */
const NEWS = 7 * DAY

/**
 * Looks for what is wrong, opens and ends states, and adds the messages that are due to the ledger, in one transaction. Of
 * any number of workers one does it at a time, and what it has done the next one finds done.
 * @returns the number of added jobs
 */
export async function raiseAlerts(db: Db, env: AlertEnv, now = new Date()): Promise<number> {
  return db.transaction(async (trx) => {
    const states = await alerts.lockStates(trx)
    if (!states) return 0
    await alerts.ensureTeam(trx)
    const settings = await alerts.readSettings(trx)
    const found = await findAlerts(trx, env, now)
    const channels = await alerts.listChannels(trx, deriveKey(env.DATA_KEY, 'alert-channel'))
    const plan = { channels, now, timeZone: env.NETWORK_TIME_ZONE }

    const { opened, goingOn, ended } = compare(found, states, now)
    await alerts.seeAgain(
      trx,
      goingOn.map(({ state, finding }) => ({ id: state.id, title: finding.title })),
      now,
    )
    const news = opened.filter(({ isOld }) => !isOld)
    await notifyOpened(trx, await alerts.openStates(trx, news, now), plan)
    await notifyEnded(trx, ended, plan)
    await notifySilence(trx, settings.checkedAt, plan)
    await trx('network').update({ alerts_checked_at: now })
    if (opened.length + ended.length > 0) await changes.announce(trx, { attention: true })
    return send(trx, plan)
  })
}

/** Lists what is wrong as alerts say it. What is too old to be announced goes on where it was. */
async function findAlerts(trx: Transaction, env: AlertEnv, now: Date): Promise<(Finding & { isOld: boolean })[]> {
  const usual = { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS }
  return (await listFound(trx, ALERTED, { env, usual, now })).map(
    ({ kind, subject, version, words, alert, search }) => {
      const { alerts: when, alertsAgain } = conditionOf(kind)
      return {
        event: kind,
        subject: alertsAgain ? `${subject} ${version}` : subject,
        title: alert ?? words,
        path: `/admin${search}`,
        isOld: when === 'start' && now.getTime() - version > NEWS,
      }
    },
  )
}

type Plan = { channels: alerts.Channel[]; now: Date; timeZone: string }
type StateId = Pick<Finding, 'event'> & { id: number }

const whenOf = ({ id, rhythm, dailyHour }: alerts.Channel, { now, timeZone }: Omit<Plan, 'channels'>) => ({
  channel_id: id,
  is_digest: rhythm === 'daily',
  due_at: dueAt(rhythm, now, { dailyHour, timeZone }),
})

/** Notes for each channel that these states have opened. */
async function notifyOpened(trx: Transaction, states: StateId[], { channels, now, timeZone }: Plan): Promise<void> {
  const notes = channels.flatMap((channel) =>
    states.flatMap(({ id, event }) => {
      // The jobs of the leads tell the team, or have it told in a summary.
      if (channel.kind === 'team' && conditionOf(event).isMailedToTeam) return []
      return [{ state_id: id, change: 'opened' as const, ...whenOf(channel, { now, timeZone }) }]
    }),
  )
  await alerts.addNotes(trx, notes)
}

/** Ends states. The channels that were told of one are told of its end, unless that is not worth a message. */
async function notifyEnded(trx: Transaction, ended: StateId[], { channels, now, timeZone }: Plan): Promise<void> {
  const quiet = ended.filter(({ event }) => conditionOf(event).alerts === 'start').map(({ id }) => id)
  const ids = ended.map(({ id }) => id)
  await trx('alert_states').whereIn('id', ids).update({ recovered_at: now })
  await alerts.dropUnsent(trx, quiet)
  const announced = ids.filter((id) => !quiet.includes(id))
  const notified = await alerts.listNotified(trx, announced)
  const notes = notified.flatMap(({ channel_id, state_id }) => {
    const channel = channels.find(({ id }) => id === channel_id)
    return channel ? [{ state_id, change: 'recovered' as const, ...whenOf(channel, { now, timeZone }) }] : []
  })
  await alerts.addNotes(trx, notes)
}

/** Tells of a time in which no worker ran. It is over by now: nothing can be sent while no worker runs. */
async function notifySilence(trx: Transaction, checkedAt: Date | null, plan: Plan): Promise<void> {
  const { now } = plan
  const silence = checkedAt ? now.getTime() - checkedAt.getTime() : 0
  if (silence < SILENCE) return
  const title = `No worker ran for ${Math.floor(silence / MINUTE)} minutes. One is running again and delivers the backlog.`
  const finding = { event: 'worker', subject: 'worker', title, path: '/admin?tab=health' } as const
  await notifyOpened(trx, await alerts.openStates(trx, [finding], now, now), plan)
}

/** Adds a message for what is due, one for each channel and kind. Returns the number of jobs. */
async function send(trx: Transaction, { channels, now }: Plan): Promise<number> {
  let count = 0
  for (const { channel_id, ids, is_digest } of await alerts.listDue(trx, now)) {
    const channel = channels.find(({ id }) => id === channel_id)
    if (!channel) continue
    const kind = is_digest ? 'digest' : 'alert'
    const jobs = await alerts.addMessage(trx, channel_id, kind, { recipients: recipientsOf(channel), notes: ids })
    count += jobs.length
  }
  return count
}

/** Returns the recipients of a channel: its email addresses, or one that is null. */
const recipientsOf = ({ target }: alerts.Channel): (string | null)[] =>
  target && target !== 'lost' && 'addresses' in target ? target.addresses : [null]

const entity = 'channel'

type Options = Actor & { key: Buffer }

/**
 * Adds a channel of alerts. A webhook gets a secret, with which its messages are signed.
 * @throws AppError `invalid` when alerts may not be posted to the address
 */
export async function addChannel(
  db: Db,
  { kind, name, addresses = [], url = '' }: NewAlertChannel,
  { actor, key, privateHosts }: Options & { privateHosts: string[] },
): Promise<{ id: number; secret: string | null }> {
  const problem = kind === 'email' ? null : targetProblem(url, privateHosts)
  if (problem) throw invalidField('url', problem)
  const secret = kind === 'webhook' ? `whsec_${randomBytes(32).toString('base64')}` : null
  const target = kind === 'email' ? { addresses: [...new Set(addresses)] } : { url, ...(secret && { secret }) }
  return db.transaction(async (trx) => {
    const id = await alerts.addChannel(trx, { kind, name, target, actor }, key)
    await auditLog.record(trx, { actor, action: 'add-channel', entity, entityId: id, details: { name, kind } })
    return { id, secret }
  })
}

/** Changes a channel. @throws AppError `not_found` */
export async function changeChannel(
  db: Db,
  id: number,
  changes: AlertChannelChanges,
  { actor, key }: Options,
): Promise<void> {
  await db.transaction(async (trx) => {
    const before = await find(trx, id, key)
    if (Object.keys(changes).length > 0) await trx('alert_channels').where({ id }).update(changes)
    const details = { name: before.name, to: changes }
    await auditLog.record(trx, { actor, action: 'change-channel', entity, entityId: id, details })
  })
}

/** Removes a channel. @throws AppError `not_found`; `conflict` for that of the team */
export async function removeChannel(db: Db, id: number, { actor, key }: Options): Promise<void> {
  await db.transaction(async (trx) => {
    const { kind, name } = await find(trx, id, key)
    if (kind === 'team') throw new AppError('conflict', 'The team’s channel cannot be removed.')
    await alerts.removeChannel(trx, id)
    await auditLog.record(trx, { actor, action: 'remove-channel', entity, entityId: id, details: { name, kind } })
  })
}

/** Sends a test message to a channel. Returns the ids of its jobs. @throws AppError `not_found` */
export async function testChannel(db: Db, id: number, { actor, key }: Options): Promise<string[]> {
  return db.transaction(async (trx) => {
    const channel = await find(trx, id, key)
    await limitTests(trx, 'test-channel')
    const jobs = await alerts.addMessage(trx, id, 'test', { recipients: recipientsOf(channel) })
    const details = { name: channel.name }
    await auditLog.record(trx, { actor, action: 'test-channel', entity, entityId: id, details })
    return jobs
  })
}

/** Changes after how many business hours without a lead staff are alerted. */
export async function changeSettings(db: Db, noLeadHours: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('network').update({ no_lead_hours: noLeadHours })
    await auditLog.record(trx, {
      ...{ actor, action: 'change-alerts', entity: 'network', entityId: 'all' },
      details: { no_lead_hours: noLeadHours },
    })
  })
}

async function find(trx: Transaction, id: number, key: Buffer): Promise<alerts.Channel> {
  const channel = await alerts.findChannel(trx, key, id)
  if (!channel) throw new AppError('not_found', 'There is no such channel. It may have been removed.')
  return channel
}
