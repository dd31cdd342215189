import type { AddressUse, ClinicAddresses } from '../contract/clinic-addresses.ts'
import { AppError } from '../errors.ts'
import { countRows, type Db, queryRows, type Transaction } from '../platform/db.ts'
import { isSameAddress } from '../rules/sync-approval.ts'
import { DAY, SECOND } from '../time.ts'
import type { Row } from './table.ts'

/*
 * The addresses of a clinic. `providers.email` is what WordPress has. `provider_rules.request_email` replaces it, and
 * `second_email` is told of late answers. A clinic changes both itself (`clinic_addresses`), and a sync never does.
 */

/** SQL for the address that gets the requests of a row of `providers`. Every e-mail about a request goes by this. */
export const REQUEST_EMAIL = `coalesce(
  (select own.request_email from provider_rules own where own.provider_id = providers.id), providers.email)`

/**
 * SQL for the active clinics of an address `:email`: those that get their requests there, or would without an address of their
 * own, and those that let it sign in. A clinic that has left the network has no access.
 */
export const CLINICS_OF_ADDRESS = `
  select id from providers where status = 't' and id in (
    select id from providers where lower(email) = lower(:email)
    union select provider_id from provider_rules where lower(request_email) = lower(:email)
    union select provider_id from clinic_people where lower(email) = lower(:email) and removed_at is null)`

/**
 * Lists all addresses that a clinic uses now: for requests, in WordPress, for late answers, and of its people. Returns null for a
 * clinic that has left the network, and for one that is gone.
 */
export async function listInUse(db: Db, providerId: number): Promise<string[] | null> {
  const [row] = await queryRows<{ emails: string[] }>(
    db,
    `select array_remove(array[email, request_email, second_email], null) || array(
       select email from clinic_people where provider_id = providers.id and removed_at is null) as emails
     from providers left join provider_rules on provider_id = providers.id where providers.id = ? and status = 't'`,
    [providerId],
  )
  return row?.emails ?? null
}

/** The life of a link that confirms an address, and of one that undoes the change, in milliseconds since it was asked for. */
export const CONFIRM_LIFETIME = 7 * DAY
export const UNDO_LIFETIME = 30 * DAY
/** The most changes that the people of a clinic may ask for within a day. Each sends an e-mail to an address that they type. */
const MAX_PER_DAY = 5

/** The addresses in use. `requests` gets the requests, `wordpress` would without an address of the clinic's own. */
export type AddressesInUse = { requests: string; wordpress: string; own: string | null; late: string | null }

/** Finds the addresses in use. @throws AppError `not_found` */
export async function findInUse(db: Db, providerId: number): Promise<AddressesInUse> {
  const [row] = await queryRows<AddressesInUse>(
    db,
    `select ${REQUEST_EMAIL} as requests, email as wordpress, request_email as own, second_email as late
     from providers left join provider_rules on provider_id = providers.id where providers.id = ?`,
    [providerId],
  )
  if (!row) throw new AppError('not_found', 'There is no such clinic.')
  return row
}

/** A change of an address. `from_email` is null for the address of WordPress, or for no second address. */
export type AddressChange = Row<'clinic_addresses'>

/** Adds a change that waits for its confirmation. @throws AppError `rate_limited` */
export async function ask(
  trx: Transaction,
  change: Pick<AddressChange, 'provider_id' | 'use' | 'from_email' | 'told_email' | 'to_email' | 'asked_by'>,
): Promise<void> {
  const recent = trx('clinic_addresses')
    .where('provider_id', change.provider_id)
    .whereRaw(`asked_at > now() - interval '1 day'`)
  if ((await countRows(recent)) >= MAX_PER_DAY) {
    const message = `No more than ${MAX_PER_DAY} addresses can be asked for in a day. Try again tomorrow, or write to us.`
    throw new AppError('rate_limited', message, { retryAfterSeconds: DAY / SECOND })
  }
  await trx('clinic_addresses').insert(change)
}

