import type { NewEmailDecision, NewEmailSummary } from '../contract/provider-emails.ts'
import { AppError } from '../errors.ts'
import { type Db, only } from '../platform/db.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as jobs from '../stores/jobs.ts'
import { byToken, findByToken, NOT_WAITING } from '../stores/provider-emails.ts'
import type { RowWith } from '../stores/table.ts'
import { activateProvider } from './providers/activate.ts'

/** The actor in the audit log for a link in an e-mail to a clinic. */
const CLINIC = 'clinic'

/**
 * Confirms the address that the link is for: uses it from now on, or activates the new provider that has it.
 * @throws AppError `not_found` like `findByToken`
 */
export async function confirmNewEmail(
  db: Db,
  token: string,
  { waitingDays = 0 }: { waitingDays?: number } = {},
): Promise<NewEmailSummary> {
  const summary = await findByToken(db, token)
  const { provider_id } = only(
    await byToken(db, token).select<RowWith<'email_confirmations', 'provider_id'>[]>('provider_id'),
  )
  if (summary.does === 'activate') await activateProvider(db, provider_id, { waitingDays }, { actor: CLINIC })
  else await decideNewEmail(db, provider_id, { email: summary.email, decision: 'confirm' }, { actor: CLINIC })
  return summary
}

/**
 * Uses the new address from now on, or keeps the old one, which is told when it was not asked itself.
 * @throws AppError `conflict` when another address waits, or none
 */
export async function decideNewEmail(
  db: Db,
  providerId: number,
  { email, decision }: NewEmailDecision,
  { actor }: { actor: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    const provider = await trx('providers').where('id', providerId).forUpdate().first('email', 'new_email')
    if (!provider) throw new AppError('not_found', 'Provider not found')
    if (provider.new_email !== email) {
      throw new AppError('conflict', 'This address no longer waits for a confirmation. Check the provider again.')
    }
    await trx('providers')
      .where('id', providerId)
      .update(decision === 'confirm' ? { ...NOT_WAITING, email } : { new_email_declined: true })
    await trx('email_confirmations').where('provider_id', providerId).delete()
    await auditLog.record(trx, {
      actor,
      action: decision === 'confirm' ? 'confirm-email' : 'keep-email',
      entity: 'provider',
      entityId: providerId,
      details: { from: provider.email, to: email },
    })
    if (decision === 'confirm' && actor !== CLINIC)
      await jobs.add(trx, { providerId }, [{ name: 'send-email', purpose: 'address_changed' }])
    await changes.announce(trx, { providers: [providerId] })
  })
}
