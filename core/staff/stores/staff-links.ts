import type { Db, Transaction } from '../../platform/db.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { RowWith } from '../../tables/table.ts'
import { HOUR } from '../../time.ts'
import type { LinkAnswer, StaffLink } from '../contract/staff.ts'

export type LinkKind = StaffLink['kind']

/** The lifetime of a link after it was sent, in milliseconds. */
export const LINK_LIFETIME: Record<LinkKind, number> = { invitation: 72 * HOUR, reset: HOUR }

/** A valid link. The database has only the hash of its token. */
export type MadeLink = { token: string; expiresAt: string; requestedBy: string }

/**
 * Requests a link, which ends the one before. The caller holds the lock of the account, and adds the job that sends the
 * link.
 */
export async function request(trx: Transaction, accountId: number, kind: LinkKind, requestedBy: string): Promise<void> {
  const link = { purpose: kind, requested_by: requestedBy }
  await trx('one_time_tokens')
    .insert({ ...link, account_id: accountId })
    .onConflict('account_id')
    .merge({ ...link, requested_at: trx.fn.now(), token_hash: null, expires_at: null })
}

/**
 * Makes the token of a requested link. A second attempt to send the e-mail makes another token, which ends the first.
 * Returns null without such a link, or when it was requested again after the job was made.
 * @param jobId the job that sends the link, if one does
 */
export async function makeToken(
  db: Db,
  accountId: number,
  kind: LinkKind,
  jobId: string | null = null,
): Promise<MadeLink | null> {
  const token = newToken()
  const wanted = db('one_time_tokens').where({ account_id: accountId, purpose: kind })
  if (jobId) wanted.where('requested_at', '<=', db('jobs').select('created_at').where({ id: jobId }))
  const [row] = await wanted
    .update({
      token_hash: hashToken(token),
      expires_at: db.raw(`now() + ? * interval '1 ms'`, [LINK_LIFETIME[kind]]),
    })
    .returning(['expires_at', 'requested_by'])
  if (!row?.expires_at || row.requested_by === null) return null
  return { token, expiresAt: row.expires_at.toISOString(), requestedBy: row.requested_by }
}

/** Finds a valid link and its account. */
export async function find(db: Db, token: string): Promise<(LinkAnswer & { accountId: number }) | null> {
  const row = await db('one_time_tokens')
    .join('staff_accounts', 'staff_accounts.id', 'account_id')
    .where('token_hash', hashToken(token))
    .where('expires_at', '>', db.fn.now())
    .whereNull('disabled_at')
    .first<LinkRow | undefined>('account_id', 'purpose as kind', 'name', 'staff_accounts.email', 'expires_at')
  if (!row) return null
  const { account_id: accountId, expires_at, ...owner } = row
  return { accountId, ...owner, expires_at: expires_at.toISOString() }
}

type LinkRow = RowWith<'staff_accounts', 'name' | 'email', { account_id: number; kind: LinkKind; expires_at: Date }>

/** Ends the link of an account. Returns whether there was one. The caller holds the lock of the account. */
export async function end(trx: Transaction, accountId: number): Promise<boolean> {
  return (await trx('one_time_tokens').where('account_id', accountId).delete()) > 0
}

/** SQL for the link of a row of `staff_accounts` as `StaffLink`, or null. */
export const LINK_OF_ACCOUNT = `(
  select jsonb_build_object('kind', link.purpose, 'error', job.error, 'expires_at', expires_at, 'state', case
    when job.state in ('waiting', 'enqueued') then case when job.attempts > 0 then 'retrying' else 'sending' end
    when job.state = 'failed' then 'failed'
    when expires_at > now() then 'sent'
    else 'expired'
  end)
  from one_time_tokens link
  left join lateral (
    select state, attempts, case when state in ('waiting', 'failed') then last_error end as error from jobs
    where jobs.account_id = staff_accounts.id and name = 'send-email' and purpose = link.purpose
      and created_at >= requested_at
    order by generation desc limit 1
  ) job on true
  where link.account_id = staff_accounts.id
) as link`
