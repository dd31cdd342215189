import { randomUUID } from 'node:crypto'
import { JOBS, type PurposeOf } from '../../deliveries/jobs.ts'
import { IS_NEWEST } from '../../deliveries/stores/failed-jobs.ts'
import { addAlone, OPEN } from '../../deliveries/stores/jobs.ts'
import { seal, unseal } from '../../platform/data-key.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import { type AlertDelivery, AlertPayload, type AlertRhythm, type ChannelKind } from '../contract/alerts.ts'
import type { ConditionId } from '../contract/conditions.ts'
import { dueAt, type Finding, NAMED_TO_TEAM, type OpenState } from '../rules/alerts.ts'

/*
 * Channels of alerts, what is wrong (states), and what each channel has to be told of it (notes). A message is a job of the
 * ledger for each recipient, whose payload names the notes.
 */

/** Where a channel leads. Sealed in the database, because an address of Slack is a password. */
export type Target = { addresses: string[] } | { url: string; secret?: string }
export type Channel = {
  id: number
  kind: ChannelKind
  name: string
  dailyHour: number
  rhythm: AlertRhythm
  /** Null for the team’s address, which is a setting; `lost` where it was sealed with another data key. */
  target: Target | null | 'lost'
}

/** The name that the team’s channel has in the audit log and on the page. */
const TEAM = { kind: 'team', name: 'The team', created_by: 'system' } as const

export async function ensureTeam(db: Db): Promise<void> {
  await db('alert_channels').insert(TEAM).onConflict().ignore()
}

/** Lists the channels: that of the team, then the oldest first. @param key of the purpose `alert-channel` */
export async function listChannels(db: Db, key: Buffer, condition: { id?: number } = {}): Promise<Channel[]> {
  const rows = await db('alert_channels').where(condition).orderByRaw(`kind <> 'team', id`)
  return rows.map(({ daily_hour: dailyHour, sealed, id, kind, name, rhythm }) => {
    const target = sealed && targetOf(key, sealed, id)
    return { id, kind, name, dailyHour, rhythm, target }
  })
}

export const findChannel = async (db: Db, key: Buffer, id: number): Promise<Channel | null> =>
  (await listChannels(db, key, { id }))[0] ?? null

/** One channel that cannot be read must not silence the others. */
function targetOf(key: Buffer, sealed: Buffer, id: number): Target | 'lost' {
  try {
    return JSON.parse(unseal(key, sealed, contextOf(id)))
  } catch {
    return 'lost'
  }
}

const contextOf = (id: number) => `alert channel ${id}`

/** Adds a channel. Returns its id. */
export async function addChannel(
  trx: Transaction,
  { kind, name, target, actor }: { kind: ChannelKind; name: string; target: Target; actor: string },
  key: Buffer,
): Promise<number> {
  const { id } = only(await trx('alert_channels').insert({ kind, name, created_by: actor }).returning('id'))
  await trx('alert_channels')
    .where({ id })
    .update({ sealed: seal(key, JSON.stringify(target), contextOf(id)) })
  return id
}

/** Deletes a channel with what it has still to be told, and cancels its open jobs. */
export async function removeChannel(trx: Transaction, id: number): Promise<void> {
  await trx('jobs')
    .whereRaw(`name = 'send-alert' and payload->>'channelId' = ?`, [String(id)])
    .whereIn('state', OPEN)
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'The channel was removed.' })
  await trx('alert_channels').where({ id }).delete()
}

export type Settings = { noLeadHours: number; checkedAt: Date | null }

export async function readSettings(db: Db): Promise<Settings> {
  const row = await db('network').first('no_lead_hours', 'alerts_checked_at')
  return { noLeadHours: row?.no_lead_hours ?? 8, checkedAt: row?.alerts_checked_at ?? null }
}

/**
 * Lists the open states for the comparison, and makes this transaction the only one that compares them. Null when another
 * one does.
 */
export async function lockStates(trx: Transaction): Promise<OpenState[] | null> {
  const lock = `select pg_try_advisory_xact_lock(hashtext('alerts')) as got`
  if (!only(await queryRows<{ got: boolean }>(trx, lock)).got) return null
  return trx('alert_states').whereNull('recovered_at').select('id', 'event', 'subject', { lastSeenAt: 'last_seen_at' })
}

