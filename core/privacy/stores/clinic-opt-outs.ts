import * as leads from '../../leads/stores/leads.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { ClinicOptOut, LeadOptOut } from '../contract/opt-outs.ts'
import { optOutDeadline } from '../rules/opt-out-deadline.ts'
import * as suppressions from './suppressions.ts'

/*
 * What clinics were asked: to stop contacting the person of a lead, and to confirm it in time.
 */

/**
 * Asks these clinics to stop contacting the person of a lead. Business days of the deadline are those of the time zone.
 * Returns the clinics that were not asked before.
 */
export async function ask(
  trx: Transaction,
  leadId: number,
  providerIds: number[],
  timeZone: string,
): Promise<number[]> {
  if (providerIds.length === 0) return []
  const asked_at = new Date()
  const due_at = optOutDeadline(asked_at, timeZone)
  const rows = await trx('opt_outs')
    .insert(providerIds.map((provider_id) => ({ lead_id: leadId, provider_id, asked_at, due_at })))
    .onConflict(trx.raw('(lead_id, provider_id) where withdrawn_at is null'))
    .ignore()
    .returning('provider_id')
  return rows.map(({ provider_id }) => provider_id)
}

/** Records that a clinic has stopped. Returns false when it was not asked, or has confirmed before. */
export async function confirm(
  trx: Transaction,
  which: { lead_id: number; provider_id: number },
  actor: string,
): Promise<boolean> {
  const rows = await trx('opt_outs')
    .where({ ...which, withdrawn_at: null, confirmed_at: null })
    .update({ confirmed_at: trx.fn.now(), confirmed_by: actor })
    .returning('id')
  return rows.length > 0
}

/** Withdraws the requests: the person may be contacted again. The rows stay. */
export async function withdraw(trx: Transaction, leadIds: number[]): Promise<void> {
  await trx('opt_outs').whereIn('lead_id', leadIds).whereNull('withdrawn_at').update({ withdrawn_at: trx.fn.now() })
}

/** Finds the requests to clinics that were not withdrawn. */
export async function find(
  db: Db,
  which: { id: number } | { lead_id: number; provider_id?: number },
): Promise<ClinicOptOut[]> {
  return (await query(db).where(prefixed(which)).orderBy('opt_outs.id')).map(present)
}

/** Finds whether the person of a lead may be contacted, and which clinics were told to stop. @throws AppError `not_found` */
export async function findOfLead(db: Db, id: number, key: Buffer): Promise<LeadOptOut> {
  const lead = await leads.find(db, id)
  if (!lead) throw leads.noSuchLead()
  return { since: await suppressions.findOf(db, key, lead), clinics: await find(db, { lead_id: id }) }
}

function query(db: Db) {
  return db('opt_outs')
    .join('providers', 'providers.id', 'provider_id')
    .select<OptOutRow[]>(
      ...['opt_outs.id', 'lead_id', 'asked_at', 'due_at', 'confirmed_at', 'confirmed_by'],
      db.raw('coalesce(practice_name, name) as clinic'),
      db.raw('(select name from staff_accounts where lower(email) = lower(confirmed_by)) as confirmed_by_name'),
    )
    .whereNull('withdrawn_at')
}

const prefixed = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [`opt_outs.${name}`, value]))

type OptOutRow = RowWith<
  'opt_outs',
  'id' | 'lead_id' | 'asked_at' | 'due_at' | 'confirmed_at' | 'confirmed_by',
  Pick<ClinicOptOut, 'clinic' | 'confirmed_by_name'>
>

function present(row: OptOutRow): ClinicOptOut {
  return {
    ...row,
    asked_at: row.asked_at.toISOString(),
    due_at: row.due_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  }
}
