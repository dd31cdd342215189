import type { Db, Transaction } from '../../platform/db.ts'
import type { SensitiveChange } from '../../sync/rules/sync-approval.ts'
import type { SyncPlan } from '../../sync/rules/sync-plan.ts'
import type { RowWith } from '../../tables/table.ts'
import type { NewEmail } from '../contract/providers.ts'

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

/** Finds the address that a clinic is asked to confirm. */
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
