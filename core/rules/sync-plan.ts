import type { SkippedPost, SyncChange, SyncCounts } from '../contract/sync.ts'
import { SYNCED_FIELDS, type SyncedField } from './wordpress-mapping.ts'

/** What WordPress says about a provider, by the names of the contract. */
export type SyncedFields = {
  [Field in SyncedField]: Field extends 'latitude' | 'longitude'
    ? number | null
    : Field extends 'accepts_free_consultation' | 'accepts_financing'
      ? boolean
      : string | null
}

/** A post. A field that it does not have is absent, and stays as it is; one that it has empty is null. */
export type PostedProvider = {
  wordpressId: number
  title: string
  isActive: boolean
  fields: Partial<SyncedFields>
  /** Why it cannot be used, a sentence each. */
  problems: string[]
}

/** A provider that came from WordPress. `missedSyncs`: complete runs in a row that it was missing in. */
export type KnownProvider = { id: number; wordpressId: number; isActive: boolean; missedSyncs: number } & SyncedFields

/** All that was read in a run. */
export type Reading = {
  posts: PostedProvider[]
  /** Posts that are not even known by an id. */
  unusable: SkippedPost[]
  unreadable: number
  /** Of the known providers, those that WordPress surely has no more among its published posts. */
  gone: Set<number>
}

export type NewProvider = { wordpressId: number; isActive: boolean; fields: SyncedFields }
export type ProviderUpdate = { id: number; isActive: boolean; missedSyncs: number; fields: SyncedFields }

export type SyncPlan = {
  creations: NewProvider[]
  /** Whole rows of providers that change in any way. */
  updates: ProviderUpdate[]
  /** Providers that are missing in one run more, but stay as they are. */
  missed: { id: number; missedSyncs: number }[]
  /** Providers that are deactivated. They are among the updates. */
  deactivations: number[]
  /** How many may be deactivated without a person's word, and whether these are more. */
  allowedDeactivations: number
  isMassDeactivation: boolean
  changes: SyncChange[]
  skipped: SkippedPost[]
  counts: SyncCounts
}

/** A provider is deactivated when it was missing in so many complete runs in a row. */
export const MISSED_SYNCS = 3

const ALWAYS_ALLOWED = 3
const ALLOWED_SHARE = 0.1
const DEFAULTS: SyncedFields = {
  ...(Object.fromEntries(SYNCED_FIELDS.map((field) => [field, null])) as unknown as SyncedFields),
  accepts_free_consultation: false,
  accepts_financing: false,
}
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

/** How many of so many active providers may be deactivated without a person's word. */
export function allowedDeactivations(active: number): number {
  return Math.max(ALWAYS_ALLOWED, Math.floor(active * ALLOWED_SHARE))
}

/**
 * Decides what a run changes. `known` are the providers that came from WordPress, `foreignDomains` the domains of the
 * others, in small letters.
 */
export function planSync(known: KnownProvider[], reading: Reading, foreignDomains: string[] = []): SyncPlan {
  const { posts, unusable, unreadable, gone } = reading
  const plan: SyncPlan = {
    creations: [],
    updates: [],
    missed: [],
    deactivations: [],
    allowedDeactivations: allowedDeactivations(known.filter(({ isActive }) => isActive).length),
    isMassDeactivation: false,
    changes: [],
    skipped: [...unusable],
    counts: { ...NOTHING, seen: posts.length + unusable.length, unreadable },
  }
  const byPost = new Map(known.map((provider) => [provider.wordpressId, provider]))
  const wishes = posts.map((post) => wishOf(post, byPost.get(post.wordpressId)))
  refuseTakenDomains(wishes, known, foreignDomains)

  for (const { post, provider, fields, refusal } of wishes) {
    if (refusal !== undefined) {
      plan.skipped.push({ wordpress_id: post.wordpressId, title: post.title, reason: refusal })
      // A post that says inactive is believed, whatever else is wrong with it.
      if (provider) change(plan, provider, provider, provider.isActive && post.isActive)
    } else if (provider) {
      if (!change(plan, provider, fields, post.isActive)) plan.counts.unchanged += 1
    } else {
      create(plan, { wordpressId: post.wordpressId, isActive: post.isActive, fields })
    }
  }
  for (const provider of known) if (gone.has(provider.wordpressId)) miss(plan, provider)

  plan.counts.skipped = plan.skipped.length
  plan.changes.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  plan.isMassDeactivation = plan.deactivations.length > plan.allowedDeactivations
  return plan
}

