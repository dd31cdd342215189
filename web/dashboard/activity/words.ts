import { ApplicationStatus, STATUS_LABELS } from '../../../core/contract/applications.ts'
import { ATTENTION_WORDS, type AttentionKind } from '../../../core/contract/attention.ts'
import type { AuditAction, AuditEntity, AuditLine } from '../../../core/contract/audit-log.ts'
import { hoursInWords } from '../../../core/contract/hours-words.ts'
import { SENDING_WORDS, type SendingId } from '../../../core/contract/integrations.ts'
import type { OptOutReason } from '../../../core/contract/opt-outs.ts'
import { OUTCOME_WORDS, type OutcomeKind } from '../../../core/contract/outcomes.ts'
import type { ProviderRules } from '../../../core/contract/provider-rules.ts'
import { formatIsoDay, formatMinute } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { conditionsIn, type NameOf } from './condition-words.ts'

type Act = AuditLine & { nameOf: NameOf }

/**
 * The name of each act in a filter, and what its actor did. `{row}` stands for the row that the act changed, other names in
 * braces for its details.
 */
const ACTS: Record<AuditAction, [label: string, says: string | ((act: Act) => string)]> = {
  'retry-sync': ['CRM sync retried', 'retried CRM sync of {row}'],
  'retry-email': [
    'E-mails resent',
    ({ details }) => (details.report ? 'sent the weekly report again' : 'resent the e-mails of {row}'),
  ],
  'retry-match': ['Matching retried', 'retried the matching of {row}'],
  'retry-job': [
    'Job retried',
    ({ details }) => {
      if (details.purge) return 'started the nightly deletion of old data again'
      return details.alert ? 'sent an alert again' : 'retried a job of {row}'
    },
  ],
  'retry-failed': [
    'All failed deliveries retried',
    ({ details }) => `retried ${failedDeliveries(Number(details.count))}`,
  ],
  'test-email': ['Test e-mail sent', 'sent a test e-mail to {row}'],
  'check-mail': ['Mail server tested', 'tested the mail server'],
  'check-crm': ['CRM tested', 'tested the CRM'],
  'send-test-lead': ['Test lead sent', 'sent a test lead: {row}'],
  'delete-test-lead': ['Test lead deleted', 'deleted a test lead: {row}'],
  'send-report': ['Reports sent', ({ details }) => reportWords(details)],
  'assign-provider': ['Lead matched', matchWords],
  'pass-on': ['Lead passed on', matchWords],
  'undo-match': ['Match undone', 'undid the match of {row}'],
  release: ['Released', ({ details }) => `released {row} ${releaseWords(details.consent)}`],
  'set-status': [
    'Status changed',
    ({ details: { from, to } }) => `changed the status of {row} from “${statusLabel(from)}” to “${statusLabel(to)}”`,
  ],
  'application-owner': [
    'Owner of an application changed',
    ({ details: { to, name } }) => (to ? `gave {row} to ${name}` : `took {row} from ${name ?? 'its owner'}`),
  ],
  'application-note': ['Note on an application', 'wrote a note on {row}'],
  'delete-application-note': ['Note on an application deleted', 'deleted a note on {row}'],
  certify: ['Application certified', 'certified {row} as clinic #{provider}'],
  'pause-network': ['Network paused', 'paused the network: {reason}'],
  'end-pause': ['Pause ended', 'ended the pause of the network: {reason}'],
  'pause-sending': ['Sending paused', ({ details }) => sendingWords(details)],
  'resume-sending': [
    'Sending resumed',
    ({ details }) => `resumed sending ${SENDING_WORDS[details.integration as SendingId]?.deliveries}`,
  ],
  delete: ['Deleted', ({ entity }) => (entity === 'cost' ? 'deleted all advertising costs' : 'deleted {row}')],
  restore: ['Restored', 'restored {row}'],
  purge: ['Permanently deleted', 'permanently deleted {row}'],
  export: [
    'Export downloaded',
    (act) =>
      act.entity === 'provider' && act.entity_id !== 'all' ? 'downloaded the requests of {row}' : exportWords(act),
  ],
  upload: ['Costs uploaded', ({ details }) => `uploaded ${countOf(Number(details.rows), 'line')} of advertising costs`],
  sync: ['Providers synced', syncWords],
  'confirm-email': ['New address confirmed', 'confirmed the new address of {row} ({to} instead of {from})'],
  'keep-email': ['Old address kept', 'kept the old address of {row} ({from}, not {to})'],
  activate: ['Clinic activated', 'activated {row} (requests go to {email})'],
  'change-rules': ['Rules changed', ({ details }) => rulesWords(details)],
  'opt-out': ['Contact stopped', optOutWords],
  'lift-opt-out': [
    'Contact allowed again',
    ({ entity }) => `allowed contact again ${entity === 'lead' ? 'for {row}' : 'at an address or a number'}`,
  ],
  'confirm-opt-out': ['Stop confirmed', 'confirmed that the clinic stopped contacting {row}'],
  'record-outcome': [
    'Outcome recorded',
    ({ details: { kind } }) => `recorded “${OUTCOME_WORDS[kind as OutcomeKind] ?? kind}” for {row}`,
  ],
  enter: ['Lead entered', 'entered {row} after a phone call'],
  edit: ['Lead corrected', ({ details }) => `corrected ${workWords(details)} of {row}`],
  'add-note': ['Note added', 'added a note on {row}'],
  'delete-note': ['Note deleted', 'deleted a note on {row}'],
  'change-work': ['Work on a lead changed', ({ details }) => `changed ${workWords(details)} of {row}`],
  'sign-in': ['Signed in', ({ details }) => `signed in ${SIGNED_IN_WITH[String(details.factor)] ?? ''}`],
  'sign-in-failed': ['Sign-in failed', (act) => `${wrongProofs(act.details)} for ${guessedAt(act)}`],
  'sign-out': ['Signed out', 'signed out'],
  'end-session': [
    'Session ended',
    ({ details }) => (details.account === 'shared' ? 'ended a session of the shared password' : 'ended a session'),
  ],
  add: ['Account added', 'added the account of {account} as {role}'],
  change: ['Account changed', ({ details }) => changed(details)],
  disable: ['Account disabled', 'disabled the account of {account}'],
  enable: ['Account enabled', 'enabled the account of {account} again'],
  'set-password': [
    'Password chosen',
    ({ details }) => (details.link === 'invitation' ? 'chose a password' : 'chose a new password'),
  ],
  'reset-password': ['Password reset', 'reset the password of {account}'],
  'read-limit': [
    'Reading limit reached',
    ({ details }) => `opened the details of ${formatCount(Number(details.max))} people within an hour, and was stopped`,
  ],
  'find-person': [
    'Person’s data found',
    ({ details }) => `looked for everything about a person, and found ${foundWords(details)}`,
  ],
  erase: [
    'Erased on request',
    ({ details }) =>
      details.again
        ? 'erased {row} again after a backup was restored'
        : 'erased {row} because the person asked for it (erasure no. {request})',
  ],
  'invite-again': ['Invitation sent again', 'sent the invitation of {account} again'],
  'link-identity': ['Single sign-on linked', 'linked the account of {account} to single sign-on ({issuer})'],
  'shared-password-on': ['Shared password switched on', 'switched the shared password on'],
  'shared-password-off': ['Shared password switched off', 'switched the shared password off'],
  'add-factor': [
    'Two-step sign-in: way added',
    ({ details }) => (details.kind === 'recovery_codes' ? 'made new recovery codes' : `added ${factorIn(details)}`),
  ],
  'remove-factor': ['Two-step sign-in: way removed', ({ details }) => `removed ${factorIn(details)}`],
  'reset-factors': ['Two-step sign-in reset', 'reset the two-step sign-in of {account}'],
  'add-person': ['Clinic: person added', 'let {email} sign in to the pages of {row}'],
  'remove-person': ['Clinic: person removed', 'removed {email} from the pages of {row}'],
  'ask-address': [
    'Clinic: address asked for',
    ({ details }) => `asked for {to} as the address ${addressUse(details)} of {row} ({by})`,
  ],
  'change-address': [
    'Clinic: address changed',
    ({ details: { from, to, ...details } }) =>
      `changed the address ${addressUse(details)} of {row} from ${from ?? 'none'} to ${to ?? 'none'} ({by})`,
  ],
  'set-aside': ['Set aside', ({ details }) => asideWords(details)],
  'add-channel': ['Alerts: channel added', 'added the channel “{name}” for alerts'],
  'change-channel': ['Alerts: channel changed', 'changed the channel “{name}” of alerts'],
  'remove-channel': ['Alerts: channel removed', 'removed the channel “{name}” of alerts'],
  'test-channel': ['Alerts: channel tested', 'sent a test to the channel “{name}” of alerts'],
  'change-alerts': [
    'Alerts: setting changed',
    ({ details }) => `set the alert about missing leads to ${countOf(Number(details.no_lead_hours), 'business hour')}`,
  ],
  'save-view': ['View saved', ({ details }) => `saved the view {view}${details.is_shared ? ' for all' : ''}`],
  'change-view': ['View changed', ({ details }) => `changed the view {view}${details.is_shared ? ' for all' : ''}`],
  'delete-view': ['View deleted', ({ details }) => (details.is_shared ? 'deleted a view for all' : 'deleted a view')],
}

