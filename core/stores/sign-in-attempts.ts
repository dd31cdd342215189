import type { Db } from '../platform/db.ts'
import { deleteRows, hasRows, type OldRows } from './old-rows.ts'

const EXPIRED: OldRows = { table: 'sign_in_attempts', where: 'expire <= (extract(epoch from now()) * 1000)::bigint' }
export const isPurgeDue = (db: Db) => hasRows(db, EXPIRED)
/** Deletes a batch of expired counts of sign-in attempts (`api/login-throttle.ts`). Returns their number. */
export const purge = (db: Db) => deleteRows(db, EXPIRED)
