import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import * as zipCodes from '../leads/stores/zip-codes.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { limitTests } from '../staff/limit-tests.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { matchWaitingLeads } from '../sync/match-waiting-leads.ts'
import type { ProviderRules, RulesChange } from './contract/provider-rules.ts'
import * as providerRules from './stores/provider-rules.ts'
import * as providers from './stores/providers.ts'

/** The rules by which the time for an answer is worked out. */
const DECIDES_CLOCKS = new Set<keyof ProviderRules>(['hours', 'time_zone', 'answer_hours'])
const NOT_PAUSED = { is_paused: false, paused_until: null, paused_because: null }

/**
 * Changes the rules of a provider; fields that are left out stay. The audit log gets the old and the new values of those
 * that differ. A change to what is already so records nothing.
 * @throws AppError `not_found`, `invalid` with `fields`
 */
export async function changeRules(db: Db, providerId: number, change: RulesChange, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    const provider = await trx('providers').where('id', providerId).forNoKeyUpdate().first('id')
    if (!provider) throw new AppError('not_found', 'Provider not found')
    const { rules: before } = await providerRules.find(trx, providerId)
    const wanted = { ...before, ...change }
    const after = wanted.is_paused ? wanted : { ...wanted, ...NOT_PAUSED }
    const changed = changedFields(before, after)
    if (changed.length === 0) return

    const fields = await problemsOf(trx, providerId, after, changed)
    if (Object.keys(fields).length > 0) throw new AppError('invalid', 'Please correct the marked fields.', { fields })
    await providerRules.save(trx, providerId, after, actor)
    // A clinic cannot move the deadlines of requests that it has: its own changes count for later ones.
    if (actor !== 'clinic' && changed.some((field) => DECIDES_CLOCKS.has(field))) {
      await answerClocks.markStale(trx, [providerId])
    }
    const pick = (rules: ProviderRules) => Object.fromEntries(changed.map((field) => [field, rules[field]]))
    await auditLog.record(trx, {
      ...{ actor, action: 'change-rules', entity: 'provider', entityId: providerId },
      details: { from: pick(before), to: pick(after) },
    })
    await changes.announce(trx, { providers: [providerId] })
  })
}

type Field = keyof ProviderRules

function changedFields(before: ProviderRules, after: ProviderRules): Field[] {
  const fields = Object.keys(before) as Field[]
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}

/** Returns a sentence for each field that cannot be stored. Fields that did not change are not checked again. */
async function problemsOf(trx: Transaction, providerId: number, rules: ProviderRules, changed: Field[]) {
  const problems: Partial<Record<Field, string>> = {}
  const { paused_until, backup_provider_id, extra_zips, excluded_zips } = rules
  if (changed.includes('paused_until') && paused_until !== null && Date.parse(paused_until) <= Date.now()) {
    problems.paused_until = 'The pause must end in the future'
  }
  if (changed.includes('backup_provider_id') && backup_provider_id !== null) {
    const backup = await trx('providers').where('id', backup_provider_id).first('status')
    if (backup_provider_id === providerId) problems.backup_provider_id = 'A clinic cannot be its own backup'
    else if (backup?.status !== 't') problems.backup_provider_id = 'This clinic is not active. Choose another one'
  }
  for (const field of ['extra_zips', 'excluded_zips'] as const) {
    const unknown = changed.includes(field) ? await zipCodes.listUnknown(trx, rules[field]) : []
    if (unknown.length > 0) problems[field] = `There is no zip code ${unknown.slice(0, 5).join(', ')}`
  }
  const both = extra_zips.filter((zip) => excluded_zips.includes(zip))
  if (both.length > 0) problems.excluded_zips = `Zip code ${both.slice(0, 5).join(', ')} is in both lists`
  return problems
}

/**
 * Activates a new provider of a sync, so that it gets leads and visitors see it. Waiting leads of the last 30 days are
 * matched again.
 * @throws AppError `not_found`, `conflict` when it does not wait for an activation
 */
export async function activateProvider(db: Db, providerId: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    const provider = await trx('providers').where('id', providerId).forUpdate().first('activation', 'email')
    if (!provider) throw new AppError('not_found', 'Provider not found')
    if (provider.activation !== 'waiting') {
      throw new AppError('conflict', 'This provider no longer waits for its activation. Check the provider again.')
    }
    await trx('providers').where('id', providerId).update({ activation: 'activated', status: 't', hidden: false })
    await auditLog.record(trx, {
      ...{ actor, action: 'activate', entity: 'provider', entityId: providerId },
      details: { email: provider.email },
    })
    const leads = await matchWaitingLeads(trx, null)
    await changes.announce(trx, { providers: [providerId], jobs: leads })
  })
}

/**
 * Sends a test e-mail to a clinic. Replaces a test that is still waiting.
 * @returns the ids of the new jobs
 * @throws AppError `not_found`
 */
export async function sendTestEmail(db: Db, providerId: number, { actor }: Actor): Promise<string[]> {
  return db.transaction(async (trx) => {
    if (!(await providers.lock(trx, providerId))) throw new AppError('not_found', 'There is no such clinic.')
    await limitTests(trx, 'test-email')
    const { added } = await jobs.add(trx, `provider:${providerId}`, [{ name: 'send-email', purpose: 'test' }])
    await auditLog.record(trx, { actor, action: 'test-email', entity: 'provider', entityId: providerId })
    await changes.announce(trx, { providers: [providerId] })
    return added
  })
}