/** Counts the open states of each condition that has any. */
export async function countOpen(db: Db): Promise<Map<ConditionId, number>> {
  const rows = await db('alert_states').whereNull('recovered_at').groupBy('event').select('event').count({ open: '*' })
  return new Map(rows.map(({ event, open }) => [event as ConditionId, Number(open)]))
}

/** Opens states, which are over already if `recovered_at` says so. Returns them, without those that were open already. */
export async function openStates(
  trx: Transaction,
  found: Finding[],
  now: Date,
  recovered_at: Date | null = null,
): Promise<{ id: number; event: ConditionId }[]> {
  if (found.length === 0) return []
  const rows = found.map(({ event, subject, title, path }) => ({ event, subject, title, path }))
  return trx('alert_states')
    .insert(rows.map((row) => ({ ...row, opened_at: now, last_seen_at: now, recovered_at })))
    .onConflict()
    .ignore()
    .returning(['id', 'event'])
}

/** Records that states go on, with what is found now. */
export async function seeAgain(trx: Transaction, seen: { id: number; title: string }[], now: Date): Promise<void> {
  if (seen.length === 0) return
  await trx.raw(
    `update alert_states set last_seen_at = ?, title = seen.title
     from unnest(?::integer[], ?::text[]) as seen (id, title) where alert_states.id = seen.id`,
    [now, seen.map(({ id }) => id), seen.map(({ title }) => title)],
  )
}

/** Deletes notes that no longer need to be sent: those of states that have ended and whose end is not announced. */
export async function dropUnsent(trx: Transaction, stateIds: number[]): Promise<void> {
  await trx('alert_notes')
    .whereIn('state_id', stateIds)
    .where('is_sent', false)
    // The next summary to the team names each of these leads.
    .whereRaw(
      `not ((select kind = 'team' from alert_channels where id = channel_id)
        and (select event = any(?) from alert_states where id = state_id))`,
      [NAMED_TO_TEAM],
    )
    .delete()
}

/** What a channel is to be told of a state, and when. */
type NewNote = Pick<Row<'alert_notes'>, 'channel_id' | 'state_id' | 'change' | 'is_digest' | 'due_at'>

export async function addNotes(trx: Transaction, notes: NewNote[]): Promise<void> {
  if (notes.length > 0) await trx('alert_notes').insert(notes).onConflict().ignore()
}

/** Lists which channels were told, or are to be told, that which of these states opened. */
export async function listNotified(trx: Transaction, stateIds: number[]) {
  return trx('alert_notes').whereIn('state_id', stateIds).where('change', 'opened').select('channel_id', 'state_id')
}

/** Lists what is due to be said, by channel: summaries, and at once what has opened apart from what has recovered. */
export async function listDue(trx: Transaction, now: Date) {
  return queryRows<Pick<NewNote, 'channel_id' | 'is_digest'> & { ids: number[] }>(
    trx,
    `select channel_id, is_digest, array_agg(id order by id) as ids
     from alert_notes where not is_sent and due_at <= ?
     group by 1, 2, case when not is_digest then change end order by 1, 2`,
    [now],
  )
}

/**
 * Adds a message with a job for each recipient, to be attempted now. A recipient is an email address, or null where the
 * channel says where it goes.
 * @returns the ids of the jobs
 */
export async function addMessage(
  trx: Transaction,
  channelId: number,
  kind: PurposeOf<'send-alert'>,
  { recipients, notes = [] }: { recipients: (string | null)[]; notes?: number[] },
): Promise<string[]> {
  await trx('alert_notes').whereIn('id', notes).update({ is_sent: true })
  const message = { messageId: randomUUID(), channelId, at: new Date().toISOString(), notes }
  const ids: string[] = []
  for (const recipient of recipients) {
    const added = await addAlone(trx, { name: 'send-alert', purpose: kind, payload: { ...message, recipient } })
    if (added) ids.push(added)
  }
  return ids
}

export type NamedEvent = (typeof NAMED_TO_TEAM)[number]

export async function teamRhythm(db: Db): Promise<AlertRhythm> {
  return (await db('alert_channels').where('kind', 'team').first('rhythm'))?.rhythm ?? 'at_once'
}

/**
 * Returns whether the team was told of such a lead within the last hour by an email of another job, or is being told by an
 * attempt that began before the one at this job. So of many leads at once one has an email.
 */