/**
 * Whether a person has to say first that so many may be deactivated. `approved` are those of whom a person has said so;
 * `all`: whoever it is.
 */
export function needsApproval(plan: SyncPlan, approved: number[] | 'all'): boolean {
  if (approved === 'all' || !plan.isMassDeactivation) return false
  const known = new Set(approved)
  return plan.deactivations.filter((id) => !known.has(id)).length > plan.allowedDeactivations
}

/** What a post wants its provider to be, or why it cannot be so. */
type Wish = { post: PostedProvider; provider?: KnownProvider; fields: SyncedFields; refusal?: string }

function wishOf(post: PostedProvider, provider?: KnownProvider): Wish {
  const fields = { ...DEFAULTS, ...(provider && fieldsOf(provider)), ...post.fields }
  const absent = Object.entries(REQUIRED).filter(([field]) => fields[field as SyncedField] === null)
  const problems = post.problems.length > 0 ? post.problems : absent.map(([, what]) => `It has no ${what}.`)
  return { post, provider, fields, refusal: problems.length > 0 ? problems.join(' ') : undefined }
}

/** A domain leads to one provider: whoever has it keeps it. A refused post keeps its old one, so this may go in rounds. */
function refuseTakenDomains(wishes: Wish[], known: KnownProvider[], foreignDomains: string[]): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    const moving = wishes.filter(({ fields, provider, refusal }) => {
      return refusal === undefined && fields.domain !== null && fields.domain !== provider?.domain?.toLowerCase()
    })
    const leaving = new Set(wishes.filter(leavesDomain).map(({ provider }) => provider))
    const staying = known.filter((provider) => !leaving.has(provider)).map(({ domain }) => domain?.toLowerCase())
    const taken = new Set([...foreignDomains, ...staying])
    for (const wish of moving) {
      const { domain } = wish.fields
      if (taken.has(domain as string)) {
        wish.refusal = `The domain ${domain} belongs to another provider.`
        isSettled = false
      }
      taken.add(domain as string)
    }
  }
}

function leavesDomain({ fields, provider, refusal }: Wish): boolean {
  return refusal === undefined && provider !== undefined && fields.domain !== provider.domain?.toLowerCase()
}

function create(plan: SyncPlan, provider: NewProvider): void {
  const { wordpressId, fields } = provider
  plan.creations.push(provider)
  plan.counts.created += 1
  plan.changes.push({ ...labelOf(wordpressId, fields), kind: 'create', provider_id: null, reason: null, fields: [] })
}

/** Returns false when everything stays as it is. */
function change(plan: SyncPlan, provider: KnownProvider, next: SyncedFields, isActive: boolean): boolean {
  const fields = SYNCED_FIELDS.filter((field) => next[field] !== provider[field])
  const isSame = fields.length === 0 && isActive === provider.isActive
  if (isSame && provider.missedSyncs === 0) return false

  plan.updates.push({ id: provider.id, isActive, missedSyncs: 0, fields: fieldsOf(next) })
  if (isSame) return false
  const kind = isActive === provider.isActive ? 'update' : isActive ? 'reactivate' : 'deactivate'
  if (kind === 'deactivate') plan.deactivations.push(provider.id)
  plan.counts[COUNTED[kind]] += 1
  plan.changes.push({
    ...labelOf(provider.wordpressId, next),
    kind,
    provider_id: provider.id,
    reason: kind === 'deactivate' ? 'inactive' : null,
    fields: fields.map((field) => ({ field, from: provider[field], to: next[field] })),
  })
  return true
}

function miss(plan: SyncPlan, provider: KnownProvider): void {
  if (!provider.isActive) return
  const missedSyncs = provider.missedSyncs + 1
  if (missedSyncs < MISSED_SYNCS) {
    plan.missed.push({ id: provider.id, missedSyncs })
    plan.counts.missing += 1
    return
  }
  plan.updates.push({ id: provider.id, isActive: false, missedSyncs, fields: fieldsOf(provider) })
  plan.deactivations.push(provider.id)
  plan.counts.deactivated += 1
  const label = labelOf(provider.wordpressId, provider)
  plan.changes.push({ ...label, kind: 'deactivate', provider_id: provider.id, reason: 'missing', fields: [] })
}

function labelOf(wordpressId: number, { name, zipCode }: SyncedFields) {
  return { wordpress_id: wordpressId, name: name ?? '', zipCode: zipCode ?? '' }
}

function fieldsOf(provider: SyncedFields): SyncedFields {
  return Object.fromEntries(SYNCED_FIELDS.map((field) => [field, provider[field]])) as SyncedFields
}
