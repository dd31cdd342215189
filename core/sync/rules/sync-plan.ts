import { isOwnHost } from '../../contract/page.ts'
import { milesBetween, type Place } from '../../contract/places.ts'
import { formatCount } from '../../contract/texts.ts'
import { type SkippedPost, type SyncChange, SyncCounts } from '../contract/sync.ts'
import {
  allowedChanges,
  isSameAddress,
  MOVED_MILES,
  PLACE_FIELDS,
  rankOf,
  type SensitiveChange,
  sensitiveIn,
} from './sync-approval.ts'
import {
  type PostedProvider,
  SYNCED_FIELDS,
  type SyncedField,
  type SyncedFields,
  type WordPressPosts,
} from './wordpress-mapping.ts'

/**
 * Whether a provider may get leads. `waiting`: WordPress lists it as active, and neither a manager nor its own address has
 * activated it. `never`: it was not activated either, and WordPress does not list it as active.
 */
type Activation = 'activated' | 'waiting' | 'never'

/**
 * A provider that came from WordPress. `isActive` and `isHidden` (its post is not published) are what WordPress said last.
 * `missedSyncs`: consecutive complete runs without it. `email` is WordPress's latest value, `deliveryEmail` the confirmed
 * address for mail.
 */
export type KnownProvider = {
  id: number
  wordpressId: number
  isActive: boolean
  isHidden: boolean
  activation: Activation
  missedSyncs: number
  deliveryEmail: string
} & SyncedFields

type Status = { isActive: boolean; isHidden: boolean }
export type NewProvider = Status & { wordpressId: number; fields: SyncedFields }
export type ProviderUpdate = Status & { id: number; missedSyncs: number; fields: SyncedFields }

export type SyncPlan = {
  creations: NewProvider[]
  /** Full rows of the providers that change. */
  updates: ProviderUpdate[]
  /** Providers that are missing once more, but do not change yet. */
  missed: { id: number; missedSyncs: number }[]
  /** Changed email addresses. `isConfirmed`: mail already goes to this address, ignoring spelling. */
  newEmails: { id: number; email: string; isConfirmed: boolean }[]
  /** The changes that decide where leads go, and the number of a kind that needs no approval. */
  sensitive: SensitiveChange[]
  allowedChanges: number
  /** Sensitive changes first, the most dangerous at the top. */
  changes: SyncChange[]
  skipped: SkippedPost[]
  counts: SyncCounts
}

/** Consecutive complete runs without a provider before it is deactivated. */
export const MISSED_SYNCS = 3

const DEFAULTS: SyncedFields = {
  ...(Object.fromEntries(SYNCED_FIELDS.map((field) => [field, null])) as unknown as SyncedFields),
  accepts_free_consultation: false,
  accepts_financing: false,
}
/** Coordinates that are further than this from the center of the provider's own zip code are not believed. */
const BELIEVED_MILES = 100
/** Contact fields, shown for a new provider because leads and visitors go there. */
const CONTACT = ['email', 'phone', 'domain'] as const
const REQUIRED = { name: 'name', zipCode: 'zip code', email: 'email address' } as const
const COUNTED = { update: 'updated', reactivate: 'reactivated', deactivate: 'deactivated' } as const
const NOTHING = Object.fromEntries(SyncCounts.keyof().options.map((name) => [name, 0])) as SyncCounts

/** The center of each zip code by its five digits; unknown ones are missing. */
export type ZipCenters = ReadonlyMap<string, Place>

/**
 * Decides the changes of a run. `known` are the providers from WordPress, `foreignDomains` the domains of all other
 * providers in lower case, `mainDomain` the main site's, which no provider may have. `centers` has the zip codes of all of
 * them.
 */
export function planSync(
  known: KnownProvider[],
  reading: WordPressPosts,
  foreignDomains: string[] = [],
  mainDomain = 'localhost',
  centers: ZipCenters = new Map(),
): SyncPlan {
  const { posts, unusable, unreadable, removed } = reading
  const plan: SyncPlan = {
    creations: [],
    updates: [],
    missed: [],
    newEmails: [],
    sensitive: [],
    allowedChanges: allowedChanges(known.filter(({ isActive }) => isActive).length),
    changes: [],
    skipped: [...unusable],
    counts: { ...NOTHING, seen: posts.length + unusable.length, unreadable },
  }
  const byPost = new Map(known.map((provider) => [provider.wordpressId, provider]))
  const desired = posts.map((post) => desiredOf(post, mainDomain, byPost.get(post.wordpressId)))
  refuseTakenDomains(desired, known, foreignDomains)

  // The first sync of an empty network creates every provider.
  const isFirst = known.length === 0
  for (const { post, provider, fields, refusal } of desired) {
    if (refusal !== undefined) {
      plan.skipped.push({ wordpress_id: post.wordpressId, title: post.title, reason: refusal })
      // An inactive post deactivates its provider, even if the post has other problems.
      const isActive = provider?.isActive === true && post.isActive
      if (provider) change(plan, provider, provider, { isActive, isHidden: post.isHidden }, centers)
    } else if (provider) {
      if (!change(plan, provider, fields, post, centers)) plan.counts.unchanged += 1
    } else {
      const { wordpressId, isActive, isHidden } = post
      create(plan, { wordpressId, isActive, isHidden, fields })
    }
  }
  for (const provider of known) if (removed.has(provider.wordpressId)) miss(plan, provider)

  plan.counts.skipped = plan.skipped.length
  plan.changes.sort((a, b) => rankOf(a) - rankOf(b))
  const confirmed = new Set(plan.newEmails.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id))
  const created = new Map(plan.creations.map(({ wordpressId, fields }) => [wordpressId, JSON.stringify(fields)]))
  const sensitive = plan.changes.flatMap(sensitiveIn).map((one) => {
    // An approval of a new provider is for the very fields that were read.
    return one.kind === 'create' ? { ...one, to: created.get(one.id) ?? null } : one
  })
  plan.sensitive = sensitive.filter(({ kind, id }) => {
    if (kind === 'create') return !isFirst
    return !(kind === 'email' && confirmed.has(id))
  })
  return plan
}