export async function hasToldTeam(db: Db, event: NamedEvent, jobId: string): Promise<boolean> {
  const found = await queryRows(
    db,
    `select from job_attempts attempt join jobs on jobs.id = job_id left join leads on leads.id = subject_id
     where attempt.started_at > now() - interval '1 hour' and jobs.purpose = 'team' and subject_kind = 'lead'
       and jobs.id <> :jobId and (
       attempt.outcome = 'done' and result->>'response' is not null and (result->>'heldReason' is not null) = :isHeld
       or attempt.outcome is null and attempt.started_at > now() - :timeout * interval '1 ms'
         and jobs.state in ('waiting', 'enqueued') and (held_reason is not null) = :isHeld
         and (attempt.started_at, job_id) < (select started_at, job_id from job_attempts where job_id = :jobId
           order by started_at desc limit 1)
     ) limit 1`,
    { isHeld: event === 'held', jobId, timeout: JOBS['send-email'].timeout },
  )
  return found.length > 0
}

/** SQL for whether the result of a job says that it was left to a summary, so that nothing was sent. */
export const IS_LEFT_TO_SUMMARY = `result->>'summary' is not null`

/** Has the next summary to the team name a lead. */
export async function nameInSummary(
  trx: Transaction,
  finding: Finding & { event: NamedEvent },
  { rhythm, timeZone }: { rhythm: 'hourly' | 'daily'; timeZone: string },
): Promise<void> {
  const { event, subject } = finding
  const now = new Date()
  await ensureTeam(trx)
  const { id: channel_id, daily_hour: dailyHour } = only(await trx('alert_channels').where('kind', 'team'))
  await openStates(trx, [finding], now)
  const state = only(await trx('alert_states').where({ event, subject }).whereNull('recovered_at').select('id'))
  const due_at = dueAt(rhythm, now, { dailyHour, timeZone })
  await addNotes(trx, [{ channel_id, state_id: state.id, change: 'opened', is_digest: true, due_at }])
}

export type Note = {
  event: ConditionId
  change: 'opened' | 'recovered'
  title: string
  path: string
  at: string
  subject: string
  /** When the state ended, if it did (ISO 8601). */
  recoveredAt: string | null
}
export type Delivery = Omit<AlertPayload, 'notes'> & { kind: PurposeOf<'send-alert'>; notes: Note[] }

/** Finds the message of a job, with what it says. */
export async function findDelivery(db: Db, jobId: string): Promise<Delivery | null> {
  const job = await db('jobs').where('id', jobId).first('purpose', 'payload')
  const said = AlertPayload.safeParse(job?.payload)
  if (!job || !said.success) return null
  const { notes: ids, ...payload } = said.data
  type NoteRow = Omit<Note, 'at' | 'recoveredAt'> & { opened_at: Date; recovered_at: Date | null }
  const rows = await queryRows<NoteRow>(
    db,
    `select event, change, title, path, subject, opened_at, recovered_at
     from alert_notes join alert_states on alert_states.id = state_id
     where alert_notes.id = any(?) order by alert_notes.id`,
    [ids],
  )
  const notes = rows.map(({ opened_at, recovered_at, ...note }): Note => {
    const moment = note.change === 'recovered' && recovered_at ? recovered_at : opened_at
    return { ...note, at: moment.toISOString(), recoveredAt: recovered_at?.toISOString() ?? null }
  })
  return { ...payload, kind: job.purpose as Delivery['kind'], notes }
}

/** Lists the newest delivery to each channel, by its id. */
export async function listLast(db: Db): Promise<Map<number, AlertDelivery>> {
  type Found = RowWith<'jobs', 'state', { channelId: number; job_id: string; at: Date } & Omit<AlertDelivery, 'at'>>
  const rows = await queryRows<Found>(
    db,
    `select distinct on (payload->>'channelId') (payload->>'channelId')::integer as "channelId", id as job_id,
       purpose as kind, state, coalesce(finished_at, created_at) as at, last_error as error, last_detail as detail
     from jobs where name = 'send-alert' and payload->>'channelId' is not null and ${IS_NEWEST}
     order by payload->>'channelId', payload->>'at' desc, (state = 'failed') desc`,
  )
  return new Map(rows.map(({ channelId, at, ...row }) => [channelId, { ...row, at: at.toISOString() }]))
}
