import { CronExpressionParser } from 'cron-parser'
import cron from 'node-cron'
import { folded } from '../../contract/texts.ts'
import { type ApprovalReason, SensitiveKind, type SyncChange } from '../contract/sync.ts'

/**
 * A change that decides where leads and visitors go. `id` is the provider's, or the post's for a new provider. `to` is
 * the new value, so that an approval covers exactly this change.
 */
export type SensitiveChange = { kind: SensitiveKind; id: number; to: string | null }

const ALWAYS_ALLOWED = 3
/** A provider that moves less far is the same place, measured better. */
export const MOVED_MILES = 5
const ALLOWED_SHARE = 0.1

/** Ordered by danger. A changed email address silently takes leads away from a provider. */
const KINDS: SensitiveKind[] = SensitiveKind.options

export const PLACE_FIELDS = ['zipCode', 'latitude', 'longitude'] as const
const FIELDS: Partial<Record<SensitiveKind, readonly string[]>> = {
  email: ['email'],
  domain: ['domain'],
  place: PLACE_FIELDS,
  phone: ['phone'],
  website: ['website'],
  address: ['address'],
  name: ['name', 'practiceName'],
}

/** Returns the number of changes of one kind that need no approval. */
export function allowedChanges(active: number): number {
  return Math.max(ALWAYS_ALLOWED, Math.floor(active * ALLOWED_SHARE))
}

/** Returns the sensitive parts of a provider's change, the most dangerous first. */
export function sensitiveIn(change: SyncChange): SensitiveChange[] {
  if (change.provider_id === null) return [{ kind: 'create', id: change.wordpress_id, to: null }]
  const id = change.provider_id
  return KINDS.flatMap((kind): SensitiveChange[] => {
    if (kind === change.kind) return [{ kind, id, to: null }]
    const fields = sensitiveFields(change, kind)
    const [only] = fields
    if (!only) return []
    return [{ kind, id, to: fields.length === 1 ? textOf(only.to) : JSON.stringify(fields.map(({ to }) => to)) }]
  })
}

/** Returns the changed fields of a kind if they make the change sensitive. */
function sensitiveFields(change: SyncChange, kind: SensitiveKind): SyncChange['fields'] {
  const fields = change.fields.filter(({ field }) => FIELDS[kind]?.includes(field))
  if (kind === 'place') return change.moved_miles === undefined ? [] : fields
  return fields.filter(({ from, to }) => isSensitive[kind]?.(textOf(from), textOf(to)))
}

/** Ignores another spelling of the same value. Counts giving up a domain: another provider could take it. */
const isSensitive: Partial<Record<SensitiveKind, (from: string | null, to: string | null) => boolean>> = {
  email: (from, to) => !isSameAddress(from, to),
  domain: (from, to) => from !== null && from.toLowerCase() !== to?.toLowerCase(),
  phone: (from, to) => to !== null && digitsOf(from) !== digitsOf(to),
  website: (from, to) => to !== null && hostOf(from) !== hostOf(to),
  address: (from, to) => to !== null && lettersOf(from) !== lettersOf(to),
  name: (from, to) => to !== null && lettersOf(from) !== lettersOf(to),
}

