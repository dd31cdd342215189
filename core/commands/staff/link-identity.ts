import type { SingleSignOnProblem } from '../../contract/single-sign-on.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import type { Credentials } from '../../stores/staff-accounts.ts'
import * as accounts from '../../stores/staff-accounts.ts'
import type { RowWith } from '../../stores/table.ts'

/** A person at the OpenID provider. `subject` never changes and is never given to another person (OpenID Connect Core, 2). */
export type Identity = { issuer: string; subject: string; email: string | null; isEmailVerified: boolean }

/**
 * Finds the account of a person. The first sign-in finds it by the e-mail address, if the provider has verified that, and
 * links account and person. From then on only the link counts.
 */
export async function findOrLinkAccount(db: Db, identity: Identity): Promise<Credentials | SingleSignOnProblem> {
  const { issuer, subject, email, isEmailVerified } = identity
  return db.transaction(async (trx) => {
    const linked = await trx('staff_identities')
      .join('staff_accounts', 'staff_accounts.id', 'account_id')
      .where({ issuer, subject })
      .first<RowWith<'staff_accounts', 'email'> | undefined>('email')
    const known = linked?.email ?? email
    if (known === null || known === undefined) return 'unverified'
    const account = await accounts.findCredentials(trx, known)
    if (linked) return account?.isEnabled ? account : 'unknown'

    if (!isEmailVerified) return 'unverified'
    if (!account?.isEnabled) return 'unknown'
    const [added] = await trx('staff_identities')
      .insert({ issuer, subject, account_id: account.id })
      .onConflict(['account_id', 'issuer'])
      .ignore()
      .returning('account_id')
    if (!added) return 'linked'
    const { id, email: actor } = account
    await auditLog.record(trx, { actor, action: 'link-identity', entity: 'staff', entityId: id, details: { issuer } })
    return account
  })
}