/** Adds a change that needs no confirmation by the new address. It counts as asked for just before, so that its notice is about its use. */
export async function addConfirmed(
  trx: Transaction,
  change: Pick<AddressChange, 'provider_id' | 'use' | 'from_email' | 'told_email' | 'to_email' | 'asked_by'>,
): Promise<void> {
  await trx('clinic_addresses').insert({
    ...change,
    asked_at: trx.raw(`now() - interval '1 ms'`),
    confirmed_at: trx.fn.now(),
  })
}

/** Ends what waits for a confirmation. Returns whether there was any. */
export async function endWaiting(trx: Transaction, providerId: number, use: AddressUse, by: string): Promise<boolean> {
  const ended = await trx('clinic_addresses')
    .where({ provider_id: providerId, use, confirmed_at: null, ended_at: null })
    .update({ ended_at: trx.fn.now(), ended_by: by })
  return ended > 0
}

/** Ends the change that brought an address, if there is one. */
export async function endConfirmed(
  trx: Transaction,
  { providerId, use, email, by }: { providerId: number; use: AddressUse; email: string; by: string },
): Promise<void> {
  await trx('clinic_addresses')
    .where({ provider_id: providerId, use, ended_at: null })
    .whereNotNull('confirmed_at')
    .whereRaw('lower(to_email) = lower(?)', [email])
    .update({ ended_at: trx.fn.now(), ended_by: by })
}

