import type { NewJob } from '../../deliveries/rules/deliveries.ts'
import { columnsOfPayload } from '../../deliveries/stores/job-owner.ts'
import { JOBS_CHANNEL } from '../../deliveries/stores/jobs.ts'
import type { Transaction } from '../../platform/db.ts'
import type { SensitiveKind, SyncChange } from '../contract/sync.ts'
import type { SensitiveChange } from '../rules/sync-approval.ts'
import type { KnownProvider, SyncPlan, Unactivated } from '../rules/sync-plan.ts'

/** The kinds of unapproved changes that a clinic is told of. The team tells it of a deactivation. */
const TOLD: SensitiveKind[] = ['email', 'place', 'phone', 'website', 'address', 'name', 'reactivate']

/**
 * Adds the e-mails about the unapproved changes of a run: one to each clinic, at its previous address, one to each new clinic
 * that waits for its activation, and one to our team. Records the address in the changes of the plan, because it may change
 * before the e-mail is sent.
 */
export async function add(
  trx: Transaction,
  syncId: number,
  plan: SyncPlan,
  {
    known,
    unapproved,
    unactivated,
  }: { known: KnownProvider[]; unapproved: SensitiveChange[]; unactivated: Unactivated },
): Promise<void> {
  const changed = new Set(unapproved.filter(({ kind }) => TOLD.includes(kind)).map(({ id }) => id))
  const addresses = new Map(known.map(({ id, deliveryEmail }) => [id, deliveryEmail]))
  for (const change of plan.changes) {
    const address = addresses.get(change.provider_id ?? 0)
    if (address && (changed.has(change.provider_id ?? 0) || getsDomain(change))) change.told = address
  }

  const told = plan.changes.flatMap(({ told, provider_id }) =>
    told === undefined || provider_id === null ? [] : [provider_id],
  )
  const waiting = plan.creations.flatMap((one) =>
    one.isActive && unactivated.posts.has(one.wordpressId) ? [one.wordpressId] : [],
  )
  const created = await trx('providers')
    .whereRaw('wordpress_id = any(?)', [waiting])
    .select('id', 'wordpress_id', 'email')
  for (const { id, wordpress_id, email } of created) {
    const change = plan.changes.find((one) => one.provider_id === null && one.wordpress_id === wordpress_id)
    if (change) change.told = email
    told.push(id)
  }
  if (told.length === 0 && !unapproved.some(({ kind }) => kind === 'create')) return
  const jobs: NewJob<'sync'>[] = [
    { name: 'send-email', purpose: 'team' },
    ...told.map(
      (providerId): NewJob<'sync'> => ({ name: 'send-email', purpose: 'provider_changed', payload: { providerId } }),
    ),
  ]
  await trx('jobs').insert(
    jobs.map(({ name, purpose, payload }) => ({ name, purpose, sync_id: syncId, ...columnsOfPayload(payload) })),
  )
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
}

/** Returns whether a provider without a site gets one. Changing an existing domain needs an approval. */
function getsDomain({ kind, fields }: SyncChange): boolean {
  return kind !== 'create' && fields.some(({ field, from, to }) => field === 'domain' && from === null && to !== null)
}
