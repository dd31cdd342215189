import type { AlertDelivery, AlertEvent, AlertRhythm, AlertRules, ChannelKind } from '../contract/alerts.ts'
import { JOBS, type PurposeOf } from '../jobs/jobs.ts'
import { seal, unseal } from '../platform/data-key.ts'
import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import { currentRequest } from '../platform/request-context.ts'
import { traceParent } from '../platform/trace.ts'
import { dueAt, type Finding, NAMED_TO_TEAM, type OpenState, rulesOf } from '../rules/alerts.ts'
import { JOBS_CHANNEL, OPEN } from './jobs.ts'
import type { Row, RowWith } from './table.ts'

/*
 * Channels of alerts, what is wrong (states), what each channel has to be told of it (notes), and the messages that said so.
 * A message has a job of the ledger for each recipient.
 */

/** Where a channel leads. Sealed in the database, because an address of Slack is a password. */
export type Target = { addresses: string[] } | { url: string; secret?: string }
export type Channel = {
  id: number
  kind: ChannelKind
  name: string
  dailyHour: number
  rules: AlertRules
  /** Null for the team’s address, which is a setting; `lost` where it was sealed with another data key. */
  target: Target | null | 'lost'
}

/** The name that the team’s channel has in the audit log and on the page. */
const TEAM = { kind: 'team', name: 'The team', created_by: 'system' } as const

/** Adds the channel of the team where it is missing. */
export async function ensureTeam(db: Db): Promise<void> {
  await db('alert_channels').insert(TEAM).onConflict().ignore()
}

/** Lists the channels: that of the team, then the oldest first. @param key of the purpose `alert-channel` */
export async function listChannels(db: Db, key: Buffer, condition: { id?: number } = {}): Promise<Channel[]> {
  const rows = await db('alert_channels').where(condition).orderByRaw(`kind <> 'team', id`)
  const rules = await db('alert_rules')
  return rows.map((row) => present(row, rules, key))
}

/** Finds a channel. */
export async function findChannel(db: Db, key: Buffer, id: number): Promise<Channel | null> {
  return (await listChannels(db, key, { id }))[0] ?? null
}

function present(row: Row<'alert_channels'>, rules: Row<'alert_rules'>[], key: Buffer): Channel {
  const { id, kind, name, daily_hour: dailyHour, sealed } = row
  const own = rules.filter(({ channel_id }) => channel_id === id).map(({ event, rhythm }) => [event, rhythm])
  const target = sealed && targetOf(key, sealed, id)
  return { id, kind, name, dailyHour, rules: rulesOf(kind, Object.fromEntries(own)), target }
}

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

export async function changeChannel(
  trx: Transaction,
  id: number,
  { name, dailyHour, rules = {} }: { name?: string; dailyHour?: number; rules?: Partial<AlertRules> },
): Promise<void> {
  if (name !== undefined || dailyHour !== undefined) {
    await trx('alert_channels')
      .where({ id })
      .update({ ...(name !== undefined && { name }), ...(dailyHour !== undefined && { daily_hour: dailyHour }) })
  }
  const rows = Object.entries(rules).map(([event, rhythm]) => ({ channel_id: id, event: event as AlertEvent, rhythm }))
  if (rows.length > 0) await trx('alert_rules').insert(rows).onConflict(['channel_id', 'event']).merge()
  const silenced = rows.filter(({ rhythm }) => rhythm === 'off').map(({ event }) => event)
  await trx('alert_notes')
    .where({ channel_id: id, message_id: null })
    .whereIn('state_id', trx('alert_states').select('id').whereIn('event', silenced))
    .whereNotIn('id', namedToTeam(trx))
    .delete()
}

/** Deletes a channel with what it has still to be told, and cancels its open jobs. */
export async function removeChannel(trx: Transaction, id: number): Promise<void> {
  await trx('jobs')
    .whereIn('id', jobsOf(trx, trx('alert_messages').select('id').where('channel_id', id)))
    .whereIn('state', OPEN)
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'The channel was removed.' })
  await trx('alert_channels').where({ id }).delete()
}

