import type { AuditLine } from '../../core/staff/contract/audit-log.ts'

/** Whether the dashboard is open to everyone, so that acts without an account need no password. */
let isOpen = false

export function setOpenAccess(open: boolean): void {
  isOpen = open
}

const NOT_NAMED: Record<string, string> = {
  staff: 'Shared password',
  'command line': 'Command line',
  system: 'System',
  unknown: 'Unknown',
  clinic: 'A provider',
  visitor: 'A visitor',
  crm: 'The CRM',
}

/** The actors without an account, by their names in the audit log. */
export const NOT_ACCOUNTS = Object.keys(NOT_NAMED)

export function actorName({ actor, actor_name }: Pick<AuditLine, 'actor' | 'actor_name'>): string {
  if (isOpen && actor === 'staff') return 'Open dashboard'
  return actor_name ?? NOT_NAMED[actor] ?? actor
}

const BY: Record<string, string> = {
  staff: 'staff',
  'command line': 'the command line',
  system: 'System',
  clinic: 'the provider',
  visitor: 'the visitor',
  crm: 'the CRM',
}

/** Returns the name of an act's actor in a sentence: `by Ana Flores`, `by staff`. */
export function byActor({ actor, actor_name }: Pick<AuditLine, 'actor' | 'actor_name'>): string {
  return `by ${actor_name ?? BY[actor] ?? actor}`
}