/** The provider as its post describes it. `refusal` says why the post cannot be used. */
type DesiredProvider = { post: PostedProvider; provider?: KnownProvider; fields: SyncedFields; refusal?: string }

function desiredOf(post: PostedProvider, mainDomain: string, provider?: KnownProvider): DesiredProvider {
  const fields = { ...DEFAULTS, ...(provider && fieldsOf(provider)), ...post.fields }
  const absent = Object.entries(REQUIRED).filter(([field]) => fields[field as SyncedField] === null)
  const problems = post.problems.length > 0 ? [...post.problems] : absent.map(([, what]) => `It has no ${what}.`)
  if (post.fields.domain && isOwnHost(post.fields.domain, mainDomain)) {
    problems.push(`The domain ${post.fields.domain} is reserved for the main site.`)
  }
  return { post, provider, fields, refusal: problems.length > 0 ? problems.join(' ') : undefined }
}

/**
 * Refuses a domain that another provider has: a domain leads to one provider. A refused post keeps its old domain,
 * which may refuse another post, so this repeats until nothing changes.
 */
function refuseTakenDomains(desired: DesiredProvider[], known: KnownProvider[], foreignDomains: string[]): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    const moving = desired.filter(({ fields, provider, refusal }) => {
      return refusal === undefined && fields.domain !== null && fields.domain !== provider?.domain?.toLowerCase()
    })
    const leaving = new Set(desired.filter(leavesDomain).map(({ provider }) => provider))
    const staying = known.filter((provider) => !leaving.has(provider)).map(({ domain }) => domain?.toLowerCase())
    const taken = new Set([...foreignDomains, ...staying])
    for (const one of moving) {
      const { domain } = one.fields
      if (taken.has(domain as string)) {
        one.refusal = `The domain ${domain} belongs to another provider.`
        isSettled = false
      }
      taken.add(domain as string)
    }
  }
}

function leavesDomain({ fields, provider, refusal }: DesiredProvider): boolean {
  return refusal === undefined && provider !== undefined && fields.domain !== provider.domain?.toLowerCase()
}

/**
 * Clears coordinates that are far from the provider's own zip code: swapped, without their minus sign, or of another place.
 * Leads are then matched by the zip code. `doubts` lists these posts.
 */
export function withoutDoubtfulPlaces(
  posts: PostedProvider[],
  known: KnownProvider[],
  centers: ZipCenters,
): { posts: PostedProvider[]; doubts: SkippedPost[] } {
  const byPost = new Map(known.map((provider) => [provider.wordpressId, provider]))
  const doubts: SkippedPost[] = []
  const believed = posts.map((post) => {
    const { wordpressId, title } = post
    const fields = { ...DEFAULTS, ...byPost.get(wordpressId), ...post.fields }
    const center = centers.get(fields.zipCode ?? '')
    const place = ownPlace(fields)
    const miles = center && place ? milesBetween(center, place) : 0
    if (!place || miles <= BELIEVED_MILES) return post
    const reason = `Its coordinates (${place.latitude}, ${place.longitude}) are ${formatCount(Math.round(miles))} miles from its zip code ${fields.zipCode}, so they are not used. Leads are matched by the zip code.`
    doubts.push({ wordpress_id: wordpressId, title, reason })
    return { ...post, fields: { ...post.fields, latitude: null, longitude: null } }
  })
  return { posts: believed, doubts }
}

function ownPlace({ latitude, longitude }: SyncedFields): Place | null {
  return latitude !== null && longitude !== null ? { latitude, longitude } : null
}

/** Returns how far a provider moves, in miles; null if its old or new place is unknown. */
function milesMoved(from: SyncedFields, to: SyncedFields, centers: ZipCenters): number | null {
  const placeOf = (fields: SyncedFields) => ownPlace(fields) ?? centers.get(fields.zipCode?.slice(0, 5) ?? '')
  const [old, now] = [placeOf(from), placeOf(to)]
  return old && now ? Math.round(10 * milesBetween(old, now)) / 10 : null
}