/** Returns the name of an act in a filter. */
export const actionLabel = (action: AuditAction) => ACTS[action][0]

export const ENTITIES: Record<AuditEntity, string> = {
  lead: 'Leads',
  application: 'Applications',
  provider: 'Providers',
  job: 'Deliveries',
  staff: 'Accounts',
  session: 'Sessions',
  person: 'Privacy requests',
  suppression: 'Do not contact',
  network: 'Network',
  cost: 'Costs',
  attention: 'Needs attention',
  channel: 'Alerts',
  view: 'Saved views',
}

/** An act in words: a text, the row that it changed, and a text after the row. */
type Sentence = { before: string; row?: string; after?: string }

/** Returns a line of the log as text without its subject. */
export function actInWords(line: AuditLine, nameOf: NameOf): string {
  const { before, row, after } = sentence(line, nameOf)
  return [before, row, after].filter(Boolean).join(' ')
}

/** Returns a line of the log as the parts of a sentence whose subject is the actor. */
export function sentence(line: AuditLine, nameOf: NameOf): Sentence {
  const { action, entity, entity_id, entity_name, details } = line
  // An act of an earlier version is told by its name.
  const [, says] = ACTS[action as AuditAction] ?? ['', `did “${action.replaceAll('-', ' ')}” on {row}`]
  const words: Record<string, unknown> = {
    ...details,
    account: entity_name ?? details.email ?? `account #${entity_id}`,
    view: entity_name ? `“${entity_name}”` : `#${entity_id}`,
  }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => String(words[name])).trim()
  const [before = '', after] = (typeof says === 'string' ? says : says({ ...line, nameOf })).split('{row}')
  if (after === undefined) return { before: fill(before) }
  const row = entity_name ?? (entity_id === 'all' ? `all ${entity}s` : `${entity} #${entity_id}`)
  return { before: fill(before), row, after: fill(after) || undefined }
}

