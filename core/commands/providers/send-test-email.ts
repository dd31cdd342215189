import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import * as jobs from '../../stores/jobs.ts'
import * as providers from '../../stores/providers.ts'
import type { Actor } from '../actor.ts'
import { limitTests } from '../limit-tests.ts'

/**
 * Sends a test e-mail to a clinic. Replaces a test that is still waiting.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`
 */
export async function sendTestEmail(db: Db, providerId: number, { actor }: Actor): Promise<string[]> {
  return db.transaction(async (trx) => {
    if (!(await providers.lock(trx, providerId))) throw new AppError('not_found', 'There is no such clinic.')
    await limitTests(trx, 'test-email')
    const { added } = await jobs.add(trx, { providerId }, [{ name: 'send-email', purpose: 'test' }])
    await auditLog.record(trx, { actor, action: 'test-email', entity: 'provider', entityId: providerId })
    await changes.announce(trx, { providers: [providerId] })
    return added
  })
}
