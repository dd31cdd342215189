import type { SkippedPost, SyncChange, SyncCounts } from '../contract/sync.ts'
import { isOwnHost } from './own-hosts.ts'
import { allowedChanges, isSameAddress, rankOf, type SensitiveChange, sensitiveIn } from './sync-approval.ts'
import { type DesiredProvider, refuseTakenDomains } from './sync-domains.ts'
import { SYNCED_FIELDS, type SyncedField } from './wordpress-mapping.ts'

/** The fields of a provider that come from WordPress, by the names of the contract. */
export type SyncedFields = {
  [Field in SyncedField]: Field extends 'latitude' | 'longitude'
    ? number | null
    : Field extends 'accepts_free_consultation' | 'accepts_financing'
      ? boolean
      : string | null
}

/** A post. A missing field is absent and keeps the provider's value; an empty field is null. */
export type PostedProvider = {
  wordpressId: number
  title: string
  isActive: boolean
  /** Not published, for example a draft. */
  isHidden: boolean
  fields: Partial<SyncedFields>
  /** The reasons why it cannot be used, one sentence each. */
  problems: string[]
}

/**
 * A provider that came from WordPress. `isHidden`: its post is not published. `missedSyncs`: consecutive complete runs
 * without it. `email` is WordPress's latest value, `deliveryEmail` the confirmed address for mail.
 */
export type KnownProvider = {
  id: number
  wordpressId: number
  isActive: boolean
  isHidden: boolean
  missedSyncs: number
  deliveryEmail: string
} & SyncedFields

/** The result of reading WordPress. */
export type WordPressPosts = {
  posts: PostedProvider[]
  /** Posts without an id. */
  unusable: SkippedPost[]
  unreadable: number
  /** Known providers whose posts are certainly no longer published. */
  removed: Set<number>
}

type Status = { isActive: boolean; isHidden: boolean }
export type NewProvider = Status & { wordpressId: number; fields: SyncedFields }
export type ProviderUpdate = Status & { id: number; missedSyncs: number; fields: SyncedFields }

export type SyncPlan = {
  creations: NewProvider[]
  /** Full rows of the providers that change. */
  updates: ProviderUpdate[]
  /** Providers that are missing once more, but do not change yet. */
  missed: { id: number; missedSyncs: number }[]
  /** Changed e-mail addresses. `isConfirmed`: mail already goes to this address, ignoring spelling. */
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
/** Contact fields, shown for a new provider because leads and visitors go there. */
const CONTACT = ['email', 'phone', 'domain'] as const
const REQUIRED = { name: 'name', zipCode: 'zip code', email: 'e-mail address' } as const
const KINDS: SyncChange['kind'][] = ['deactivate', 'reactivate', 'create', 'update']
const COUNTED = { update: 'updated', reactivate: 'reactivated', deactivate: 'deactivated' } as const
const NOTHING: SyncCounts = {
  seen: 0,
  created: 0,
  updated: 0,
  deactivated: 0,
  reactivated: 0,
  unchanged: 0,
  skipped: 0,
  unreadable: 0,
  missing: 0,
}

/**
 * Decides the changes of a run. `known` are the providers from WordPress, `foreignDomains` the domains of all other
 * providers in lower case, `mainDomain` the main site's, which no provider may have.
 */
export function planSync(
  known: KnownProvider[],
  reading: WordPressPosts,
  foreignDomains: string[] = [],
  mainDomain = 'localhost',
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

  for (const { post, provider, fields, refusal } of desired) {
    if (refusal !== undefined) {
      plan.skipped.push({ wordpress_id: post.wordpressId, title: post.title, reason: refusal })
      // An inactive post deactivates its provider, even if the post has other problems.
      const isActive = provider?.isActive === true && post.isActive
      if (provider) change(plan, provider, provider, { isActive, isHidden: post.isHidden })
    } else if (provider) {
      if (!change(plan, provider, fields, post)) plan.counts.unchanged += 1
    } else {
      create(plan, { wordpressId: post.wordpressId, isActive: post.isActive, isHidden: post.isHidden, fields })
    }
  }
  for (const provider of known) if (removed.has(provider.wordpressId)) miss(plan, provider)

  plan.counts.skipped = plan.skipped.length
  plan.changes.sort((a, b) => rankOf(a) - rankOf(b) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const confirmed = new Set(plan.newEmails.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id))
  plan.sensitive = plan.changes.flatMap(sensitiveIn).filter(({ kind, id }) => {
    // The first sync of an empty network creates every provider, and a person started it.
    if (kind === 'create') return known.length > 0
    return !(kind === 'email' && confirmed.has(id))
  })
  return plan
}

function desiredOf(post: PostedProvider, mainDomain: string, provider?: KnownProvider): DesiredProvider {
  const fields = { ...DEFAULTS, ...(provider && fieldsOf(provider)), ...post.fields }
  const absent = Object.entries(REQUIRED).filter(([field]) => fields[field as SyncedField] === null)
  const problems = post.problems.length > 0 ? [...post.problems] : absent.map(([, what]) => `It has no ${what}.`)
  if (post.fields.domain && isOwnHost(post.fields.domain, mainDomain)) {
    problems.push(`The domain ${post.fields.domain} is reserved for the main site.`)
  }
  return { post, provider, fields, refusal: problems.length > 0 ? problems.join(' ') : undefined }
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
function change(plan: SyncPlan, provider: KnownProvider, next: SyncedFields, status: Status): boolean {
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
  plan.changes.push({
    ...labelOf(provider.wordpressId, next),
    kind,
    provider_id: provider.id,
    reason: kind === 'deactivate' ? 'inactive' : null,
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
