import type { DeliveryHealth } from '../../providers/contract/provider-record.ts'

/** An e-mail to a clinic, as far as its health depends on it. `at` is ISO 8601. */
type Mail = { state: 'delivered' | 'failed' | 'retrying'; at: string }

/** So many failures in a row, up to the newest e-mail, mean that the address does not work at present. */
export const BOUNCES = 3

/**
 * Judges an address by its last e-mails, the newest first. `bouncing`: the newest ones failed, or fail and are retried;
 * `trouble`: some did. `since` is the time of the first failure in that row.
 */
export function healthOf(mails: Mail[]): DeliveryHealth {
  const bad = mails.filter(({ state }) => state !== 'delivered').length
  const firstGood = mails.findIndex(({ state }) => state === 'delivered')
  const row = firstGood === -1 ? mails : mails.slice(0, firstGood)
  const counts = { failed: bad, of: mails.length }
  if (mails.length === 0) return { state: 'none', since: null, ...counts }
  if (row.length >= BOUNCES) return { state: 'bouncing', since: row.at(-1)?.at ?? null, ...counts }
  return { state: bad > 0 ? 'trouble' : 'ok', since: null, ...counts }
}