/** The posts of new providers, and the ids of known ones, that get no leads before they are activated. */
export type Unactivated = { posts: Set<number>; ids: Set<number> }

/**
 * Returns the providers that a run leaves unactivated. Those of the first sync of an empty network are active at once, and
 * those that a manager has approved: new ones, and ones that WordPress lists as active again.
 */
export function unactivatedBy(
  { creations }: SyncPlan,
  known: KnownProvider[],
  approved: SensitiveChange[],
): Unactivated {
  const isApproved = (wanted: SensitiveChange['kind'], about: number) =>
    approved.some(({ kind, id }) => kind === wanted && id === about)
  const posts = known.length === 0 ? [] : creations.map(({ wordpressId }) => wordpressId)
  const ids = known.flatMap(({ id, activation }) => (activation === 'waiting' || activation === 'never' ? [id] : []))
  return {
    posts: new Set(posts.filter((id) => !isApproved('create', id))),
    ids: new Set(ids.filter((id) => !isApproved('reactivate', id))),
  }
}

/** Returns how the database holds a provider. One that waits for its activation gets no leads, and only staff see it. */
export function standingOf(
  { isActive, isHidden }: Status,
  { isActivated }: { isActivated: boolean },
): {
  status: 't' | 'f'
  hidden: boolean
  activation: Activation
} {
  if (isActivated) return { status: isActive ? 't' : 'f', hidden: isHidden, activation: 'activated' }
  return { status: 'f', hidden: isActive || isHidden, activation: isActive ? 'waiting' : 'never' }
}

function create(plan: SyncPlan, provider: NewProvider): void {
  const { wordpressId, fields } = provider
  plan.creations.push(provider)
  plan.counts.created += 1
  plan.changes.push({
    ...labelOf(wordpressId, fields),
    kind: 'create',
    provider_id: null,
    reason: null,
    fields: CONTACT.filter((field) => fields[field] !== null).map((field) => ({
      field,
      from: null,
      to: fields[field],
    })),
  })
}

/** Adds a provider's change to the plan. Returns false when nothing changes. */
function change(
  plan: SyncPlan,
  provider: KnownProvider,
  next: SyncedFields,
  status: Status,
  centers: ZipCenters,
): boolean {
  const { isActive, isHidden } = status
  const fields = SYNCED_FIELDS.filter((field) => next[field] !== provider[field])
  const isMoved = isHidden !== provider.isHidden
  const isSame = fields.length === 0 && isActive === provider.isActive && !isMoved
  if (isSame && provider.missedSyncs === 0) return false

  plan.updates.push({ id: provider.id, isActive, isHidden, missedSyncs: 0, fields: fieldsOf(next) })
  if (isSame) return false
  if (fields.includes('email')) {
    const email = String(next.email)
    plan.newEmails.push({ id: provider.id, email, isConfirmed: isSameAddress(email, provider.deliveryEmail) })
  }
  const kind = isActive === provider.isActive ? 'update' : isActive ? 'reactivate' : 'deactivate'
  plan.counts[COUNTED[kind]] += 1
  const moved = PLACE_FIELDS.some((field) => fields.includes(field)) ? milesMoved(provider, next, centers) : 0
  plan.changes.push({
    ...labelOf(provider.wordpressId, next),
    kind,
    provider_id: provider.id,
    reason: kind === 'deactivate' ? 'inactive' : null,
    ...((moved === null || moved > MOVED_MILES) && { moved_miles: moved }),
    fields: [
      ...fields.map((field) => ({ field, from: provider[field], to: next[field] })),
      ...(isMoved && kind === 'update' ? [hiding(isHidden)] : []),
    ],
  })
  return true
}

/** Reported only when it is the reason: other reasons also activate and deactivate. */
const hiding = (isHidden: boolean) => ({ field: 'hidden', from: !isHidden, to: isHidden })

function miss(plan: SyncPlan, provider: KnownProvider): void {
  const { id, isActive, isHidden } = provider
  if (!isActive && isHidden) return
  const missedSyncs = provider.missedSyncs + 1
  if (missedSyncs < MISSED_SYNCS) {
    plan.missed.push({ id, missedSyncs })
    if (isActive) plan.counts.missing += 1
    return
  }
  plan.updates.push({ id, isActive: false, isHidden: true, missedSyncs, fields: fieldsOf(provider) })
  plan.counts[isActive ? 'deactivated' : 'updated'] += 1
  plan.changes.push({
    ...labelOf(provider.wordpressId, provider),
    kind: isActive ? 'deactivate' : 'update',
    provider_id: id,
    reason: isActive ? 'missing' : null,
    fields: isActive ? [] : [hiding(true)],
  })
}

function labelOf(wordpressId: number, { name, zipCode }: SyncedFields) {
  return { wordpress_id: wordpressId, name: name ?? '', zipCode: zipCode ?? '' }
}

function fieldsOf(provider: SyncedFields): SyncedFields {
  return Object.fromEntries(SYNCED_FIELDS.map((field) => [field, provider[field]])) as SyncedFields
}