/** Returns, for example, `snoozed “Unmatched” (lead no. 12) until Nov 20, 2026, 8:00 AM ET`. */
function asideWords({ key, until, undone }: AuditLine['details']): string {
  const [kind, ...about] = String(key).split(':')
  const subject = SUBJECTS[kind as AttentionKind]
  const which = `“${ATTENTION_WORDS[kind as AttentionKind] ?? kind}”${subject ? ` (${subject} no. ${about[0]})` : ''}`
  if (undone) return `brought ${which} back to “Needs attention”`
  return until ? `snoozed ${which} until ${formatMinute(String(until))}` : `marked ${which} as done`
}

const SUBJECTS: Partial<Record<AttentionKind, string>> = {
  stop: 'request',
  'not-reached': 'clinic',
  'no-answer': 'clinic',
  paused: 'clinic',
  hours: 'clinic',
  unmatched: 'lead',
  held: 'lead',
  application: 'application',
}

/** Returns, for example, `2 leads and 1 application`. */
function foundWords({ leads, applications }: Record<string, unknown>): string {
  const counts = [
    { noun: 'lead', rows: leads },
    { noun: 'application', rows: applications },
  ].flatMap(({ noun, rows }) => (Array.isArray(rows) && rows.length > 0 ? countOf(rows.length, noun) : []))
  return counts.length > 0 ? counts.join(' and ') : 'nothing'
}

