import type { Knex } from 'knex'
import type { LeadField } from '../../contract/forms.ts'
import { DAY, SECOND } from '../../contract/time.ts'
import type { LedgerEdit } from '../../deliveries/contract/jobs.ts'
import { columnsOf } from '../../deliveries/jobs.ts'
import * as jobs from '../../deliveries/stores/jobs.ts'
import { AppError } from '../../errors.ts'
import { countRows, type Db, only, type Query, queryRows, type Transaction } from '../../platform/db.ts'
import { MAX_IDS } from '../../staff/contract/bulk.ts'
import type { Actor } from '../../staff/stores/audit-log.ts'
import type { RowWith } from '../../tables/table.ts'
import {
  type DeletedLeads,
  type DeletedLeadsQuery,
  type LeadWorkChange,
  UNDO_SECONDS,
} from '../contract/lead-changes.ts'
import type { Colleague, Lead, LeadNote, LeadWork, ListedLead } from '../contract/leads.ts'
import { REPEAT_WINDOW } from '../rules/duplicates.ts'
import * as answerClocks from './answer-clocks.ts'
import { skippedColumn } from './leads.ts'

/*
 * A deleted lead keeps its row in `all_leads`. `leads` is a view without the deleted ones: a query that does not think of them
 * cannot find, lock or change them, and PostgreSQL writes through the view. A column that all queries had to mind would be
 * forgotten by the next one.
 */

/**
 * Marks a lead as deleted and cancels its waiting jobs at the same moment, by which `restore` knows them. A repeat of its form
 * is a new lead from now on. The caller holds the lock of the lead.
 */
export async function setAside(trx: Transaction, id: number): Promise<void> {
  await trx('leads').where({ id }).update({ deleted_at: trx.fn.now(), repeat_window: 'empty' })
  await trx('jobs')
    .where({ ...columnsOf(`lead:${id}`), state: 'waiting' })
    .update({ state: 'cancelled', finished_at: trx.fn.now() })
}

/** Locks a lead until the transaction ends, also a deleted one. Returns undefined when there is none. */
export async function lock(trx: Transaction, id: number): Promise<{ deleted_at: Date | null } | undefined> {
  return trx('all_leads').where({ id }).forNoKeyUpdate().first('deleted_at')
}

/** Lists one page of the leads that can be restored, the newest deletion first. `days` is how long a deleted lead is kept. */
export async function list(db: Db, { page, limit }: DeletedLeadsQuery, days: number): Promise<DeletedLeads> {
  // The others wait for the night in which they are deleted permanently.
  const deleted = () => db('all_leads').whereRaw(`deleted_at > now() - ? * interval '24 hours'`, [days])
  const [rows, total] = await Promise.all([
    deleted()
      .select('id', 'first_name', 'last_name', 'email', 'phone', 'zip_code', 'created_at', 'deleted_at')
      .orderByRaw('deleted_at desc, id desc')
      .limit(limit)
      .offset((page - 1) * limit),
    countRows(deleted()),
  ])
  const leads = rows.map(({ created_at, deleted_at, ...lead }) => ({
    ...lead,
    created_at: created_at.toISOString(),
    deleted_at: new Date(Number(deleted_at)).toISOString(),
    purged_at: new Date(Number(deleted_at) + days * DAY).toISOString(),
  }))
  return { leads, total }
}

/**
 * Restores a lead and its open jobs. If its person has sent another form by now, that form keeps the idempotency key and
 * the window against repeats.
 * @returns false when the lead is not among the deleted ones
 */
export async function restore(trx: Transaction, id: number): Promise<boolean> {
  if (!(await lock(trx, id))?.deleted_at) return false
  const parked: string[] = await trx('jobs')
    .where({ ...columnsOf(`lead:${id}`), state: 'cancelled' })
    .where('finished_at', trx('all_leads').where({ id }).select('deleted_at'))
    .pluck('id')
  const window = trx.raw(`tstzrange(created_at, created_at + ? * interval '1 ms')`, [REPEAT_WINDOW])
  const putBack = (columns: { repeat_window: typeof window | 'empty'; idempotency_key?: null }) =>
    // A savepoint: the transaction goes on after a refusal.
    trx.transaction((inner) =>
      inner('all_leads')
        .where({ id })
        .update({ ...columns, deleted_at: null }),
    )
  await putBack({ repeat_window: window }).catch((error: { code?: string }) => {
    if (error.code !== EXCLUSION_VIOLATION && error.code !== UNIQUE_VIOLATION) throw error
    return putBack({ repeat_window: 'empty', idempotency_key: null })
  })
  await jobs.resume(trx, `lead:${id}`, parked)
  return true
}
const UNIQUE_VIOLATION = '23505'
const EXCLUSION_VIOLATION = '23P01'

