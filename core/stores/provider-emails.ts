import { createHash, randomBytes } from 'node:crypto'
import type { NewEmail, NewEmailSummary } from '../contract/provider-emails.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { SensitiveChange } from '../rules/sync-approval.ts'
import type { SyncPlan } from '../rules/sync-plan.ts'
import { DAY } from '../time.ts'
import type { RowWith } from './table.ts'

/*
 * A provider's `email` is where mail goes. Another address that WordPress says is kept in `new_email` until it is
 * confirmed: by a link in an e-mail to the address in use, by a manager, or by the approval of the run that brought it.
 */

/** The lifetime of a link that confirms an address, in milliseconds. */
export const CONFIRMATION_LIFETIME = 30 * DAY

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
  await trx('email_confirmations')
    .whereRaw('provider_id = any(?)', [rows.map(({ id }) => id)])
    .delete()
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

/**
 * Makes a token that confirms this address once: a new one, or that of a provider that waits for its activation. The token
 * goes into an e-mail; the database keeps only its hash.
 * @returns null when the address does not wait for a confirmation
 */
export async function issueToken(db: Db, providerId: number, address: string): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `insert into email_confirmations (token_hash, provider_id, new_email, expires_at)
     select :hash, id, :address, now() + :lifetime * interval '1 ms' from providers
     where id = :providerId and ${waitsFor(':address')}`,
    { hash: hash(token), lifetime: CONFIRMATION_LIFETIME, providerId, address },
  )
  return rowCount === 1 ? token : null
}

/** Finds the address that a link would confirm. @throws AppError `not_found` when it is used, replaced or too old */
export async function findByToken(db: Db, token: string): Promise<NewEmailSummary & { email: string }> {
  const found = await byToken(db, token).first<(Omit<NewEmailSummary, 'email'> & { email: string }) | undefined>(
    db.raw('coalesce(practice_name, name) as name'),
    'email_confirmations.new_email as email',
    db.raw(
      `case when providers.new_email = email_confirmations.new_email then 'wordpress' else 'activate' end as does`,
    ),
  )
  if (!found) throw new AppError('not_found', 'This link is no longer valid. It was used already, or it is too old.')
  return found
}

/** Lists the unconfirmed addresses of providers, by provider, with the state of the e-mail that asks for a confirmation. */
export async function listNew(db: Db, providerIds: number[]): Promise<Map<number, NewEmail>> {
  const rows = await db('providers')
    .select<NewEmailRow[]>(
      ...['providers.id', 'new_email', 'new_email_at', 'new_email_sync_id', 'new_email_declined'],
      ...['asked.state', 'asked.last_error'],
    )
    .joinRaw(
      `left join lateral (
         select state, last_error from jobs
         where sync_id = new_email_sync_id and lead_id is null and told_provider_id = providers.id
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

type NewEmailRow = RowWith<
  'providers',
  'id' | 'new_email_sync_id' | 'new_email_declined',
  { new_email: string; new_email_at: Date } & (
    | RowWith<'jobs', 'state' | 'last_error'>
    | { state: null; last_error: null }
  )
>

export function byToken(db: Db, token: string) {
  return db('email_confirmations')
    .join('providers', 'providers.id', 'provider_id')
    .where('token_hash', hash(token))
    .where('expires_at', '>', db.fn.now())
    .whereRaw(waitsFor('email_confirmations.new_email'))
}

/** SQL for whether a provider waits for the confirmation of an address: a new one, or its own before its activation. */
function waitsFor(address: string): string {
  return `(providers.new_email = ${address} and not new_email_declined
    or activation = 'waiting' and providers.email = ${address})`
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
