import type { ApprovalReason, SensitiveKind, SyncChange } from '../contract/sync.ts'

/**
 * A change that decides where leads and visitors go. `id` is the provider's, or the post's for a new provider. `to` is
 * the new value, so that an approval covers exactly this change.
 */
export type SensitiveChange = { kind: SensitiveKind; id: number; to: string | null }

const ALWAYS_ALLOWED = 3
const ALLOWED_SHARE = 0.1

/** Ordered by danger. A changed e-mail address silently takes leads away from a clinic. */
const KINDS: SensitiveKind[] = ['email', 'domain', 'phone', 'deactivate', 'reactivate', 'create']

/** Returns the number of changes of one kind that need no approval. */
export function allowedChanges(active: number): number {
  return Math.max(ALWAYS_ALLOWED, Math.floor(active * ALLOWED_SHARE))
}

/** Returns the sensitive parts of a provider's change, the most dangerous first. */
export function sensitiveIn(change: SyncChange): SensitiveChange[] {
  if (change.provider_id === null) return [{ kind: 'create', id: change.wordpress_id, to: contactOf(change) }]
  const id = change.provider_id
  return KINDS.flatMap((kind): SensitiveChange[] => {
    if (kind === change.kind) return [{ kind, id, to: null }]
    const field = change.fields.find((one) => one.field === kind)
    if (!field) return []
    const [from, to] = [textOf(field.from), textOf(field.to)]
    return isSensitive[kind]?.(from, to) ? [{ kind, id, to }] : []
  })
}

/** Ignores another spelling of the same address or number. Counts giving up a domain: another provider could take it. */
const isSensitive: Partial<Record<SensitiveKind, (from: string | null, to: string | null) => boolean>> = {
  email: (from, to) => !isSameAddress(from, to),
  domain: (from, to) => from !== null && from.toLowerCase() !== to?.toLowerCase(),
  phone: (from, to) => to !== null && digitsOf(from) !== digitsOf(to),
}

export function isSameAddress(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

/** Returns the changes that are not approved. */
export function withoutApproved(changes: SensitiveChange[], approved: SensitiveChange[]): SensitiveChange[] {
  const known = new Set(approved.map(keyOf))
  return changes.filter((change) => !known.has(keyOf(change)))
}

const keyOf = ({ kind, id, to }: SensitiveChange) => JSON.stringify([kind, id, to])

/**
 * Returns the changes that need approval, the most dangerous first: more of one kind than `allowed`, or any change of a
 * domain.
 */
export function reasonsFor(changes: SensitiveChange[], allowed: number): ApprovalReason[] {
  return KINDS.map((kind) => ({ kind, count: changes.filter((change) => change.kind === kind).length })).filter(
    ({ kind, count }) => count > (kind === 'domain' ? 0 : allowed),
  )
}

/** Returns the rank of a change in the list for staff: sensitive ones first, then deactivations and so on. */
export function rankOf(change: SyncChange): number {
  const [first] = sensitiveIn(change)
  return first ? KINDS.indexOf(first.kind) : KINDS.length
}

const WORDS: Record<SensitiveKind, (count: number) => string> = {
  email: (count) => `${count} e-mail addresses would change at once`,
  domain: (count) => `${count === 1 ? '1 provider' : `${count} providers`} would lose or change the domain`,
  phone: (count) => `${count} phone numbers would change at once`,
  deactivate: (count) => `${count} providers would be deactivated at once`,
  reactivate: (count) => `${count} providers would be reactivated at once`,
  create: (count) => `${count} providers would be created at once`,
}

/** Returns the sentences that say why a run changed nothing. */
export function refusalOf(reasons: ApprovalReason[], allowed: number): string {
  const sentences = reasons.map(({ kind, count }) => {
    return kind === 'domain' ? `${WORDS.domain(count)}.` : `${WORDS[kind](count)}, which is more than ${allowed}.`
  })
  return `${sentences.join(' ')} Nothing was changed: a manager must approve it first.`
}

/** Returns the contact details of a new provider. */
function contactOf({ fields }: SyncChange): string {
  return JSON.stringify(fields.map(({ field, to }) => [field, to]))
}

function textOf(value: SyncChange['fields'][number]['to']): string | null {
  return value === null || value === '' ? null : String(value)
}

/** Without the country code of the USA. */
function digitsOf(phone: string | null): string | undefined {
  return phone?.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
}
