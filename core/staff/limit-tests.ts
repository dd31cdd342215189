import { AppError } from '../errors.ts'
import type { Transaction } from '../platform/db.ts'
import { HOUR, SECOND } from '../time.ts'
import type { AuditAction } from './contract/audit-log.ts'
import * as auditLog from './stores/audit-log.ts'

/** The most tests of one kind within an hour, by all staff together. Each sends a message to an address that a person has typed. */
export const MAX_TESTS_PER_HOUR = 20

/**
 * Refuses a further test, so that a session can't be used to flood an address.
 * @param action the action of the audit log that records each test
 * @throws AppError `rate_limited`
 */
export async function limitTests(trx: Transaction, action: AuditAction): Promise<void> {
  if ((await auditLog.countWithinHour(trx, action)) < MAX_TESTS_PER_HOUR) return
  throw new AppError(
    'rate_limited',
    `No more than ${MAX_TESTS_PER_HOUR} tests can be sent within an hour. Please try again later.`,
    { retryAfterSeconds: HOUR / SECOND },
  )
}
