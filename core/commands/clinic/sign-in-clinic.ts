import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { isSameAddress } from '../../rules/sync-approval.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as clinicLinks from '../../stores/clinic-links.ts'
import * as clinicPeople from '../../stores/clinic-people.ts'
import * as clinicSessions from '../../stores/clinic-sessions.ts'
import { activateProvider } from '../providers/activate.ts'

/** @throws AppError `not_found` when the link was used, is too old, or its address may not sign in any more */
export async function findClinicLink(db: Db, token: string) {
  const link = await clinicLinks.find(db, token)
  if (!link) throw gone()
  return link
}

/**
 * Signs a clinic in with the token of a link, which works once. Returns the token of the session. The link has come to its address,
 * so that it confirms a person of the clinic, and activates a new clinic that waits for it. Waiting leads of the last `waitingDays` are
 * matched again then.
 * @throws AppError `not_found` when the link was used, is too old, or its address may not sign in any more
 */
export async function signInClinic(
  db: Db,
  token: string,
  device: { ip: string; userAgent: string },
  { waitingDays = 0 }: { waitingDays?: number } = {},
): Promise<string> {
  return db.transaction(async (trx) => {
    const link = await clinicLinks.use(trx, token)
    const session = link && (await clinicSessions.open(trx, link, device))
    const clinic = session && (await clinicSessions.find(trx, session))
    if (!clinic) throw gone()
    await clinicPeople.confirm(trx, clinic.id, link.email)
    const provider = await trx('providers').where('id', clinic.id).first('activation', 'email')
    if (provider?.activation === 'waiting' && isSameAddress(provider.email, link.email)) {
      await activateProvider(trx, clinic.id, { waitingDays }, { actor: 'clinic' })
    }
    const details = { email: link.email }
    await auditLog.record(trx, { actor: 'clinic', action: 'sign-in', entity: 'provider', entityId: clinic.id, details })
    return session
  })
}

const gone = () => new AppError('not_found', 'This link is no longer valid. It was used already, or it is too old.')