/** Reopens the newest change that brought an address, which is in use again. */
export async function reopen(
  trx: Transaction,
  { providerId, use, email }: { providerId: number; use: AddressUse; email: string },
): Promise<void> {
  const newest = trx('clinic_addresses')
    .where({ provider_id: providerId, use })
    .whereNotNull('confirmed_at')
    .whereRaw('lower(to_email) = lower(?)', [email])
    .orderBy([
      { column: 'confirmed_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(1)
    .select('id')
  await trx('clinic_addresses').whereIn('id', newest).update({ ended_at: null, ended_by: null })
}

/** Locks a change. */
export async function lock(trx: Transaction, id: number): Promise<AddressChange | null> {
  return (await trx('clinic_addresses').where({ id }).forUpdate().first()) ?? null
}

/** Finds a change, with the name of its clinic. */
export async function find(db: Db, id: number): Promise<(AddressChange & { clinic: string }) | null> {
  const row = await db('clinic_addresses')
    .join('providers', 'providers.id', 'provider_id')
    .where('clinic_addresses.id', id)
    .first('clinic_addresses.*', db.raw('coalesce(practice_name, name) as clinic'))
  return row ?? null
}

/** Marks a change as confirmed, with the addresses that are in use until then. */
export async function confirm(
  trx: Transaction,
  id: number,
  until: Pick<AddressChange, 'from_email' | 'told_email'>,
): Promise<void> {
  await trx('clinic_addresses')
    .where({ id })
    .update({ ...until, confirmed_at: trx.fn.now() })
}

/** Uses an address from now on. Null: that of WordPress, or no second one. */
export async function use(
  trx: Transaction,
  { providerId, use, email, by }: { providerId: number; use: AddressUse; email: string | null; by: string },
): Promise<void> {
  const column = use === 'requests' ? 'request_email' : 'second_email'
  await trx('provider_rules')
    .insert({ provider_id: providerId, [column]: email, updated_by: by } as never)
    .onConflict('provider_id')
    .merge([column])
}

/** Returns whether a change still waits for its confirmation, and the link to it has not expired. */
export const isWaiting = ({ confirmed_at, ended_at, asked_at }: AddressChange): boolean =>
  confirmed_at === null && ended_at === null && Date.now() - asked_at.getTime() < CONFIRM_LIFETIME

/** Returns whether a change can be undone by the link in a notice: while it waits, or while its address is in use. */
export function canBeUndone(change: AddressChange, inUse: AddressesInUse): boolean {
  const isRecent = Date.now() - change.asked_at.getTime() < UNDO_LIFETIME
  const current = change.use === 'requests' ? inUse.own : inUse.late
  const isInUse = change.confirmed_at !== null && isSameAddress(current, change.to_email)
  return change.ended_at === null && isRecent && (isInUse || change.confirmed_at === null)
}

/** Finds the change that waits for its confirmation. */
export async function findWaiting(db: Db, providerId: number, use: AddressUse): Promise<AddressChange | null> {
  const row = await db('clinic_addresses')
    .where({ provider_id: providerId, use, confirmed_at: null, ended_at: null })
    .first()
  return row && isWaiting(row) ? row : null
}

/**
 * Finds what a notice is about: the change that was asked for, confirmed or ended in the transaction that added the notice, so
 * that their times are the same. `isCopy` for the first of two notices of that transaction, which goes to the address of WordPress.
 */
export async function findNoticed(
  db: Db,
  jobId: string,
): Promise<{ change: AddressChange; event: 'asked' | 'confirmed' | 'ended'; isCopy: boolean } | null> {
  const [row] = await queryRows<AddressChange & { event: 'asked' | 'confirmed' | 'ended'; isCopy: boolean }>(
    db,
    `select change.*, event, ${IS_COPY} as "isCopy" from jobs
     join clinic_addresses change on change.provider_id = jobs.told_provider_id
     cross join lateral (values
       ('asked', asked_at, 3), ('confirmed', confirmed_at, 2),
       ('ended', case when confirmed_at is not null then ended_at end, 1)
     ) as happened (event, at, rank)
     where jobs.id = ? and at = jobs.created_at
     order by rank desc limit 1`,
    [jobId],
  )
  if (!row) return null
  const { event, isCopy, ...change } = row
  return { change, event, isCopy }
}

/**
 * SQL for whether a transaction added a notice to a clinic as a copy for the address of WordPress. The notice itself comes after
 * it, so that the ledger takes the notice for the newest one and lists it when it fails.
 */
const IS_COPY = `exists (
  select from jobs notice where notice.told_provider_id = jobs.told_provider_id and notice.purpose = jobs.purpose
    and notice.created_at = jobs.created_at and notice.generation > jobs.generation)`

/** Returns whether a notice is the copy for the address of WordPress. */
export async function isCopy(db: Db, jobId: string): Promise<boolean> {
  const [row] = await queryRows<{ copy: boolean }>(db, `select ${IS_COPY} as copy from jobs where id = ?`, [jobId])
  return row?.copy ?? false
}

/** Reads the addresses of a clinic, where they come from, and what waits for a confirmation. */
export async function read(db: Db, providerId: number): Promise<ClinicAddresses> {
  const inUse = await findInUse(db, providerId)
  const changes = await db('clinic_addresses').where('provider_id', providerId).orderBy('id', 'desc')
  const jobs = await db('jobs')
    .distinctOn('purpose')
    .where({ told_provider_id: providerId, lead_id: null, application_id: null, account_id: null, sync_id: null })
    .whereIn('purpose', ['request_address', 'second_address'])
    .orderBy(['purpose', { column: 'generation', order: 'desc' }])
    .select('purpose', 'state')
  const of = (use: AddressUse, purpose: string, current: string | null) => {
    const own = changes.filter((change) => change.use === use)
    const source = own.find(({ confirmed_at, to_email }) => confirmed_at !== null && isSameAddress(to_email, current))
    const waiting = own.find(isWaiting)
    const state = jobs.find((job) => job.purpose === purpose)?.state
    return {
      confirmed: source?.confirmed_at ? { at: source.confirmed_at.toISOString(), asked_by: source.asked_by } : null,
      waiting: waiting
        ? {
            email: waiting.to_email,
            asked_by: waiting.asked_by,
            asked_at: waiting.asked_at.toISOString(),
            asked:
              state === 'done' ? ('sent' as const) : state === 'failed' ? ('failed' as const) : ('pending' as const),
          }
        : null,
    }
  }
  return {
    wordpress: inUse.wordpress,
    requests: { email: inUse.requests, is_own: inUse.own !== null, ...of('requests', 'request_address', inUse.own) },
    late: { email: inUse.late, ...of('late', 'second_address', inUse.late) },
  }
}
