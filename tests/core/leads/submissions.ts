import type { LeadReceipt } from '../../../core/contract/forms.ts'
import { type LeadSubmission, storeLead } from '../../../core/leads/store-lead.ts'
import type { TestDatabase } from '../../support/database.ts'
import { CHAIN_KEY } from '../../support/env.ts'
import { leadForm } from '../../support/factories.ts'

export const NO_MATCH = { providerId: null, nearestMiles: null }
export const VISIT = {
  ip: '203.0.113.7',
  userAgent: 'Test/1.0',
  pageUrl: 'https://www.leadwell.example/',
  channel: 'form' as const,
}

/** Makes the submission of a lead without a provider. */
export function submission(overrides: Partial<LeadSubmission> = {}): LeadSubmission {
  return { lead: leadForm(), match: NO_MATCH, visit: VISIT, ...overrides }
}

/** Stores one lead. `isNew` is false for a repeat. */
export async function submitOne(
  { db }: Pick<TestDatabase, 'db'>,
  one: LeadSubmission,
): Promise<{ id: number; receipt: LeadReceipt; isNew: boolean }> {
  const newest = (await db('leads').orderBy('id', 'desc').first('id'))?.id ?? 0
  const stored = await storeLead(db, one, CHAIN_KEY)
  return { id: stored.leadId, receipt: stored.receipt, isNew: stored.leadId > newest }
}
