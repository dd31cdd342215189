import type { ClinicPeople } from '../contract/clinic.ts'
import { countRows, type Db, type Transaction } from '../platform/db.ts'
import { isSameAddress } from '../rules/sync-approval.ts'
import * as clinicAddresses from './clinic-addresses.ts'

/** Lists the addresses that may sign in to the pages of a clinic: that which gets its requests, that of WordPress, and others. */
export async function list(db: Db, providerId: number): Promise<ClinicPeople['people']> {
  const { requests, wordpress } = await clinicAddresses.findInUse(db, providerId)
  const people = await db('clinic_people')
    .where({ provider_id: providerId, removed_at: null })
    .orderBy('id')
    .select('id', 'email', 'added_at')
  return [
    { id: null, email: requests, added_at: null, gets_requests: true },
    ...(isSameAddress(requests, wordpress)
      ? []
      : [{ id: null, email: wordpress, added_at: null, gets_requests: false }]),
    ...people.map(({ added_at, ...person }) => ({ ...person, added_at: added_at.toISOString(), gets_requests: false })),
  ]
}

/** Counts the people of a clinic besides its own address. */
export async function count(db: Db, providerId: number): Promise<number> {
  return countRows(db('clinic_people').where({ provider_id: providerId, removed_at: null }))
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

/** Removes an address and ends its sessions. Returns it, or null when the clinic has no such person. */
export async function remove(
  trx: Transaction,
  providerId: number,
  id: number,
  removedBy: string,
): Promise<string | null> {
  const [row] = await trx('clinic_people')
    .where({ id, provider_id: providerId, removed_at: null })
    .update({ removed_at: trx.fn.now(), removed_by: removedBy })
    .returning('email')
  if (!row) return null
  await trx('clinic_sessions')
    .where('provider_id', providerId)
    .whereRaw('lower(email) = lower(?)', [row.email])
    .delete()
  return row.email
}

/** Finds the person that a notice is about: both were made in one transaction. Returns null once they are removed. */
export async function findAddedBy(db: Db, jobId: string): Promise<{ email: string; addedBy: string } | null> {
  const row = await db('clinic_people')
    .join('jobs', (same) =>
      same.on('jobs.told_provider_id', 'clinic_people.provider_id').andOn('jobs.created_at', 'clinic_people.added_at'),
    )
    .where('jobs.id', jobId)
    .whereNull('removed_at')
    .first<{ email: string; addedBy: string } | undefined>('email', 'added_by as addedBy')
  return row ?? null
}
