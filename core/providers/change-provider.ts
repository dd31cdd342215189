import { DAY } from '../contract/time.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError, invalidField, rateLimited } from '../errors.ts'
import { matchWaitingLeads } from '../leads/pass-on.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import * as zipCodes from '../leads/stores/places.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { type Actor, limitTests } from '../staff/stores/audit-log.ts'
import { isSameAddress } from '../sync/rules/sync-approval.ts'
import { MAX_PEOPLE, type PersonGets } from './contract/clinic.ts'
import type { ProviderRules, RulesChange } from './contract/provider-rules.ts'
import type { NewEmailDecision } from './contract/providers.ts'
import * as clinicLinks from './stores/clinic-links.ts'
import * as clinicPeople from './stores/clinic-people.ts'
import { NOT_WAITING } from './stores/clinic-people.ts'
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
    if (backup_provider_id === providerId) problems.backup_provider_id = 'A provider cannot be its own backup'
    else if (backup?.status !== 't') problems.backup_provider_id = 'This provider is not active. Choose another one'
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
 * Sends a test email to a clinic. Replaces a test that is still waiting.
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

/** The clinic, and the address that acts for it. */
type ByClinic = { id: number; email: string }

/** How the team is named to a clinic. */
export const BY_TEAM = 'our team'
/** The most people that a clinic may add within a day. Each addition sends an email to a typed address. */
const MAX_PER_DAY = 10

/**
 * Adds a person who may sign in to the pages of a clinic, and mails them a link. Notifies the address that gets the requests, and
 * that of WordPress. Does nothing for an address that may sign in already.
 * @throws AppError `invalid` beyond `MAX_PEOPLE`, `rate_limited`
 */
export async function addPerson(db: Db, clinic: ByClinic, email: string): Promise<void> {
  await onClinic(db, clinic.id, async (trx) => {
    const { requests: recipient, wordpress } = await clinicPeople.findInUse(trx, clinic.id)
    if (isSameAddress(email, wordpress) || !(await clinicPeople.add(trx, clinic.id, email, clinic.email))) return
    const { all, today } = await clinicPeople.count(trx, clinic.id)
    if (all > MAX_PEOPLE) {
      throw invalidField('email', `No more than ${MAX_PEOPLE} people can sign in. Remove one first.`)
    }
    if (today > MAX_PER_DAY) {
      const message = `No more than ${MAX_PER_DAY} people can be added in a day. Try again tomorrow, or write to us.`
      throw rateLimited(message, DAY)
    }
    await clinicLinks.invite(trx, clinic.id, email)
    await record(trx, clinic.id, 'add-person', { by: clinic.email, email, told: recipient })
    await notify(trx, clinic.id, recipient)
  })
}

/**
 * Changes what a person of a clinic gets. Notifies the address that got the requests before, and that of WordPress.
 * @throws AppError `not_found`, `conflict` while the person has not confirmed the address
 */
export async function changePerson(db: Db, clinic: ByClinic, id: number, gets: PersonGets | null): Promise<void> {
  await onClinic(db, clinic.id, async (trx) => {
    const person = (await clinicPeople.find(trx, clinic.id, id)) ?? gone()
    if (person.gets === gets) return
    if (!person.confirmed_at) {
      throw new AppError('conflict', `${person.email} has to sign in first, with a link that we mail to this address.`)
    }
    const read = async () => ({
      ...(await clinicPeople.findInUse(trx, clinic.id)),
      late: await clinicPeople.findLate(trx, clinic.id),
    })
    const before = await read()
    await clinicPeople.setGets(trx, person, gets)
    const after = await read()
    const use = before.requests === after.requests ? 'late' : 'requests'
    const details = { by: clinic.email, use, from: before[use], to: after[use], told: before.requests }
    await record(trx, clinic.id, 'change-address', details)
    if (use === 'requests' || gets) await notify(trx, clinic.id, before.requests)
  })
}

/**
 * Removes a person and ends their sessions. If the person got the requests, notifies them, and the requests go to the address
 * of WordPress again.
 * @throws AppError `not_found`
 */
export async function removePerson(db: Db, clinic: ByClinic, id: number, actor = 'clinic'): Promise<void> {
  await onClinic(db, clinic.id, async (trx) => {
    const person = (await clinicPeople.find(trx, clinic.id, id)) ?? gone()
    const { email, gets } = person
    await clinicPeople.remove(trx, person, clinic.email)
    await record(trx, clinic.id, 'remove-person', { by: clinic.email, email, told: email }, actor)
    if (gets === 'requests') await notify(trx, clinic.id, email)
  })
}

const gone = (): never => {
  throw new AppError('not_found', 'There is no such person. They may have been removed.')
}

/** Adds the notice about the act of this transaction to an address, and a copy to that of WordPress, unless requests go there. */
async function notify(trx: Transaction, providerId: number, recipient: string): Promise<void> {
  const { requests, wordpress } = await clinicPeople.findInUse(trx, providerId)
  const hears = isSameAddress(recipient, wordpress) || isSameAddress(requests, wordpress)
  const notice = { name: 'send-email', purpose: 'address_changed' } as const
  await jobs.add(trx, `provider:${providerId}`, hears ? [notice] : [notice, notice])
}

type Act = 'add-person' | 'change-address' | 'remove-person'
type Details = { by: string; told: string } & Record<string, string | null>

const record = (trx: Transaction, providerId: number, action: Act, details: Details, actor = 'clinic') =>
  auditLog.record(trx, { actor, action, entity: 'provider', entityId: providerId, details })

/** Runs a change of a clinic under its lock, and announces it. @throws AppError `not_found` */
async function onClinic(db: Db, providerId: number, act: (trx: Transaction) => Promise<unknown>): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await providers.lock(trx, providerId))) throw new AppError('not_found', 'There is no such clinic.')
    await act(trx)
    await changes.announce(trx, { providers: [providerId] })
  })
}

/** @throws AppError `not_found` when the link was used, is too old, or its address may no longer sign in */
export async function findClinicLink(db: Db, token: string) {
  const link = await clinicLinks.find(db, token)
  if (!link) throw noSuchLink()
  return link
}

/**
 * Signs a clinic in with the token of a link, which works once. Returns the token of the session. The link has come to its address,
 * so that it confirms a person of the clinic, and activates a new clinic that waits for it. Waiting leads of the last 30 days are
 * matched again then.
 * @throws AppError `not_found` when the link was used, is too old, or its address may no longer sign in
 */
export async function signInClinic(db: Db, token: string, device: { ip: string; userAgent: string }): Promise<string> {
  return db.transaction(async (trx) => {
    const link = await clinicLinks.use(trx, token)
    const session = link && (await clinicLinks.open(trx, link, device))
    const clinic = session && (await clinicLinks.findSession(trx, session))
    if (!clinic) throw noSuchLink()
    await clinicPeople.confirm(trx, clinic.id, link.email)
    const provider = await trx('providers').where('id', clinic.id).first('activation', 'email')
    if (provider?.activation === 'waiting' && isSameAddress(provider.email, link.email)) {
      await activateProvider(trx, clinic.id, { actor: 'clinic' })
    }
    const details = { email: link.email }
    await auditLog.record(trx, { actor: 'clinic', action: 'sign-in', entity: 'provider', entityId: clinic.id, details })
    return session
  })
}

const noSuchLink = () =>
  new AppError('not_found', 'This link is no longer valid. It was used already, or it is too old.')

/**
 * Uses the new address from now on, and notifies the old one; or keeps the old one.
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
