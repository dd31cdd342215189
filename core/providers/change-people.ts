import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { isSameAddress } from '../sync/rules/sync-approval.ts'
import { DAY, SECOND } from '../time.ts'
import { activateProvider } from './change-rules.ts'
import { MAX_PEOPLE, type PersonGets } from './contract/clinic.ts'
import type { NewEmailDecision } from './contract/providers.ts'
import * as clinicLinks from './stores/clinic-links.ts'
import * as clinicPeople from './stores/clinic-people.ts'
import { NOT_WAITING } from './stores/clinic-people.ts'
import * as providers from './stores/providers.ts'

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
    const { requests: told, wordpress } = await clinicPeople.findInUse(trx, clinic.id)
    if (isSameAddress(email, wordpress) || !(await clinicPeople.add(trx, clinic.id, email, clinic.email))) return
    const { all, today } = await clinicPeople.count(trx, clinic.id)
    if (all > MAX_PEOPLE) {
      const message = `No more than ${MAX_PEOPLE} people can sign in. Remove one first.`
      throw new AppError('invalid', message, { fields: { email: message } })
    }
    if (today > MAX_PER_DAY) {
      const message = `No more than ${MAX_PER_DAY} people can be added in a day. Try again tomorrow, or write to us.`
      throw new AppError('rate_limited', message, { retryAfterSeconds: DAY / SECOND })
    }
    await clinicLinks.invite(trx, clinic.id, email)
    await record(trx, clinic.id, 'add-person', { by: clinic.email, email, told })
    await notify(trx, clinic.id, told)
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
