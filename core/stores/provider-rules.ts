import type { Db } from '../platform/db.ts'
import type { RowWith } from './table.ts'

export type RequestAddresses = RowWith<'provider_rules', 'request_email' | 'second_email'>

/** Finds the addresses that staff set for a clinic. Both are null unless set. */
export async function findAddresses(db: Db, providerId: number): Promise<RequestAddresses> {
  const row = await db('provider_rules').where('provider_id', providerId).first('request_email', 'second_email')
  return row ?? { request_email: null, second_email: null }
}