export type Edit = { field: LeadField; was: string; became: string }

/** Records what an act has changed in a lead. The caller records the act in the audit log. */
export async function add(trx: Transaction, leadId: number, edits: Edit[], actor: string): Promise<void> {
  await trx('lead_edits').insert(edits.map((edit) => ({ ...edit, lead_id: leadId, actor })))
}

/** Lists what staff have changed in a lead, the oldest first. The lead may be deleted. */
export async function listEdits(db: Db, leadId: number): Promise<LedgerEdit[]> {
  type Found = RowWith<'lead_edits', 'field' | 'was' | 'became' | 'actor' | 'at', Pick<LedgerEdit, 'actor_name'>>
  const rows = await queryRows<Found>(
    db,
    `select field, was, became, actor, at,
       (select name from staff_accounts where lower(email) = lower(actor)) as actor_name
     from lead_edits where lead_id = ? order by id`,
    [leadId],
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** Finds the phone number that the clinic of a lead got first, if it was corrected since. It may be the present one again. */
export const formerPhoneQuery = ({ id, matched_at }: Pick<Lead, 'id' | 'matched_at'>): Query => [
  `select was from lead_edits where lead_id = ? and field = 'phone' and at >= ?::timestamptz order by id limit 1`,
  [id, matched_at ?? 'infinity'],
]

/** Lists those of the leads that the CRM knows by an id and whose email was changed, with the earlier ones in lower case. */
export async function listRenamed(
  db: Db,
  leadIds: number[],
): Promise<{ leadId: number; crmId: string; former: string[] }[]> {
  return queryRows(
    db,
    `select lead_id as "leadId", crm_external_id as "crmId", array_agg(distinct lower(was)) as former
     from lead_edits join leads on leads.id = lead_id
     where lead_id = any(?::integer[]) and field = 'email' and crm_external_id is not null group by 1, 2`,
    [leadIds],
  )
}

/**
 * The time in which a match can be undone, with a margin for a click at the last moment. In milliseconds, as all times
 * here.
 */
const UNDO_DELAY = UNDO_SECONDS * SECOND + 2 * SECOND
/** The time that matching one of many leads may take, with a wide margin. */
const MAX_MATCH_DURATION = 50

/**
 * Returns how long the deliveries of a match by staff wait. Several leads are undone together, after the last one is
 * matched.
 */
export function undoDelay(leads = 1): number {
  return UNDO_DELAY + (Math.min(leads, MAX_IDS) - 1) * MAX_MATCH_DURATION
}

const MATCH_COLUMNS = [
  ...(['provider_id', 'matched_at', 'match_kind', 'match_distance_miles', 'held_reason'] as const),
  ...(['match_skipped', 'outcome', 'outcome_at'] as const),
]

/**
 * Records what a match changed, so that it can be undone. `clock` is the one before the match. The caller holds the lead's
 * lock.
 */
export async function record(
  trx: Transaction,
  before: Lead,
  { added, replaced, clock }: jobs.JobChanges & { clock: answerClocks.KeptClock },
): Promise<void> {
  const columns = Object.fromEntries(MATCH_COLUMNS.map((column) => [column, before[column]]))
  await trx('match_changes').insert({
    lead_id: before.id,
    before: JSON.stringify(columns),
    added_jobs: added,
    replaced_jobs: replaced,
    clock: clock && JSON.stringify(clock),
  })
}

/**
 * Undoes the newest match of a lead by staff, with its deliveries. The caller holds the lock of the lead.
 * @returns false when there is nothing to undo, or a delivery was started
 */
export async function undo(trx: Transaction, leadId: number): Promise<boolean> {
  const change = await trx('match_changes').where({ lead_id: leadId }).orderBy('id', 'desc').first()
  if (!change) return false
  const { id, before, added_jobs: added, replaced_jobs: replaced, clock } = change
  if (!(await jobs.undo(trx, `lead:${leadId}`, { added, replaced }))) return false

  const match_skipped = skippedColumn(before.match_skipped)
  await trx('leads')
    .where('id', leadId)
    .update({ ...before, match_skipped })
  await answerClocks.putBack(trx, leadId, clock)
  await trx('match_changes').where({ id }).delete()
  return true
}

type ListedWork = Pick<ListedLead, 'owner' | 'tags' | 'next_action_on'>
type SetWork = Omit<LeadWork, 'notes'>

/** SQL for the work on the leads of these ids, in one query. Leads without any are left out. */
const WORK = `
  select lead.id as lead_id, next_action, next_action_on::text as next_action_on,
    case when owner.id is not null then json_build_object('id', owner.id, 'name', owner.name) end as owner,
    coalesce(tags, '{}') as tags
  from unnest(?::integer[]) lead(id)
  left join lead_work work on work.lead_id = lead.id
  left join staff_accounts owner on owner.id = work.owner_id`

/** Adds owner, tags and the day of the next action to each lead. */
export async function withWork<Row extends { id: number }>(db: Db, leads: Row[]): Promise<(Row & ListedWork)[]> {
  const ids = leads.map(({ id }) => id)
  const rows = await queryRows<SetWork & { lead_id: number }>(db, WORK, [ids], { name: 'find-lead-work' })
  const workOf = new Map(rows.map((row) => [row.lead_id, row]))
  return leads.map((lead) => {
    const { owner = null, tags = [], next_action_on = null } = workOf.get(lead.id) ?? {}
    return { ...lead, owner, tags, next_action_on }
  })
}

export async function findWork(db: Db, leadId: number): Promise<SetWork> {
  const { owner, next_action, next_action_on, tags } = only(await queryRows<SetWork>(db, WORK, [[leadId]]))
  return { owner, next_action, next_action_on, tags }
}

/** Finds what staff have set and noted on a lead. The lead may be deleted. */
export async function findWorkAndNotes(db: Db, leadId: number): Promise<LeadWork> {
  const [work, notes] = await Promise.all([findWork(db, leadId), listNotes(db, leadId)])
  return { ...work, notes }
}

/** Changes the given fields. The caller holds the lock of the lead. */
export async function changeWork(trx: Transaction, leadId: number, { tags, ...others }: LeadWorkChange): Promise<void> {
  const fields = { ...others, ...(tags && { tags: [...new Set(tags)].toSorted() }) }
  await trx('lead_work')
    .insert({ lead_id: leadId, ...fields })
    .onConflict('lead_id')
    .merge({ ...fields, updated_at: trx.fn.now() })
}

type NoteRow = RowWith<'lead_notes', 'id' | 'body' | 'author' | 'at', Pick<LeadNote, 'author_name'>>

/** Lists the notes on a lead, the oldest first. The lead may be deleted. */
export async function listNotes(db: Db, leadId: number): Promise<LeadNote[]> {
  const rows = await queryRows<NoteRow>(
    db,
    `select id, body, author, at,
       (select name from staff_accounts where lower(email) = lower(author)) as author_name
     from lead_notes where lead_id = ? order by id`,
    [leadId],
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** `mayDeleteAll`: whether the actor may delete the notes of others. */
export type NoteDeletion = Actor & { mayDeleteAll: boolean }

/** Deletes the note of a lead or an application that this query finds. @throws AppError `not_found`, `forbidden` */
export async function deleteNote(note: Knex.QueryBuilder, { actor, mayDeleteAll }: NoteDeletion): Promise<void> {
  const found = await note.clone().first('author')
  if (!found) throw new AppError('not_found', 'There is no such note. It may have been deleted.')
  if (found.author !== actor && !mayDeleteAll) {
    throw new AppError('forbidden', 'You can delete your own notes. Managers can delete all.')
  }
  await note.delete()
}

const MAX_TAGS_OFFERED = 50

/** Lists the enabled accounts by name, and the tags in use, the most frequent first. */
export async function listOptions(db: Db): Promise<{ staff: Colleague[]; tags: string[] }> {
  const [staff, tags] = await Promise.all([
    db('staff_accounts').whereNull('disabled_at').orderByRaw('lower(name), id').select('id', 'name'),
    db('lead_work')
      .joinRaw('cross join unnest(tags) tag')
      .groupBy('tag')
      .orderByRaw('count(*) desc, tag')
      .limit(MAX_TAGS_OFFERED)
      .pluck('tag'),
  ])
  return { staff, tags }
}

/** Returns those of the accounts that are enabled, by their ids. */
export async function findColleagues(db: Db, ids: number[]): Promise<Colleague[]> {
  return db('staff_accounts').whereIn('id', ids).whereNull('disabled_at').orderBy('id').select('id', 'name')
}

/** Deletes the edits of a lead that is deleted permanently, and everything that staff have noted on it. */
export async function remove(trx: Transaction, leadId: number): Promise<void> {
  for (const table of ['lead_edits', 'lead_notes', 'lead_work'] as const) {
    await trx(table).where({ lead_id: leadId }).delete()
  }
}
