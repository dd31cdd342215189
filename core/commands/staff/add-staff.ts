import type { NewStaff, StaffAccount } from '../../contract/staff.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import type * as links from '../../stores/staff-links.ts'
import type { Actor } from '../actor.ts'
import { entity, hashChosen, mailLink, makeLink } from './account.ts'

/** Makes an account with a password that its owner has chosen. @throws AppError `conflict`, `invalid` */
export async function addStaff(db: Db, staff: NewStaff, password: string, { actor }: Actor): Promise<StaffAccount> {
  const passwordHash = await hashChosen(password, staff)
  return db.transaction(async (trx) => accounts.get(trx, await insert(trx, staff, passwordHash, actor)))
}

/** Makes an account, and mails its owner a link to choose a password. @throws AppError `conflict` as above */
export async function inviteStaff(db: Db, staff: NewStaff, { actor }: Actor): Promise<StaffAccount> {
  return db.transaction(async (trx) => {
    const id = await insert(trx, staff, null, actor)
    await mailLink(trx, id, 'invitation', actor)
    return accounts.get(trx, id)
  })
}

/** Makes an account and returns the link to choose a password, which is not mailed: for the first manager. @throws as above */
export async function inviteStaffByHand(db: Db, staff: NewStaff, { actor }: Actor): Promise<links.MadeLink> {
  return db.transaction(async (trx) => makeLink(trx, await insert(trx, staff, null, actor), 'invitation', actor))
}

async function insert(trx: Transaction, staff: NewStaff, passwordHash: string | null, actor: string): Promise<number> {
  const id = await accounts.add(trx, staff, passwordHash)
  const details = { email: staff.email, role: staff.role }
  await auditLog.record(trx, { actor, action: 'add', entity, entityId: id, details })
  return id
}
