import { randomBytes } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { limitTests } from '../staff/limit-tests.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { AlertChannelChanges, NewAlertChannel } from './contract/alerts.ts'
import { recipientsOf } from './raise-alerts.ts'
import { targetProblem } from './rules/alerts.ts'
import * as alerts from './stores/alerts.ts'

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
  if (problem) throw new AppError('invalid', problem, { fields: { url: problem } })
  const secret = kind === 'webhook' ? `whsec_${randomBytes(32).toString('base64')}` : null
  const target = kind === 'email' ? { addresses: [...new Set(addresses)] } : { url, ...(secret && { secret }) }
  return db.transaction(async (trx) => {
    const id = await alerts.addChannel(trx, { kind, name, target, actor }, key)
    await record(trx, 'add-channel', { actor, id, details: { name, kind } })
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
    await alerts.changeChannel(trx, id, changes)
    await record(trx, 'change-channel', { actor, id, details: { name: before.name, to: changes } })
  })
}

/** Removes a channel. @throws AppError `not_found`; `conflict` for that of the team */
export async function removeChannel(db: Db, id: number, { actor, key }: Options): Promise<void> {
  await db.transaction(async (trx) => {
    const { kind, name } = await find(trx, id, key)
    if (kind === 'team') throw new AppError('conflict', 'The team’s channel cannot be removed.')
    await alerts.removeChannel(trx, id)
    await record(trx, 'remove-channel', { actor, id, details: { name, kind } })
  })
}

/** Sends a test message to a channel. Returns the ids of its jobs. @throws AppError `not_found` */
export async function testChannel(db: Db, id: number, { actor, key }: Options): Promise<string[]> {
  return db.transaction(async (trx) => {
    const channel = await find(trx, id, key)
    await limitTests(trx, 'test-channel')
    const jobs = await alerts.addMessage(trx, id, 'test', { recipients: recipientsOf(channel) })
    await record(trx, 'test-channel', { actor, id, details: { name: channel.name } })
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

type Act = { actor: string; id: number; details: Record<string, unknown> }

async function record(
  trx: Transaction,
  action: 'add-channel' | 'change-channel' | 'remove-channel' | 'test-channel',
  { actor, id, details }: Act,
): Promise<void> {
  await auditLog.record(trx, { actor, action, entity: 'channel', entityId: id, details })
}