const addressUse = ({ use }: AuditLine['details']) => (use === 'late' ? 'for late answers' : 'for the requests')

const SIGNED_IN_WITH: Record<string, string | undefined> = {
  totp: 'with a code',
  passkey: 'with a passkey',
  sso: 'with single sign-on',
  recovery_code: 'with a recovery code',
}

function wrongProofs({ wrong = 'password', count = 1 }: AuditLine['details']): string {
  return `${wrong === 'passkey' ? 'used' : 'entered'} ${countOf(Number(count), `wrong ${wrong}`)}`
}

const factorIn = ({ kind, name }: AuditLine['details']) =>
  kind === 'totp' ? 'an authenticator app' : `the passkey “${name}”`

/**
 * Returns, for example, `downloaded 77 leads (failed, since Nov 1, 2026)`. An export has one line for its start and one
 * with the number of rows for its end. Large exports are prepared before their download. Lines of the first versions have
 * neither filter nor number.
 */
function exportWords({ entity, details, nameOf }: Act): string {
  const { filter, rows, complete, begins, prepares } = details
  const which = conditionsIn(filter ?? {}, nameOf) + (prepares ? ' for download' : '')
  const did = prepares ? 'prepared' : 'downloaded'
  if (complete) return `${did} ${countOf(Number(rows), entity)}${which}`
  if (rows !== undefined) return `${did} ${entity}s${which}, cut off after ${formatCount(Number(rows))}`
  return `${begins || filter ? `began to ${prepares ? 'prepare' : 'download'}` : did} ${entity}s${which}`
}

function syncWords({ details }: Act): string {
  if (details.dry_run) return 'previewed a provider sync'
  return details.approves ? 'approved a sync with sensitive changes' : 'synced the providers with WordPress'
}

function matchWords({ details: { from, to }, nameOf }: Act): string {
  const provider = nameOf(Number(to))
  return from ? `moved {row} from ${nameOf(Number(from))} to ${provider}` : `matched {row} with ${provider}`
}

const RULE_WORDS: Record<keyof ProviderRules, string> = {
  is_paused: 'pause',
  paused_until: 'end of the pause',
  paused_because: 'reason of the pause',
  daily_cap: 'daily limit',
  weekly_cap: 'weekly limit',
  monthly_cap: 'monthly limit',
  hours: 'hours',
  time_zone: 'time zone',
  answer_hours: 'time to answer',
  radius_miles: 'radius',
  extra_zips: 'extra zip codes',
  excluded_zips: 'excluded zip codes',
  backup_provider_id: 'backup clinic',
  priority: 'priority',
}

/**
 * Returns, for example, `paused Quill Urology until Dec 1, 2026, 12:00 AM ET, and changed the daily limit`. A pause, its end and new hours are
 * told as such; of other rules only the names.
 */
