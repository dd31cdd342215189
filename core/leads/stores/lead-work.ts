import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { Colleague, LeadNote, LeadWork, LeadWorkChange } from '../contract/lead-work.ts'
import type { ListedLead } from '../contract/leads.ts'

type ListedWork = Pick<ListedLead, 'owner' | 'tags' | 'next_action_on'>
/** What staff set on a lead. */
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

/** Finds what staff have set on a lead. */
export async function find(db: Db, leadId: number): Promise<SetWork> {
  const { owner, next_action, next_action_on, tags } = only(await queryRows<SetWork>(db, WORK, [[leadId]]))
  return { owner, next_action, next_action_on, tags }
}

/** Finds what staff have set and noted on a lead. The lead may be deleted. */
export async function findAll(db: Db, leadId: number): Promise<LeadWork> {
  const [work, notes] = await Promise.all([find(db, leadId), listNotes(db, leadId)])
  return { ...work, notes }
}

/** Changes the given fields. The caller holds the lock of the lead. */
export async function change(trx: Transaction, leadId: number, { tags, ...others }: LeadWorkChange): Promise<void> {
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

/** Deletes everything that staff have noted on a lead that is deleted permanently. */
export async function remove(trx: Transaction, leadId: number): Promise<void> {
  for (const table of ['lead_notes', 'lead_work'] as const) {
    await trx(table).where({ lead_id: leadId }).delete()
  }
}
