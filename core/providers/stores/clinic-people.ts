import { PROVIDER } from '../../deliveries/stores/delivery-status.ts'
import { AppError } from '../../errors.ts'
import { countRows, type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { SensitiveChange } from '../../sync/rules/sync-approval.ts'
import type { SyncPlan } from '../../sync/rules/sync-plan.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import type { ClinicPerson, PersonGets } from '../contract/clinic.ts'
import type { NewEmail } from '../contract/providers.ts'

/*
 * The people of a clinic sign in with links mailed to their addresses. The first sign-in confirms the address. One confirmed person
 * may get the requests instead of the address of WordPress (`providers.email`), and one the notices of late answers. A sync changes
 * no person, and the address of WordPress can always sign in.
 */

/** SQL for the address that gets the requests of a row of `providers`. Every email about a request uses it. */
export const REQUEST_EMAIL = `coalesce(
  (select person.email from clinic_people person where person.provider_id = providers.id and person.gets = 'requests'),
  providers.email)`

/** SQL for the address that gets the notices of a provider's late answers, or null. */
export const lateEmailOf = (provider: string) =>
  `(select person.email from clinic_people person where person.provider_id = ${provider} and person.gets = 'late')`

/**
 * SQL for the clinics of an address `:email` that may sign in: active ones, and those that wait for their activation. A clinic that
 * has left the network has no access.
 */
export const CLINICS_OF_ADDRESS = `
  select id from providers where (status = 't' or activation = 'waiting') and id in (
    select id from providers where lower(email) = lower(:email)
    union select provider_id from clinic_people where lower(email) = lower(:email) and removed_at is null)`

/** Lists the addresses of a clinic and its people. Returns null for a clinic that has left the network, and for one that is gone. */
export async function listInUse(db: Db, providerId: number): Promise<string[] | null> {
  const [row] = await queryRows<{ emails: string[] }>(
    db,
    `select array[email] || array(
       select email from clinic_people where provider_id = providers.id and removed_at is null) as emails
     from providers where providers.id = ? and status = 't'`,
    [providerId],
  )
  return row?.emails ?? null
}

/** Finds the address that gets the requests, and that of WordPress. @throws AppError `not_found` */
export async function findInUse(db: Db, providerId: number): Promise<{ requests: string; wordpress: string }> {
  const [row] = await queryRows<{ requests: string; wordpress: string }>(
    db,
    `select ${REQUEST_EMAIL} as requests, email as wordpress from providers where providers.id = ?`,
    [providerId],
  )
  if (!row) throw new AppError('not_found', 'There is no such clinic.')
  return row
}

export async function findLate(db: Db, providerId: number): Promise<string | null> {
  const row = await db('clinic_people').where({ provider_id: providerId, gets: 'late' }).first('email')
  return row?.email ?? null
}

/** Lists the addresses that may sign in to the pages of a clinic: that of WordPress, and its people. */
export async function list(db: Db, providerId: number): Promise<ClinicPerson[]> {
  const { wordpress } = await findInUse(db, providerId)
  const people = await db('clinic_people')
    .where({ provider_id: providerId, removed_at: null })
    .orderBy('id')
    .select('id', 'email', 'added_at', 'added_by', 'confirmed_at', 'gets')
  const gets = people.some((person) => person.gets === 'requests') ? null : 'requests'
  return [
    { id: null, email: wordpress, added_at: null, added_by: null, confirmed_at: null, gets },
    ...people.map(({ added_at, confirmed_at, ...person }) => ({
      ...person,
      added_at: added_at.toISOString(),
      confirmed_at: confirmed_at?.toISOString() ?? null,
    })),
  ]
}

/** Counts the people that a clinic has, and those that it has added within a day. */
export async function count(db: Db, providerId: number): Promise<{ all: number; today: number }> {
  const people = () => db('clinic_people').where({ provider_id: providerId })
  return {
    all: await countRows(people().where({ removed_at: null })),
    today: await countRows(people().whereRaw(`added_at > now() - interval '1 day'`)),
  }
}

/** Adds an address. Returns false when it may sign in already. */
export async function add(trx: Transaction, providerId: number, email: string, addedBy: string): Promise<boolean> {
  const added = await trx('clinic_people')
    .insert({ provider_id: providerId, email, added_by: addedBy })
    .onConflict(trx.raw('(lower(email), provider_id) where removed_at is null'))
    .ignore()
    .returning('id')
  return added.length > 0
}

/** Confirms the address of a person who has signed in with a link mailed to it. */
export async function confirm(trx: Transaction, providerId: number, email: string): Promise<void> {
  await trx('clinic_people')
    .where({ provider_id: providerId, removed_at: null, confirmed_at: null })
    .whereRaw('lower(email) = lower(?)', [email])
    .update({ confirmed_at: trx.fn.now() })
}

export async function find(db: Db, providerId: number, id: number): Promise<Row<'clinic_people'> | null> {
  return (await db('clinic_people').where({ id, provider_id: providerId, removed_at: null }).first()) ?? null
}

/** Changes what a confirmed person gets. The person who got it before gets it no longer. */
export async function setGets(trx: Transaction, person: Row<'clinic_people'>, gets: PersonGets | null): Promise<void> {
  const { id, provider_id } = person
  if (gets) await trx('clinic_people').where({ provider_id, gets }).update({ gets: null })
  await trx('clinic_people').where({ id }).update({ gets })
}

/** Removes a person and ends their sessions. */
export async function remove(trx: Transaction, person: Row<'clinic_people'>, removedBy: string): Promise<void> {
  const { id, provider_id, email } = person
  await trx('clinic_people').where({ id }).update({ gets: null, removed_at: trx.fn.now(), removed_by: removedBy })
  await trx('clinic_sessions').where({ provider_id }).whereRaw('lower(email) = lower(?)', [email]).delete()
}

/**
 * Returns whether a notice is the copy for the address of WordPress: the first of two that one transaction added. The notice itself
 * comes after it, so that the ledger takes the notice for the newest one and lists it when it fails.
 */
export async function isCopy(db: Db, jobId: string): Promise<boolean> {
  const found = await queryRows(
    db,
    `select from jobs join jobs notice on notice.subject_id = jobs.subject_id and notice.subject_kind = jobs.subject_kind
       and notice.purpose = jobs.purpose and notice.created_at = jobs.created_at and notice.generation > jobs.generation
     where jobs.id = ?`,
    [jobId],
  )
  return found.length > 0
}

/*
 * A provider's `email` is where mail goes. Another address that WordPress says is kept in `new_email` until it is
 * confirmed: by the clinic on its own pages, by a manager, or by the approval of the run that brought it.
 */

export const NOT_WAITING = { new_email: null, new_email_at: null, new_email_sync_id: null, new_email_declined: false }

/**
 * Takes over the addresses that a sync run has found. Addresses among the unapproved changes wait for a confirmation; the
 * others are used from now on.
 */
export async function change(
  trx: Transaction,
  syncId: number,
  newEmails: SyncPlan['newEmails'],
  unapproved: SensitiveChange[],
): Promise<void> {
  const waiting = new Set(unapproved.filter(({ kind }) => kind === 'email').map(({ id }) => id))
  const rows = newEmails.map(({ id, email, isConfirmed }) => ({ id, email, waits: !isConfirmed && waiting.has(id) }))
  await trx.raw(
    `update providers set
       email = case when waits then providers.email else new.email end,
       new_email = case when waits then new.email end,
       new_email_at = case when waits then now() end,
       new_email_sync_id = case when waits then ?::integer end,
       new_email_declined = false
     from jsonb_to_recordset(?) as new (id integer, email text, waits boolean)
     where providers.id = new.id`,
    [syncId, JSON.stringify(rows)],
  )
}

/** Lists the unconfirmed addresses of providers, by provider, with the state of the email that asks for a confirmation. */
export async function listNew(db: Db, providerIds: number[]): Promise<Map<number, NewEmail>> {
  const rows = await db('providers')
    .select<NewEmailRow[]>(
      ...['providers.id', 'new_email', 'new_email_at', 'new_email_sync_id', 'new_email_declined'],
      ...['asked.state', 'asked.last_error'],
    )
    .joinRaw(
      `left join lateral (
         select state, last_error from jobs
         where subject_kind = 'sync' and subject_id = new_email_sync_id and ${PROVIDER} = providers.id
         order by generation desc limit 1
       ) asked on true`,
    )
    .whereNotNull('new_email')
    .whereRaw('providers.id = any(?)', [providerIds])
  return new Map(
    rows.map((row) => [
      row.id,
      {
        email: row.new_email,
        since: row.new_email_at.toISOString(),
        sync_id: row.new_email_sync_id,
        is_declined: row.new_email_declined,
        asked: row.state === 'done' ? 'sent' : row.state === 'failed' ? 'failed' : 'pending',
        error: row.state === 'done' ? null : row.last_error,
      },
    ]),
  )
}

export async function findAsked(db: Db, providerId: number): Promise<string | null> {
  return (
    (await db('providers').where({ id: providerId, new_email_declined: false }).first('new_email'))?.new_email ?? null
  )
}

type NewEmailRow = RowWith<
  'providers',
  'id' | 'new_email_sync_id' | 'new_email_declined',
  { new_email: string; new_email_at: Date } & (
    | RowWith<'jobs', 'state' | 'last_error'>
    | { state: null; last_error: null }
  )
>
