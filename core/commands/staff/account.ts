import type { NewStaff } from '../../contract/staff.ts'
import { AppError } from '../../errors.ts'
import type { Transaction } from '../../platform/db.ts'
import { weaknessOf } from '../../platform/password-strength.ts'
import { hashPassword } from '../../platform/passwords.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as links from '../../stores/staff-links.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'

/** In the audit log. */
export const entity = 'staff'

/** Locks an account and checks that the actor may still change it. @throws AppError `forbidden` */
export async function lockFor(trx: Transaction, id: number, { actorId }: Actor): Promise<void> {
  await accounts.lock(trx, [id, ...(actorId ? [actorId] : [])])
  if (!actorId) return
  const self = await accounts.get(trx, actorId)
  if (self.role !== 'manager' || self.disabled_at) throw new AppError('forbidden', 'Only managers may do this.')
}

/** Mails the owner of an account a link to choose a password. */
export async function mailLink(trx: Transaction, id: number, kind: links.LinkKind, actor: string): Promise<void> {
  await links.request(trx, id, kind, actor)
  await jobs.add(trx, { accountId: id }, [{ name: 'send-email', purpose: kind }])
}

/** Makes a link to choose a password that is not mailed. */
export async function makeLink(
  trx: Transaction,
  id: number,
  kind: links.LinkKind,
  actor: string,
): Promise<links.MadeLink> {
  await links.request(trx, id, kind, actor)
  const made = await links.makeToken(trx, id, kind)
  if (!made) throw new Error('The link that was just asked for is gone.')
  return made
}

/** Hashes a password that its owner has chosen. @throws AppError `invalid` when it is easy to guess */
export async function hashChosen(password: string, { name, email }: Pick<NewStaff, 'name' | 'email'>): Promise<string> {
  const weakness = await weaknessOf(password, [name, email])
  if (weakness) throw new AppError('invalid', weakness, { fields: { new_password: weakness } })
  return hashPassword(password)
}

/** The owner of an account, in one of the account's sessions. */
export type Self = { accountId: number; email: string; sessionId: number | null }

const ACTIONS = { new_factor: 'add-factor', factor_removed: 'remove-factor' } as const

/** Records a change of an account's second factors, mails its owner, and ends the other sessions, which a thief may have. */
export async function recordFactorChange(
  trx: Transaction,
  { accountId, email, sessionId }: Self,
  purpose: keyof typeof ACTIONS,
  details: { kind: 'totp' | 'passkey' | 'recovery_codes'; name?: string },
): Promise<void> {
  await staffSessions.endAll(trx, accountId, { but: sessionId })
  const action = ACTIONS[purpose]
  await auditLog.record(trx, { actor: email, action, entity: 'staff', entityId: accountId, details })
  await jobs.add(trx, { accountId }, [{ name: 'send-email', purpose }])
}
