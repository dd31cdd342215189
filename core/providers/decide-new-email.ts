import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { NewEmailDecision } from './contract/providers.ts'
import { NOT_WAITING } from './stores/provider-emails.ts'

/**
 * Uses the new address from now on, and tells the old one; or keeps the old one.
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
    await auditLog.record(trx, {
      actor,
      action: decision === 'confirm' ? 'confirm-email' : 'keep-email',
      entity: 'provider',
      entityId: providerId,
      details: { from: provider.email, to: email },
    })
    if (decision === 'confirm')
      await jobs.add(trx, `provider:${providerId}`, [{ name: 'send-email', purpose: 'address_changed' }])
    await changes.announce(trx, { providers: [providerId] })
  })
}