export function isSameAddress(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

export function withoutApproved(changes: SensitiveChange[], approved: SensitiveChange[]): SensitiveChange[] {
  const known = new Set(approved.map(keyOf))
  return changes.filter((change) => !known.has(keyOf(change)))
}

const keyOf = ({ kind, id, to }: SensitiveChange) => JSON.stringify([kind, id, to])

/**
 * Returns the changes that need approval, the most dangerous first: more of one kind than `allowed`, or any change of a
 * domain. `earlier` are the unapproved changes of other runs within the last day, so that many small runs are no way around.
 */
export function reasonsFor(
  changes: SensitiveChange[],
  allowed: number,
  earlier: SensitiveChange[] = [],
): ApprovalReason[] {
  return KINDS.flatMap((kind): ApprovalReason[] => {
    const count = countOf(changes, kind)
    const before = countOf(earlier, kind)
    if (count > (kind === 'domain' ? 0 : allowed)) return [{ kind, count }]
    return count > 0 && count + before > allowed ? [{ kind, count, earlier: before }] : []
  })
}

const countOf = (changes: SensitiveChange[], wanted: SensitiveKind) =>
  changes.filter(({ kind }) => kind === wanted).length

/** Returns the rank of a change in the list for staff: sensitive ones first, then deactivations and so on. */
export function rankOf(change: SyncChange): number {
  const [first] = sensitiveIn(change)
  return first ? KINDS.indexOf(first.kind) : KINDS.length
}

const WORDS: Record<SensitiveKind, (count: number) => string> = {
  email: (count) => `${numbered(count, 'email address', 'es')} would change`,
  domain: (count) => `${numbered(count, 'provider')} would lose or change the domain`,
  place: (count) => `${numbered(count, 'provider')} would move more than ${MOVED_MILES} miles`,
  phone: (count) => `${numbered(count, 'phone number')} would change`,
  website: (count) => `${numbered(count, 'website')} would change`,
  address: (count) => `${numbered(count, 'street address', 'es')} would change`,
  name: (count) => `${numbered(count, 'name')} would change`,
  deactivate: (count) => `${numbered(count, 'provider')} would be deactivated`,
  reactivate: (count) => `${numbered(count, 'provider')} would be reactivated`,
  create: (count) => `${numbered(count, 'provider')} would be created`,
}

const numbered = (count: number, noun: string, plural = 's') => `${count} ${noun}${count === 1 ? '' : plural}`

export function refusalOf(reasons: ApprovalReason[], allowed: number): string {
  const sentences = reasons.map(({ kind, count, earlier }) => {
    if (kind === 'domain') return `${WORDS.domain(count)}.`
    const within = earlier ? ` after ${earlier} within a day` : ' at once'
    return `${WORDS[kind](count)}${within}, which is more than ${allowed}.`
  })
  return `${sentences.join(' ')} Nothing was changed: a manager must approve it first.`
}

function textOf(value: SyncChange['fields'][number]['to']): string | null {
  return value === null || value === '' ? null : String(value)
}

/** Without the country code of the USA. */
function digitsOf(phone: string | null): string | undefined {
  return phone?.replace(/\D/g, '').replace(/^1/, '')
}

/** Without `www.`, and without what comes after the host. */
function hostOf(website: string | null): string | undefined {
  if (website === null) return undefined
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(website) ? website : `https://${website}`
  return URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : website
}

/** Without case, accents, spaces and punctuation. */
function lettersOf(name: string | null): string | undefined {
  return name === null ? undefined : folded(name).replace(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Returns whether the last two scheduled times passed without an applied run. Before the first one, which is started by a person,
 * none is overdue.
 * @param schedule a cron expression, in this time zone
 * @param since the time of the last applied run
 */
export function isOverdue(schedule: string, since: Date | null, now: Date, timeZone: string): boolean {
  if (since === null) return false
  const times = CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone })
  times.prev()
  return since < times.prev().toDate()
}

/** Returns the next time of a schedule. @param schedule a cron expression, in this time zone */
export function nextTime(schedule: string, now: Date, timeZone: string): Date {
  return CronExpressionParser.parse(schedule, { currentDate: now, tz: timeZone }).next().toDate()
}

/**
 * Returns whether a text is a cron expression (minute, hour, day, month, weekday) that node-cron, which runs it, and
 * cron-parser, which predicts it, read alike. With both a day and a weekday one waits for both, the other for either.
 */
export function isSchedule(text: string): boolean {
  const parts = text.trim().split(/\s+/)
  const [, , day, , weekday] = parts
  if (parts.length !== 5 || (day !== '*' && weekday !== '*') || !cron.validate(text)) return false
  try {
    CronExpressionParser.parse(text)
    return true
  } catch {
    return false
  }
}