const jobsOf = (trx: Transaction, messages: ReturnType<typeof idsQuery>) =>
  trx('alert_deliveries').select('job_id').whereIn('message_id', messages)
const idsQuery = (trx: Transaction) => trx('alert_messages').select('id')

export type Settings = { noLeadHours: number; checkedAt: Date | null }

export async function readSettings(db: Db): Promise<Settings> {
  const row = await db('alert_settings').first()
  return { noLeadHours: row?.no_lead_hours ?? 8, checkedAt: row?.checked_at ?? null }
}

export async function changeSettings(trx: Transaction, values: { noLeadHours?: number; checkedAt?: Date }) {
  const { noLeadHours: no_lead_hours, checkedAt: checked_at } = values
  await trx('alert_settings')
    .insert({ ...(no_lead_hours !== undefined && { no_lead_hours }), ...(checked_at !== undefined && { checked_at }) })
    .onConflict('only_row')
    .merge()
}

/** Makes this transaction the only one that compares states, or returns false when another one does. */
export async function tryLock(trx: Transaction): Promise<boolean> {
  const [row] = await queryRows<{ got: boolean }>(trx, `select pg_try_advisory_xact_lock(hashtext('alerts')) as got`)
  return row?.got === true
}

/** Lists the open states for the comparison. */
export async function listStates(db: Db): Promise<OpenState[]> {
  return db('alert_states').whereNull('recovered_at').select('id', 'event', 'subject', { lastSeenAt: 'last_seen_at' })
}

type NewState = Finding & { recoveredAt?: Date }

