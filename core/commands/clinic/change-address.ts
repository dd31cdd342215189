import type { AddressUse, ClinicAddressChange } from '../../contract/clinic-addresses.ts'
import type { NewEmailSummary } from '../../contract/provider-emails.ts'
import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import { type AddressLink, readAddressLink } from '../../rules/address-links.ts'
import { isSameAddress } from '../../rules/sync-approval.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import * as clinicAddresses from '../../stores/clinic-addresses.ts'
import * as jobs from '../../stores/jobs.ts'
import * as providers from '../../stores/providers.ts'
import type { Actor } from '../actor.ts'

/*
 * A clinic changes where its requests, and the notices of late answers, go. A new address is used once a link in an e-mail to
 * it is confirmed. The address in use until then gets a notice with a link that undoes it.
 */

/** The clinic, and the address that acts for it. */
type ByClinic = { id: number; email: string }

/** The e-mail that asks a new address for its confirmation. */
export const ASKS = { requests: 'request_address', late: 'second_address' } as const

/** How links in e-mails and the team are named where the address that acts is not known. */
const BY_LINK = 'the link in our e-mail'
export const BY_TEAM = 'our team'

/**
 * Asks for another address, gives one up, or takes back what waits for a confirmation.
 * @throws AppError `rate_limited`
 */
export async function changeAddress(db: Db, clinic: ByClinic, { use, email }: ClinicAddressChange): Promise<void> {
  await onClinic(db, clinic.id, async (trx) => {
    const inUse = await clinicAddresses.findInUse(trx, clinic.id)
    await clinicAddresses.endWaiting(trx, clinic.id, use, clinic.email)
    const isOfWordpress = use === 'requests' && isSameAddress(email, inUse.wordpress)
    if (email === null || isOfWordpress) return giveUp(trx, clinic.id, { use, by: clinic.email, actor: 'clinic' })
    if (isSameAddress(email, inUse[use])) return

    await clinicAddresses.ask(trx, {
      ...{ provider_id: clinic.id, use, from_email: use === 'requests' ? inUse.own : inUse.late },
      ...{ told_email: inUse.requests, to_email: email, asked_by: clinic.email },
    })
    await jobs.add(trx, { providerId: clinic.id }, [{ name: 'send-email', purpose: ASKS[use] }])
    await tell(trx, clinic.id, inUse.requests)
    await record(trx, clinic.id, 'ask-address', { actor: 'clinic', use, from: inUse[use], to: email, by: clinic.email })
  })
}

/** Removes the clinic's own address for requests, also one that waits. They go to that of WordPress. @throws AppError */
export async function removeRequestAddress(db: Db, providerId: number, { actor }: Actor): Promise<void> {
  await onClinic(db, providerId, async (trx) => {
    const hadWaiting = await clinicAddresses.endWaiting(trx, providerId, 'requests', BY_TEAM)
    const removed = await giveUp(trx, providerId, { use: 'requests', by: BY_TEAM, actor })
    if (!removed && !hadWaiting) throw new AppError('conflict', 'The requests go to the address of WordPress already.')
    if (removed) return
    const { requests } = await clinicAddresses.findInUse(trx, providerId)
    await record(trx, providerId, 'change-address', {
      actor,
      use: 'requests',
      from: requests,
      to: requests,
      by: BY_TEAM,
    })
  })
}

/**
 * Records a second address that staff have set, and tells the clinic of it with a link that undoes it. The caller holds the lock of
 * the clinic, and stores the address.
 */
export async function tellOfSecondAddress(
  trx: Transaction,
  providerId: number,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  if (from !== null) await clinicAddresses.endConfirmed(trx, { providerId, use: 'late', email: from, by: BY_TEAM })
  if (to === null) return
  const { requests } = await clinicAddresses.findInUse(trx, providerId)
  await clinicAddresses.addConfirmed(trx, {
    ...{ provider_id: providerId, use: 'late', from_email: from, to_email: to },
    ...{ told_email: requests, asked_by: BY_TEAM },
  })
  await tell(trx, providerId, requests)
}

type Link = AddressLink & { change: clinicAddresses.AddressChange & { clinic: string } }

/**
 * Finds what a link in an e-mail about an address does. Returns null for a token of another kind.
 * @param key of the purpose `address-link`
 * @throws AppError `not_found` when the link was used or is too old
 */
export async function findAddressLink(db: Db, key: Buffer, token: string): Promise<NewEmailSummary | null> {
  const link = await follow(db, key, token)
  if (!link) return null
  const { change, does } = link
  if (does === 'confirm')
    return { name: change.clinic, email: change.to_email, does: change.use, asked_by: change.asked_by }
  const { wordpress } = await clinicAddresses.findInUse(db, change.provider_id)
  const kept = change.from_email ?? (change.use === 'requests' ? wordpress : null)
  return {
    ...{ name: change.clinic, email: kept, other: change.to_email, asked_by: change.asked_by },
    does: change.use === 'requests' ? 'undo' : 'undo_late',
  }
}

