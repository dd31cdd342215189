import type { Env } from '../env.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { DAY, MINUTE } from '../time.ts'
import type { ConditionEnv } from './condition.ts'
import { ALERTED, listFound } from './conditions.ts'
import { conditionOf } from './contract/conditions.ts'
import { compare, dueAt, type Finding, SILENCE } from './rules/alerts.ts'
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
    if (!(await alerts.tryLock(trx))) return 0
    await alerts.ensureTeam(trx)
    const settings = await alerts.readSettings(trx)
    const found = await findAlerts(trx, env, now)
    const channels = await alerts.listChannels(trx, deriveKey(env.DATA_KEY, 'alert-channel'))
    const plan = { channels, now, timeZone: env.NETWORK_TIME_ZONE }

    const { opened, goingOn, ended } = compare(found, await alerts.listStates(trx), now)
    await alerts.seeAgain(
      trx,
      goingOn.map(({ state, finding }) => ({ id: state.id, title: finding.title })),
      now,
    )
    const news = opened.filter(({ isOld }) => !isOld)
    await tellOpened(trx, await alerts.openStates(trx, news, now), plan)
    await tellEnded(trx, ended, plan)
    await tellSilence(trx, settings.checkedAt, plan)
    await trx('network').update({ alerts_checked_at: now })
    return send(trx, plan)
  })
}

/** Lists what is wrong as alerts say it. What is too old to be announced goes on where it was. */
async function findAlerts(trx: Transaction, env: AlertEnv, now: Date): Promise<(Finding & { isOld: boolean })[]> {
  const usual = { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS }
  return (await listFound(trx, ALERTED, { env, usual, now })).map(
    ({ kind, subject, version, title, alert, search }) => {
      const { alerts: told, alertsAgain } = conditionOf(kind)
      return {
        event: kind,
        subject: alertsAgain ? `${subject} ${version}` : subject,
        title: alert ?? title,
        path: `/admin${search}`,
        isOld: told === 'start' && now.getTime() - version > NEWS,
      }
    },
  )
}

type Plan = { channels: alerts.Channel[]; now: Date; timeZone: string }
type StateId = Pick<Finding, 'event'> & { id: number }

const whenOf = ({ id, rhythm, dailyHour }: alerts.Channel, { now, timeZone }: Omit<Plan, 'channels'>) => ({
  channelId: id,
  isDigest: rhythm === 'daily',
  dueAt: dueAt(rhythm, now, { dailyHour, timeZone }),
})

/** Notes for each channel that these states have opened. */
async function tellOpened(trx: Transaction, states: StateId[], { channels, now, timeZone }: Plan): Promise<void> {
  const notes = channels.flatMap((channel) =>
    states.flatMap(({ id, event }) => {
      // The jobs of the leads tell the team, or have it told in a summary.
      if (channel.kind === 'team' && conditionOf(event).isMailedToTeam) return []
      return [{ stateId: id, change: 'opened' as const, ...whenOf(channel, { now, timeZone }) }]
    }),
  )
  await alerts.addNotes(trx, notes)
}

/** Ends states. The channels that were told of one are told of its end, unless that is not worth a message. */
async function tellEnded(trx: Transaction, ended: StateId[], { channels, now, timeZone }: Plan): Promise<void> {
  const quiet = ended.filter(({ event }) => conditionOf(event).alerts === 'start').map(({ id }) => id)
  await alerts.endStates(
    trx,
    ended.map(({ id }) => id),
    now,
  )
  await alerts.dropUntold(trx, quiet)
  const told = await alerts.listTold(
    trx,
    ended.map(({ id }) => id).filter((id) => !quiet.includes(id)),
  )
  const notes = told.flatMap(({ channelId, stateId }) => {
    const channel = channels.find(({ id }) => id === channelId)
    return channel ? [{ stateId, change: 'recovered' as const, ...whenOf(channel, { now, timeZone }) }] : []
  })
  await alerts.addNotes(trx, notes)
}

/** Tells of a time in which no worker ran. It is over by now: nothing can be sent while no worker runs. */
async function tellSilence(trx: Transaction, checkedAt: Date | null, plan: Plan): Promise<void> {
  const { now } = plan
  const silence = checkedAt ? now.getTime() - checkedAt.getTime() : 0
  if (silence < SILENCE) return
  const title = `No worker ran for ${Math.floor(silence / MINUTE)} minutes. One runs again, and delivers what has waited.`
  const finding = { event: 'worker', subject: 'worker', title, path: '/admin?tab=health' } as const
  const states = await alerts.openStates(trx, [{ ...finding, recoveredAt: now }], now)
  await tellOpened(trx, states, plan)
}

/** Adds a message for what is due, one for each channel and kind. Returns the number of jobs. */
async function send(trx: Transaction, { channels, now }: Plan): Promise<number> {
  let count = 0
  for (const { channelId, ids, isDigest } of await alerts.listDue(trx, now)) {
    const channel = channels.find(({ id }) => id === channelId)
    if (!channel) continue
    const kind = isDigest ? 'digest' : 'alert'
    const jobs = await alerts.addMessage(trx, channelId, kind, { recipients: recipientsOf(channel), notes: ids })
    count += jobs.length
  }
  return count
}

/** Returns the recipients of a channel: its e-mail addresses, or one that is null. */
export const recipientsOf = ({ target }: alerts.Channel): (string | null)[] =>
  target && target !== 'lost' && 'addresses' in target ? target.addresses : [null]