/** Opens states. Returns them with their ids, without those that were open already. */
export async function openStates(
  trx: Transaction,
  found: NewState[],
  now: Date,
): Promise<(Finding & { id: number })[]> {
  if (found.length === 0) return []
  const rows = await trx('alert_states')
    .insert(
      found.map(({ event, subject, title, path, recoveredAt = null }) => ({
        ...{ event, subject, title, path, opened_at: now, last_seen_at: now, recovered_at: recoveredAt },
      })),
    )
    .onConflict()
    .ignore()
    .returning(['id', 'event', 'subject', 'title', 'path'])
  return rows
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

export async function endStates(trx: Transaction, ids: number[], now: Date): Promise<void> {
  await trx('alert_states').whereIn('id', ids).update({ recovered_at: now })
}

/** Deletes notes that need not be sent any more: those of states that have ended and whose end is not announced. */
export async function dropUntold(trx: Transaction, stateIds: number[]): Promise<void> {
  await trx('alert_notes')
    .whereIn('state_id', stateIds)
    .whereNull('message_id')
    .whereNotIn('id', namedToTeam(trx))
    .delete()
}

/** Selects what the next summary to the team must say of leads: each of them has to be named in an e-mail. */
const namedToTeam = (trx: Transaction) =>
  trx('alert_notes')
    .join('alert_states', 'alert_states.id', 'state_id')
    .join('alert_channels', 'alert_channels.id', 'channel_id')
    .where('alert_channels.kind', 'team')
    .whereIn('event', NAMED_TO_TEAM)
    .select('alert_notes.id')

type NewNote = {
  channelId: number
  stateId: number
  change: 'opened' | 'recovered'
  rhythm: Exclude<AlertRhythm, 'off'>
  dueAt: Date
}

export async function addNotes(trx: Transaction, notes: NewNote[]): Promise<void> {
  if (notes.length === 0) return
  await trx('alert_notes')
    .insert(
      notes.map(({ channelId: channel_id, stateId: state_id, dueAt: due_at, ...note }) => ({
        ...{ channel_id, state_id, due_at },
        ...note,
      })),
    )
    .onConflict()
    .ignore()
}

/** Lists the channels that were told, or are to be told, that these states opened: `channel state`. */
export async function listTold(
  trx: Transaction,
  stateIds: number[],
): Promise<{ channelId: number; stateId: number }[]> {
  return trx('alert_notes')
    .whereIn('state_id', stateIds)
    .where('change', 'opened')
    .select({ channelId: 'channel_id', stateId: 'state_id' })
}

/** Lists what is due to be said, by channel: summaries, and at once what has opened apart from what has recovered. */
export async function listDue(
  trx: Transaction,
  now: Date,
): Promise<{ channelId: number; ids: number[]; isDigest: boolean }[]> {
  return queryRows(
    trx,
    `select channel_id as "channelId", rhythm <> 'at_once' as "isDigest", array_agg(id order by id) as ids
     from alert_notes where message_id is null and due_at <= ?
     group by 1, 2, case when rhythm = 'at_once' then change end order by 1, 2`,
    [now],
  )
}

/**
 * Adds a message with a job for each recipient, to be attempted now. A recipient is an e-mail address, or null where the
 * channel says where it goes.
 * @returns the ids of the jobs
 */
export async function addMessage(
  trx: Transaction,
  channelId: number,
  kind: PurposeOf<'send-alert'>,
  { recipients, notes = [] }: { recipients: (string | null)[]; notes?: number[] },
): Promise<string[]> {
  const message = only(await trx('alert_messages').insert({ channel_id: channelId, kind }).returning('id'))
  await trx('alert_notes').whereIn('id', notes).update({ message_id: message.id })
  const ids: string[] = []
  for (const recipient of recipients) {
    const id = await addJob(trx, kind)
    await trx('alert_deliveries').insert({ job_id: id, message_id: message.id, recipient })
    ids.push(id)
  }
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return ids
}

async function addJob(trx: Transaction, purpose: string, generation = 1): Promise<string> {
  const origin = { request_id: currentRequest()?.id ?? null, trace_parent: traceParent() }
  return only(
    await trx('jobs')
      .insert({ name: 'send-alert', purpose, generation, ...origin })
      .returning('id'),
  ).id
}

/** Adds a new run of a failed delivery. Returns the id of its job, or null when a newer run has taken its place. */
export async function retry(trx: Transaction, job: Pick<Row<'jobs'>, 'id' | 'purpose' | 'generation'>) {
  const delivery = await trx('alert_deliveries').where('job_id', job.id).forUpdate().first()
  if (!delivery) return null
  const id = await addJob(trx, job.purpose, job.generation + 1)
  await trx('alert_deliveries').where('job_id', job.id).update({ job_id: id })
  await trx('jobs')
    .where({ id: job.id })
    .whereIn('state', OPEN)
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'Replaced by a newer attempt.' })
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return id
}

/** An event whose leads are named to the team. */
export type NamedEvent = (typeof NAMED_TO_TEAM)[number]

/** Returns when the team is told of an event. */
export async function teamRhythm(db: Db, event: NamedEvent): Promise<AlertRhythm> {
  const chosen = await db('alert_rules')
    .join('alert_channels', 'alert_channels.id', 'channel_id')
    .where({ kind: 'team', event })
    .first('rhythm')
  return rulesOf('team', { [event]: chosen?.rhythm })[event]
}

/**
 * Returns whether the team was told of such a lead within the last hour by an e-mail of another job, or is being told by an
 * attempt that began before the one at this job. So of many leads at once one has an e-mail.
 */
