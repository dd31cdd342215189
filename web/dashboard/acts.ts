import { type ConditionId, conditionOf } from '../../core/conditions/contract/conditions.ts'
import { hoursInWords } from '../../core/contract/hours.ts'
import type { ProviderRules } from '../../core/providers/contract/provider-rules.ts'
import type { AuditAction, AuditEntity, AuditLine } from '../../core/staff/contract/audit-log.ts'
import { formatIsoDay, formatMoment } from '../lib/dates.ts'
import { useAccess } from './access.tsx'
import { useProviders } from './providers/list-providers.tsx'
import { useStaff } from './staff/staff-actions.tsx'

/** Changes, as a line of the log and its filter say it. */
export const ACTION_WORDS: Record<AuditAction, string> = {
  'retry-sync': 'CRM sync retried',
  'retry-email': 'Emails resent',
  'retry-match': 'Matching retried',
  'retry-job': 'Job retried',
  'retry-failed': 'All failed deliveries retried',
  'test-email': 'Test email sent',
  'check-mail': 'Mail server tested',
  'check-crm': 'CRM tested',
  'send-test-lead': 'Test lead sent',
  'delete-test-lead': 'Test lead deleted',
  'send-report': 'Reports sent',
  'assign-provider': 'Lead matched',
  'no-provider': 'Visitor notified that no provider is near',
  'pass-on': 'Lead passed on',
  'undo-match': 'Match undone',
  release: 'Released',
  'set-status': 'Status changed',
  'application-owner': 'Owner of an application changed',
  'application-note': 'Note on an application',
  'delete-application-note': 'Note on an application deleted',
  certify: 'Application certified',
  'pause-network': 'Network paused',
  'end-pause': 'Pause ended',
  'pause-sending': 'Sending paused',
  'resume-sending': 'Sending resumed',
  delete: 'Deleted',
  restore: 'Restored',
  purge: 'Permanently deleted',
  export: 'Export downloaded',
  sync: 'Providers synced',
  'confirm-email': 'New address confirmed',
  'keep-email': 'Old address kept',
  activate: 'Provider activated',
  'change-rules': 'Rules changed',
  'opt-out': 'Contact stopped',
  'lift-opt-out': 'Contact allowed again',
  'confirm-opt-out': 'Stop confirmed',
  'record-outcome': 'Outcome recorded',
  enter: 'Lead entered',
  edit: 'Lead corrected',
  'add-note': 'Note added',
  'delete-note': 'Note deleted',
  'change-work': 'Work on a lead changed',
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-out': 'Signed out',
  'end-session': 'Session ended',
  add: 'Account added',
  change: 'Account changed',
  disable: 'Account disabled',
  enable: 'Account enabled',
  'set-password': 'Password chosen',
  'reset-password': 'Password reset',
  'request-reset': 'Link to reset a password requested',
  'read-limit': 'Reading limit reached',
  'find-person': 'Person’s data found',
  erase: 'Erased on request',
  'invite-again': 'Invitation sent again',
  'link-identity': 'Single sign-on linked',
  'shared-password-on': 'Shared password turned on',
  'shared-password-off': 'Shared password turned off',
  'add-factor': 'Two-step sign-in set up',
  'remove-factor': 'Two-step sign-in turned off',
  'reset-factors': 'Two-step sign-in reset',
  'add-person': 'Provider: person added',
  'remove-person': 'Provider: person removed',
  'ask-address': 'Provider: address requested',
  'change-address': 'Provider: address changed',
  'set-aside': 'Set aside',
  'add-channel': 'Alerts: channel added',
  'change-channel': 'Alerts: channel changed',
  'remove-channel': 'Alerts: channel removed',
  'test-channel': 'Alerts: channel tested',
  'change-alerts': 'Alerts: setting changed',
}

export const ENTITY_WORDS: Record<AuditEntity, string> = {
  lead: 'Leads',
  application: 'Applications',
  provider: 'Providers',
  job: 'Deliveries',
  staff: 'Accounts',
  session: 'Sessions',
  person: 'Privacy requests',
  suppression: 'Do not contact',
  network: 'Network',
  attention: 'Needs attention',
  channel: 'Alerts',
}

/** Names a provider, or an account of the staff, by its id. */
export type NameOf = (id: number, of?: 'account') => string

/** Returns a function that names providers and accounts, as far as the viewer may see them. */
export function useNameOf(): NameOf {
  const providers = useProviders()
  const staff = useStaff({ enabled: useAccess()('staff.manage') })
  return (id, of) =>
    of === 'account'
      ? (staff.data?.staff.find((each) => each.id === id)?.name ?? `account #${id}`)
      : (providers.data?.find((each) => each.id === id)?.name ?? `Provider #${id}`)
}

/** Returns the parts of a line: what was done, the name of the row, and the stored details in brackets. */
export function wordsOf({ action, entity, entity_id, entity_name, details }: AuditLine, nameOf: NameOf) {
  return {
    // A line of an earlier version has the name of an act that is gone.
    what: ACTION_WORDS[action as AuditAction] ?? action.replaceAll('-', ' '),
    row: entity_name ?? (entity !== 'session' && /^\d+$/.test(entity_id) ? `${entity} #${entity_id}` : undefined),
    facts: factsIn(details, nameOf, MATCHES.has(action)),
  }
}

/** Returns a function that describes an act in one text. */
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
