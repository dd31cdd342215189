import { type ConditionId, conditionOf } from '../../core/conditions/contract/conditions.ts'
import { hoursInWords } from '../../core/contract/hours.ts'
import type { ProviderRules } from '../../core/providers/contract/provider-rules.ts'
import { ACTION_WORDS, type AuditAction, type AuditLine } from '../../core/staff/contract/audit-log.ts'
import { formatIsoDay, formatMoment } from '../lib/dates.ts'
import { useStaff } from './access.tsx'
import { useProviders } from './providers/list-providers.tsx'

/** Names a provider, or an account of the staff, by its id. */
export type NameOf = (id: number, of?: 'account') => string

export function useNameOf(): NameOf {
  const providers = useProviders()
  const staff = useStaff()
  return (id, of) =>
    of === 'account'
      ? (staff.data?.staff.find((each) => each.id === id)?.name ?? `account #${id}`)
      : (providers.data?.find((each) => each.id === id)?.name ?? `Provider #${id}`)
}

export function wordsOf({ action, entity, entity_id, entity_name, details }: AuditLine, nameOf: NameOf) {
  return {
    // A line of an earlier version has the name of an act that is gone.
    what: ACTION_WORDS[action as AuditAction] ?? action.replaceAll('-', ' '),
    row: entity_name ?? (entity !== 'session' && /^\d+$/.test(entity_id) ? `${entity} #${entity_id}` : undefined),
    facts: factsIn(details, nameOf, MATCHES.has(action)),
  }
}

export function useActWords(): (line: AuditLine) => string {
  const nameOf = useNameOf()
  return (line) => {
    const { what, row, facts } = wordsOf(line, nameOf)
    return `${what}${row ? `: ${row}` : ''}${facts}`
  }
}

/** The acts whose `from` and `to` are clinics. */
const MATCHES = new Set(['assign-provider', 'pass-on', 'undo-match'])
/** Details that only programs need. */
const HIDDEN = new Set(['note', 'version', 'sort'])

/** Returns stored details in brackets: ` (failed, from: Nov 1, 2026)`. Empty without any. */
export function factsIn(details: object, nameOf: NameOf, isMatch = false): string {
  const facts = Object.entries(details).flatMap(([name, value]) => {
    // What a group of fields was before is in the log's rows alone.
    const isBefore = name === 'from' && typeof value === 'object'
    if (value === null || value === undefined || value === '' || isBefore || HIDDEN.has(name)) return []
    if (name === 'filter') return typeof value === 'object' ? [factsIn(value, nameOf).slice(2, -1)] : []
    const label = name.replace(/_id$/, '').replaceAll('_', ' ')
    const words = value === true ? '' : factWords(name, value, nameOf, isMatch)
    return words || value === true ? [label, words].filter(Boolean).join(': ') : []
  })
  return facts.some(Boolean) ? ` (${facts.filter(Boolean).join(', ')})` : ''
}

function factWords(name: string, value: unknown, nameOf: NameOf, isMatch: boolean): string {
  if (name === 'provider_id' || (isMatch && (name === 'from' || name === 'to'))) return nameOf(Number(value))
  if (name === 'owner' && typeof value === 'number') return nameOf(value, 'account')
  if (name === 'key') {
    const [kind, about = ''] = String(value).split(':')
    return `${conditionOf(kind as ConditionId)?.label ?? kind} ${about}`.trim()
  }
  if (name === 'to' && typeof value === 'object') {
    const changed = Object.entries(value ?? {}).map(([field, now]) => [field, now ?? 'none'])
    return factsIn(Object.fromEntries(changed), nameOf).slice(2, -1)
  }
  if (name === 'hours' && typeof value === 'object') return hoursInWords(value as ProviderRules['hours'])
  return readable(value)
}

/** Returns a stored value as people read it: times as such, codes in words, parts of an object one after another. */
export function readable(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(readable).filter(Boolean).join(', ')
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, part]) => [name.replaceAll('_', ' '), readable(part)])
    return parts.flatMap(([name, text]) => (text ? `${name}: ${text}` : [])).join('; ')
  }
  const text = String(value ?? '')
  if (/^\d{4}-\d\d-\d\dT\d\d:/.test(text)) return formatMoment(new Date(text).toISOString())
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatIsoDay(text)
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text
}