/** Does what a link says, once. Returns false for a token of another kind. @throws like `findAddressLink` */
export async function useAddressLink(db: Db, key: Buffer, token: string): Promise<boolean> {
  const link = await follow(db, key, token)
  if (!link) return false
  const { provider_id: providerId, id } = link.change
  await onClinic(db, providerId, async (trx) => {
    const change = await clinicAddresses.lock(trx, id)
    const inUse = await clinicAddresses.findInUse(trx, providerId)
    if (!change || !works(link.does, change, inUse)) throw gone()
    return link.does === 'confirm' ? confirm(trx, change, inUse) : undo(trx, change, inUse)
  })
  return true
}

async function follow(db: Db, key: Buffer, token: string): Promise<Link | null> {
  const link = readAddressLink(key, token)
  if (!link) return null
  const change = await clinicAddresses.find(db, link.changeId)
  const inUse = change && (await clinicAddresses.findInUse(db, change.provider_id))
  if (!change || !inUse || !works(link.does, change, inUse)) throw gone()
  return { ...link, change }
}

const works = (
  does: AddressLink['does'],
  change: clinicAddresses.AddressChange,
  inUse: clinicAddresses.AddressesInUse,
) => (does === 'confirm' ? clinicAddresses.isWaiting(change) : clinicAddresses.canBeUndone(change, inUse))

const gone = () => new AppError('not_found', 'This link is no longer valid. It was used already, or it is too old.')

type Change = clinicAddresses.AddressChange

async function confirm(trx: Transaction, change: Change, inUse: clinicAddresses.AddressesInUse): Promise<void> {
  const { provider_id: providerId, use, to_email: to, asked_by: by } = change
  const from = use === 'requests' ? inUse.own : inUse.late
  if (from) await clinicAddresses.endConfirmed(trx, { providerId, use, email: from, by })
  await clinicAddresses.use(trx, { providerId, use, email: to, by: 'clinic' })
  await clinicAddresses.confirm(trx, change.id, { from_email: from, told_email: inUse.requests })
  await tell(trx, providerId, inUse.requests)
  await record(trx, providerId, 'change-address', { actor: 'clinic', use, from: inUse[use], to, by })
}

/** Ends a change, and what waits besides it. If its address is in use, the one before is used again. */
async function undo(trx: Transaction, change: Change, inUse: clinicAddresses.AddressesInUse): Promise<void> {
  const { provider_id: providerId, use, from_email: before, to_email: undone } = change
  // Whoever asked for an address that is undone may have asked for the next one, too.
  await clinicAddresses.endWaiting(trx, providerId, use, BY_LINK)
  if (change.confirmed_at === null) {
    await record(trx, providerId, 'change-address', { actor: 'clinic', use, from: undone, to: inUse[use], by: BY_LINK })
    return
  }
  const isOfWordpress = use === 'requests' && isSameAddress(before, inUse.wordpress)
  await clinicAddresses.endConfirmed(trx, { providerId, use, email: undone, by: BY_LINK })
  const again = isOfWordpress ? null : before
  await clinicAddresses.use(trx, { providerId, use, email: again, by: 'clinic' })
  if (again !== null) await clinicAddresses.reopen(trx, { providerId, use, email: again })
  await tell(trx, providerId, undone)
  const to = before ?? (use === 'requests' ? inUse.wordpress : null)
  await record(trx, providerId, 'change-address', { actor: 'clinic', use, from: undone, to, by: BY_LINK })
}

type By = { use: AddressUse; by: string; actor: string }

/** Stops using an address that is not that of WordPress. Returns whether there was any. */
async function giveUp(trx: Transaction, providerId: number, { use, by, actor }: By): Promise<boolean> {
  const inUse = await clinicAddresses.findInUse(trx, providerId)
  const given = use === 'requests' ? inUse.own : inUse.late
  if (given === null) return false
  await clinicAddresses.endConfirmed(trx, { providerId, use, email: given, by })
  await clinicAddresses.use(trx, { providerId, use, email: null, by: actor })
  if (use === 'requests') await tell(trx, providerId, given)
  const to = use === 'requests' ? inUse.wordpress : null
  await record(trx, providerId, 'change-address', { actor, use, from: given, to, by })
  return true
}

/**
 * Adds the notice about the change of this transaction to an address, and a copy to that of WordPress, unless the requests go
 * there by now.
 */
async function tell(trx: Transaction, providerId: number, told: string): Promise<void> {
  const { requests, wordpress } = await clinicAddresses.findInUse(trx, providerId)
  const hears = isSameAddress(told, wordpress) || isSameAddress(requests, wordpress)
  const notice = { name: 'send-email', purpose: 'address_changed' } as const
  await jobs.add(trx, { providerId }, hears ? [notice] : [notice, notice])
}

type Act = By & { from: string | null; to: string | null }

async function record(
  trx: Transaction,
  providerId: number,
  action: 'ask-address' | 'change-address',
  { actor, ...details }: Act,
): Promise<void> {
  await auditLog.record(trx, { actor, action, entity: 'provider', entityId: providerId, details })
}

/** Runs a change of a clinic under its lock, and announces it. @throws AppError `not_found` */
async function onClinic(db: Db, providerId: number, act: (trx: Transaction) => Promise<unknown>): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await providers.lock(trx, providerId))) throw new AppError('not_found', 'There is no such clinic.')
    await act(trx)
    await changes.announce(trx, { providers: [providerId] })
  })
}