export async function hasToldTeam(db: Db, event: NamedEvent, jobId: string): Promise<boolean> {
  const found = await queryRows(
    db,
    `select from job_attempts attempt join jobs on jobs.id = job_id left join leads on leads.id = lead_id
     where attempt.started_at > now() - interval '1 hour' and jobs.purpose = 'team' and lead_id is not null
       and jobs.id <> :jobId and (
       attempt.outcome = 'done' and result->>'response' is not null and (result->>'heldReason' is not null) = :isHeld
       or attempt.outcome is null and attempt.started_at > now() - :timeout * interval '1 ms'
         and jobs.state in ('waiting', 'enqueued') and (held_reason is not null) = :isHeld
         and (attempt.started_at, job_id) < (select started_at, job_id from job_attempts where job_id = :jobId
           order by started_at desc limit 1)
     ) limit 1`,
    { isHeld: event === 'held_lead', jobId, timeout: JOBS['send-email'].timeout },
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
  const { id: channelId, daily_hour: dailyHour } = only(await trx('alert_channels').where('kind', 'team'))
  await openStates(trx, [finding], now)
  const state = only(await trx('alert_states').where({ event, subject }).whereNull('recovered_at').select('id'))
  const due = dueAt(rhythm, now, { dailyHour, timeZone })
  await addNotes(trx, [{ channelId, stateId: state.id, change: 'opened', rhythm, dueAt: due }])
}

/** SQL for whether a job is the newest run of an alert, or no alert at all. */
export const IS_NEWEST_ALERT = `(jobs.name <> 'send-alert' or exists (select from alert_deliveries where job_id = jobs.id))`

/** What a message says about a state. */
export type Note = {
  event: AlertEvent
  change: 'opened' | 'recovered'
  title: string
  path: string
  at: string
  subject: string
  /** When the state ended, if it did (ISO 8601). */
  recoveredAt: string | null
}
export type Delivery = {
  recipient: string | null
  channelId: number | null
  kind: PurposeOf<'send-alert'>
  messageId: number
  createdAt: string
  notes: Note[]
}

/** Finds the message of a job, with what it says. */
export async function findDelivery(db: Db, jobId: string): Promise<Delivery | null> {
  type Found = {
    recipient: string | null
    channelId: number | null
    kind: Delivery['kind']
    messageId: number
    at: Date
  }
  const [row] = await queryRows<Found>(
    db,
    `select recipient, channel_id as "channelId", kind, message_id as "messageId", created_at as at
     from alert_deliveries join alert_messages on alert_messages.id = message_id where job_id = ?`,
    [jobId],
  )
  if (!row) return null
  type NoteRow = Omit<Note, 'at' | 'recoveredAt'> & { opened_at: Date; recovered_at: Date | null }
  const rows = await queryRows<NoteRow>(
    db,
    `select event, change, title, path, subject, opened_at, recovered_at
     from alert_notes join alert_states on alert_states.id = state_id where message_id = ? order by alert_notes.id`,
    [row.messageId],
  )
  const { at, ...delivery } = row
  const notes = rows.map(({ opened_at, recovered_at, ...note }): Note => {
    const moment = note.change === 'recovered' && recovered_at ? recovered_at : opened_at
    return { ...note, at: moment.toISOString(), recoveredAt: recovered_at?.toISOString() ?? null }
  })
  return { ...delivery, createdAt: at.toISOString(), notes }
}

/** Lists the newest delivery to each channel, by its id. */
export async function listLast(db: Db): Promise<Map<number, AlertDelivery>> {
  type Found = RowWith<'jobs', 'state', { channelId: number; job_id: string; at: Date } & Omit<AlertDelivery, 'at'>>
  const rows = await queryRows<Found>(
    db,
    `select distinct on (channel_id) channel_id as "channelId", job_id, kind, state,
       coalesce(finished_at, alert_messages.created_at) as at, last_error as error, last_detail as detail
     from alert_messages join alert_deliveries on message_id = alert_messages.id join jobs on jobs.id = job_id
     where channel_id is not null
     order by channel_id, alert_messages.id desc, (state = 'failed') desc`,
  )
  return new Map(rows.map(({ channelId, at, ...row }) => [channelId, { ...row, at: at.toISOString() }]))
}
