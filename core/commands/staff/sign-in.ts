import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as jobs from '../../stores/jobs.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import * as staffSessions from '../../stores/staff-sessions.ts'
import type { Actor } from '../actor.ts'

/**
 * Opens a session after a complete sign-in, and ends the one that the browser had. Mails the owner about a new browser.
 * @param from `oldToken` is the browser's cookie; `isNew`: the browser has not signed in to this account before;
 * `factor`: the second factor that was used; `isConfirmed`: whether signing in proved the identity, by default true
 * @returns the token of the session
 */
export async function signIn(
  db: Db,
  owner: staffSessions.SessionOwner,
  from: {
    device: staffSessions.Device
    oldToken?: string
    isNew: boolean
    idle: number
    factor?: string
    isConfirmed?: boolean
  },
  { actor }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    const told = from.isNew && 'accountId' in owner ? owner : null
    // Before the session, whose foreign key locks the account too: two sign-ins would wait for each other.
    if (told) await accounts.lock(trx, [told.accountId])
    const replaced = from.oldToken ? await staffSessions.endByToken(trx, from.oldToken) : null
    const { id, token } = await staffSessions.open(trx, owner, from)
    const details = { ...(replaced !== null && { replaces: replaced }), ...(from.factor && { factor: from.factor }) }
    await auditLog.record(trx, { actor, action: 'sign-in', entity: 'session', entityId: id, details })
    if (told) await jobs.add(trx, told, [{ name: 'send-email', purpose: 'new_browser' }])
    return token
  })
}