function rulesWords({ to }: AuditLine['details']): string {
  const rules = (to ?? {}) as Partial<ProviderRules>
  const isOfPause = (field: string) => field === 'paused_until' || field === 'paused_because'
  const others = Object.keys(rules).filter(
    (field) => field !== 'is_paused' && field !== 'hours' && !(isOfPause(field) && rules.is_paused !== undefined),
  )
  const rest = others.map((field) => RULE_WORDS[field as keyof ProviderRules] ?? field).join(', ')
  const acts = [
    rules.is_paused !== undefined && pauseWords(rules),
    rules.hours !== undefined && `changed the hours of {row} to ${hoursInWords(rules.hours)}`,
    rest && `changed the rules of {row} (${rest})`,
  ].filter((words) => typeof words === 'string' && words !== '')
  const [first = 'changed the rules of {row}', ...more] = acts
  return [first, ...more.map((words) => `and ${String(words).replace('{row}', 'it')}`)].join(', ')
}

function pauseWords({ is_paused, paused_until, paused_because }: Partial<ProviderRules>): string {
  if (!is_paused) return 'resumed {row}'
  const end = paused_until ? `until ${formatMinute(paused_until)}` : 'without an end'
  return `paused {row} ${end}${paused_because ? ` (“${paused_because}”)` : ''}`
}

/** Returns, for example, `paused sending CRM calls until Nov 20, 5:00 PM ET: maintenance`. */
function sendingWords({ integration, kind, until, reason }: AuditLine['details']): string {
  const what = `paused sending ${SENDING_WORDS[integration as SendingId]?.deliveries}`
  return kind === 'breaker' ? `${what}: ${reason}` : `${what} until ${formatMinute(String(until))}: ${reason}`
}

const WORK_WORDS: Record<string, string | undefined> = {
  first_name: 'the first name',
  last_name: 'the last name',
  email: 'the e-mail',
  phone: 'the phone number',
  zip_code: 'the zip code',
  owner_id: 'the owner',
  next_action: 'the next action',
  next_action_on: 'the day of the next action',
  tags: 'the tags',
}

/** Returns, for example, `the owner and the tags`. */
function workWords({ fields }: AuditLine['details']): string {
  const words = (Array.isArray(fields) ? fields : []).map((field) => WORK_WORDS[String(field)] ?? String(field))
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? 'the work')
}

/** Returns, for example, `stopped contact with Jordan Avery (link in an e-mail)`. */
function optOutWords({ entity, details }: Act): string {
  const way = {
    link: 'by the link in an e-mail',
    staff: 'as that person asked',
    stop: 'after a STOP',
    clinic: 'as that person told the clinic',
  }[details.reason as OptOutReason]
  return `stopped contact with ${entity === 'lead' ? `{row} ${way ?? ''}` : `a person without a lead, ${way}`}`
}

/** Returns, for example, `began to send the report of Oct 19, 2026 to Oct 25, 2026 to the team`. */
const reportWords = ({ from, to }: AuditLine['details']) =>
  `began to send the report of ${formatIsoDay(String(from))} to ${formatIsoDay(String(to))} to the team`

const failedDeliveries = (count: number) =>
  count === 1 ? '1 failed delivery' : `all ${formatCount(count)} failed deliveries`

function guessedAt({ entity_id, entity_name }: Act): string {
  if (entity_id === 'shared') return 'the shared password'
  if (entity_id === 'unknown') return 'an e-mail that has no account'
  return `the account of ${entity_name ?? `#${entity_id}`}`
}

function changed({ renamed, to }: AuditLine['details']): string {
  const role = to ? 'made {account} a {to}, who was a {from}' : ''
  if (!renamed) return role
  return role ? `${role}, and renamed the account` : 'renamed the account of {account}'
}

/** Says how consent was given for a lead whose form does not prove one. */
function releaseWords(consent: unknown): string {
  if (consent === 'read_aloud') return 'after reading the consent aloud'
  return consent === 'in_writing' ? 'with a consent in writing' : ''
}

/** Returns the label of a status of an application, as its tab has it. */
function statusLabel(status: unknown): string {
  const known = ApplicationStatus.safeParse(status)
  return known.success ? STATUS_LABELS[known.data] : String(status)
}
