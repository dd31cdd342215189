import * as jobs from '../../deliveries/stores/jobs.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import * as auditLog from '../../staff/stores/audit-log.ts'
import type { ApplicationDetails, ApplicationNote, ApplicationStage } from '../contract/application-details.ts'
import type { Application } from '../contract/applications.ts'

/** Reads what the dashboard shows of an application beside its own fields. */
export async function read(db: Db, application: Application): Promise<ApplicationDetails> {
  const { id, zip_code } = application
  const [place, stages, notes, provider, list, acts] = await Promise.all([
    db('zip_codes').where('zip', zip_code).first('city', 'state'),
    listStages(db, application),
    listNotes(db, id),
    findProvider(db, id),
    jobs.list(db, `application:${id}`),
    auditLog.listActs(db, 'application', id),
  ])
  return {
    ...application,
    place: place?.city ? { city: place.city, state: place.state } : null,
    ...{ stages, notes, provider },
    ledger: { jobs: list, acts, outcomes: [], edits: [], notes: [] },
  }
}

/** Finds the clinic that was made of an application. */
export async function findProvider(db: Db, id: number): Promise<ApplicationDetails['provider']> {
  const [row] = await queryRows<NonNullable<ApplicationDetails['provider']>>(
    db,
    `select providers.id, case providers.status when 't' then 'active' else 'inactive' end as status
     from provider_applications application join providers on providers.id = provider_id where application.id = ?`,
    [id],
  )
  return row ?? null
}

/** Adds a note. The caller holds the lock of the application. */
export async function addNote(trx: Transaction, id: number, { author, text }: { author: string; text: string }) {
  await trx('application_notes').insert({ application_id: id, author, text })
}

/** Returns the author of a note of an application; undefined if there is no such note. */
export async function findAuthor(db: Db, id: number, noteId: number): Promise<string | undefined> {
  return (await db('application_notes').where({ id: noteId, application_id: id }).first('author'))?.author
}

export async function removeNote(trx: Transaction, noteId: number): Promise<void> {
  await trx('application_notes').where({ id: noteId }).delete()
}

/** Returns SQL for the name of the account with the e-mail in a column. */
const nameOf = (column: string) =>
  `(select name from staff_accounts where lower(email) = lower(${column})) as actor_name`

async function listStages(db: Db, { id, created_at }: Application): Promise<ApplicationStage[]> {
  const rows = await db('audit_log')
    .where({ entity: 'application', entity_id: String(id), action: 'set-status' })
    .select<Stage[]>('at', 'actor', db.raw(`details ->> 'to' as status`), db.raw(nameOf('actor')))
    .orderBy('id')
  const first = { status: 'new' as const, at: created_at, actor: null, actor_name: null }
  return [first, ...rows.map(({ at, ...stage }) => ({ ...stage, at: at.toISOString() }))]
}
type Stage = Omit<ApplicationStage, 'at'> & { at: Date }

async function listNotes(db: Db, id: number): Promise<ApplicationNote[]> {
  const rows = await db('application_notes')
    .where('application_id', id)
    .select<Note[]>('id', 'at', 'author as actor', 'text', db.raw(nameOf('author')))
    .orderBy('id')
  return rows.map(({ at, ...note }) => ({ ...note, at: at.toISOString() }))
}
type Note = Omit<ApplicationNote, 'at'> & { at: Date }
