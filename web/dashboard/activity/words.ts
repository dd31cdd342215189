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

export const ACTIONS: Record<AuditAction, string> = {
  'retry-sync': 'CRM sync retried',
  'retry-email': 'E-mails resent',
  'retry-match': 'Matching retried',
  'retry-job': 'Job retried',
  'retry-failed': 'All failed deliveries retried',
  'test-email': 'Test e-mail sent',
  'check-mail': 'Mail server tested',
  'check-crm': 'CRM tested',
  'send-test-lead': 'Test lead sent',
  'delete-test-lead': 'Test lead deleted',
  'send-report': 'Reports sent',
  'assign-provider': 'Lead matched',
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
  upload: 'Costs uploaded',
  sync: 'Providers synced',
  'confirm-email': 'New address confirmed',
  'keep-email': 'Old address kept',
  activate: 'Clinic activated',
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
  'read-limit': 'Reading limit reached',
  'find-person': 'Person’s data found',
  erase: 'Erased on request',
  'invite-again': 'Invitation sent again',
  'link-identity': 'Single sign-on linked',
  'shared-password-on': 'Shared password switched on',
  'shared-password-off': 'Shared password switched off',
  'add-factor': 'Two-step sign-in: way added',
  'remove-factor': 'Two-step sign-in: way removed',
  'reset-factors': 'Two-step sign-in reset',
  'add-person': 'Clinic: person added',
  'remove-person': 'Clinic: person removed',
  'ask-address': 'Clinic: address asked for',
  'change-address': 'Clinic: address changed',
  'set-aside': 'Set aside',
  'add-channel': 'Alerts: channel added',
  'change-channel': 'Alerts: channel changed',
  'remove-channel': 'Alerts: channel removed',
  'test-channel': 'Alerts: channel tested',
  'change-alerts': 'Alerts: setting changed',
  'save-view': 'View saved',
  'change-view': 'View changed',
  'delete-view': 'View deleted',
}

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

const viewWords = ({ entity_name, entity_id }: AuditLine) => (entity_name ? `“${entity_name}”` : `#${entity_id}`)

/** Returns a line of the log as text without its subject. */
export function actInWords(line: AuditLine, nameOf: NameOf): string {
  const { before, row, after } = sentence(line, nameOf)
  return [before, row, after].filter(Boolean).join(' ')
}

/** Returns a line of the log as the parts of a sentence whose subject is the actor. */
export function sentence(line: AuditLine, nameOf: NameOf): Sentence {
  const earlier = { before: `did “${line.action.replaceAll('-', ' ')}” on`, row: `${line.entity} #${line.entity_id}` }
  return currentSentence(line, nameOf) ?? earlier
}

/** Returns undefined for an act of an earlier version. */
function currentSentence(line: AuditLine, nameOf: NameOf): Sentence | undefined {
  const { entity, entity_id, details } = line
  const row = line.entity_name ?? (entity_id === 'all' ? `all ${entity}s` : `${entity} #${entity_id}`)
  const account = line.entity_name ?? details.email ?? `account #${entity_id}`
  switch (line.action as AuditAction) {
    case 'retry-sync':
      return { before: 'retried CRM sync of', row }
    case 'retry-email':
      if (details.report) return { before: 'sent the weekly report again' }
      return { before: 'resent the e-mails of', row }
    case 'retry-match':
      return { before: 'retried the matching of', row }
    case 'retry-job':
      if (details.purge) return { before: 'started the nightly deletion of old data again' }
      if (details.alert) return { before: 'sent an alert again' }
      return { before: 'retried a job of', row }
    case 'retry-failed':
      return { before: `retried ${failedDeliveries(Number(details.count))}` }
    case 'send-report':
      return { before: reportWords(details) }
    case 'test-email':
      return { before: 'sent a test e-mail to', row }
    case 'check-mail':
      return { before: 'tested the mail server' }
    case 'check-crm':
      return { before: 'tested the CRM' }
    case 'send-test-lead':
      return { before: 'sent a test lead:', row }
    case 'delete-test-lead':
      return { before: 'deleted a test lead:', row }
    case 'assign-provider':
      return matchWords(row, details, nameOf)
    case 'pass-on':
      return matchWords(row, details, nameOf)
    case 'pause-network':
      return { before: `paused the network: ${details.reason}` }
    case 'end-pause':
      return { before: `ended the pause of the network: ${details.reason}` }
    case 'pause-sending':
      return { before: sendingWords(details) }
    case 'resume-sending':
      return { before: `resumed sending ${SENDING_WORDS[details.integration as SendingId]?.deliveries}` }
    case 'undo-match':
      return { before: 'undid the match of', row }
    case 'release':
      return { before: 'released', row, after: releaseWords(details.consent) }
    case 'set-status':
      return {
        before: 'changed the status of',
        row,
        after: `from “${statusLabel(details.from)}” to “${statusLabel(details.to)}”`,
      }
    case 'application-owner':
      return details.to
        ? { before: 'gave', row, after: `to ${details.name}` }
        : { before: 'took', row, after: `from ${details.name ?? 'its owner'}` }
    case 'certify':
      return { before: 'certified', row, after: `as clinic #${details.provider}` }
    case 'application-note':
      return { before: 'wrote a note on', row }
    case 'delete-application-note':
      return { before: 'deleted a note on', row }
    case 'delete':
      return entity === 'cost' ? { before: 'deleted all advertising costs' } : { before: 'deleted', row }
    case 'restore':
      return { before: 'restored', row }
    case 'purge':
      return { before: 'permanently deleted', row }
    case 'export':
      if (entity === 'provider' && entity_id !== 'all') return { before: 'downloaded the requests of', row }
      return { before: exportWords(line, nameOf) }
    case 'upload':
      return { before: `uploaded ${countOf(Number(details.rows), 'line')} of advertising costs` }
    case 'sync':
      return { before: syncWords(line) }
    case 'confirm-email':
      return { before: 'confirmed the new address of', row, after: `(${details.to} instead of ${details.from})` }
    case 'keep-email':
      return { before: 'kept the old address of', row, after: `(${details.from}, not ${details.to})` }
    case 'activate':
      return { before: 'activated', row, after: `(requests go to ${details.email})` }
    case 'change-rules':
      return rulesWords(row, details)
    case 'add-person':
      return { before: `let ${details.email} sign in to the pages of`, row }
    case 'remove-person':
      return { before: `removed ${details.email} from the pages of`, row }
    case 'ask-address':
      return {
        before: `asked for ${details.to} as the address ${addressUse(details)} of`,
        row,
        after: `(${details.by})`,
      }
    case 'change-address': {
      const after = `from ${details.from ?? 'none'} to ${details.to ?? 'none'} (${details.by})`
      return { before: `changed the address ${addressUse(details)} of`, row, after }
    }
    case 'add-channel':
      return { before: `added the channel “${details.name}” for alerts` }
    case 'change-channel':
      return { before: `changed the channel “${details.name}” of alerts` }
    case 'remove-channel':
      return { before: `removed the channel “${details.name}” of alerts` }
    case 'test-channel':
      return { before: `sent a test to the channel “${details.name}” of alerts` }
    case 'change-alerts':
      return {
        before: `set the alert about missing leads to ${countOf(Number(details.no_lead_hours), 'business hour')}`,
      }
    case 'save-view':
      return { before: 'saved the view', row: viewWords(line), after: details.is_shared ? 'for all' : undefined }
    case 'change-view':
      return { before: 'changed the view', row: viewWords(line), after: details.is_shared ? 'for all' : undefined }
    case 'delete-view':
      return { before: details.is_shared ? 'deleted a view for all' : 'deleted a view' }
    case 'opt-out':
      return optOutWords(line, row)
    case 'lift-opt-out':
      return entity === 'lead'
        ? { before: 'allowed contact again for', row }
        : { before: 'allowed contact again at an address or a number' }
    case 'confirm-opt-out':
      return { before: 'confirmed that the clinic stopped contacting', row }
    case 'record-outcome':
      return { before: `recorded “${OUTCOME_WORDS[details.kind as OutcomeKind] ?? details.kind}” for`, row }
    case 'enter':
      return { before: 'entered', row, after: 'after a phone call' }
    case 'edit':
      return { before: `corrected ${workWords(details)} of`, row }
    case 'add-note':
      return { before: 'added a note on', row }
    case 'delete-note':
      return { before: 'deleted a note on', row }
    case 'change-work':
      return { before: `changed ${workWords(details)} of`, row }
    case 'sign-in':
      return { before: ['signed in', SIGNED_IN_WITH[String(details.factor)]].filter(Boolean).join(' ') }
    case 'sign-out':
      return { before: 'signed out' }
    case 'sign-in-failed':
      return { before: `${wrongProofs(details)} for ${guessedAt(line)}` }
    case 'end-session':
      return { before: details.account === 'shared' ? 'ended a session of the shared password' : 'ended a session' }
    case 'add':
      return { before: `added the account of ${account} as ${details.role}` }
    case 'change':
      return { before: changed(details, String(account)) }
    case 'disable':
      return { before: `disabled the account of ${account}` }
    case 'enable':
      return { before: `enabled the account of ${account} again` }
    case 'set-password':
      return { before: details.link === 'invitation' ? 'chose a password' : 'chose a new password' }
    case 'reset-password':
      return { before: `reset the password of ${account}` }
    case 'read-limit':
      return {
        before: `opened the details of ${formatCount(Number(details.max))} people within an hour, and was stopped`,
      }
    case 'find-person':
      return { before: `looked for everything about a person, and found ${foundWords(details)}` }
    case 'erase':
      return details.again
        ? { before: 'erased', row, after: 'again after a backup was restored' }
        : { before: 'erased', row, after: `because the person asked for it (erasure no. ${details.request})` }
    case 'link-identity':
      return { before: `linked the account of ${account} to single sign-on (${details.issuer})` }
    case 'invite-again':
      return { before: `sent the invitation of ${account} again` }
    case 'shared-password-on':
      return { before: 'switched the shared password on' }
    case 'shared-password-off':
      return { before: 'switched the shared password off' }
    case 'add-factor':
      return { before: details.kind === 'recovery_codes' ? 'made new recovery codes' : `added ${factorIn(details)}` }
    case 'remove-factor':
      return { before: `removed ${factorIn(details)}` }
    case 'reset-factors':
      return { before: `reset the two-step sign-in of ${account}` }
    case 'set-aside':
      return { before: asideWords(details) }
  }
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
function exportWords({ entity, details }: AuditLine, nameOf: NameOf): string {
  const { filter, rows, complete, begins, prepares } = details
  const which = conditionsIn(filter ?? {}, nameOf) + (prepares ? ' for download' : '')
  const did = prepares ? 'prepared' : 'downloaded'
  if (complete) return `${did} ${countOf(Number(rows), entity)}${which}`
  if (rows !== undefined) return `${did} ${entity}s${which}, cut off after ${formatCount(Number(rows))}`
  return `${begins || filter ? `began to ${prepares ? 'prepare' : 'download'}` : did} ${entity}s${which}`
}

function syncWords({ details }: AuditLine): string {
  if (details.dry_run) return 'previewed a provider sync'
  return details.approves ? 'approved a sync with sensitive changes' : 'synced the providers with WordPress'
}

function matchWords(row: string, { from, to }: AuditLine['details'], nameOf: NameOf): Sentence {
  const provider = nameOf(Number(to))
  if (!from) return { before: 'matched', row, after: `with ${provider}` }
  return { before: 'moved', row, after: `from ${nameOf(Number(from))} to ${provider}` }
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
  second_email: 'second address',
  priority: 'priority',
}

/**
 * Returns, for example, `paused Quill Urology until Dec 1, 2026, 12:00 AM ET, and changed the daily limit`. A pause, its end and new hours are
 * told as such; of other rules only the names.
 */
function rulesWords(row: string, { to }: AuditLine['details']): Sentence {
  const rules = (to ?? {}) as Partial<ProviderRules>
  const isOfPause = (field: string) => field === 'paused_until' || field === 'paused_because'
  const others = Object.keys(rules).filter(
    (field) => field !== 'is_paused' && field !== 'hours' && !(isOfPause(field) && rules.is_paused !== undefined),
  )
  const rest = others.map((field) => RULE_WORDS[field as keyof ProviderRules] ?? field).join(', ')
  const acts: Sentence[] = [
    ...(rules.is_paused === undefined ? [] : [pauseSentence(rules)]),
    ...(rules.hours === undefined
      ? []
      : [{ before: 'changed the hours of', after: `to ${hoursInWords(rules.hours)}` }]),
    ...(rest ? [{ before: 'changed the rules of', after: `(${rest})` }] : []),
  ]
  const [first, ...more] = acts
  const also = more.map(({ before, after }) => `and ${before} it ${after ?? ''}`.trim())
  return {
    before: first?.before ?? 'changed the rules of',
    row,
    after: [first?.after, ...also].filter(Boolean).join(', ') || undefined,
  }
}

function pauseSentence({ is_paused, paused_until, paused_because }: Partial<ProviderRules>): Sentence {
  if (!is_paused) return { before: 'resumed' }
  const end = paused_until ? `until ${formatMinute(paused_until)}` : 'without an end'
  return { before: 'paused', after: paused_because ? `${end} (“${paused_because}”)` : end }
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
function optOutWords({ entity, details }: AuditLine, row: string): Sentence {
  const way = {
    link: 'by the link in an e-mail',
    staff: 'as that person asked',
    stop: 'after a STOP',
    clinic: 'as that person told the clinic',
  }[details.reason as OptOutReason]
  return entity === 'lead'
    ? { before: 'stopped contact with', row, after: way }
    : { before: `stopped contact with a person without a lead, ${way}` }
}

/** Returns, for example, `began to send the report of Oct 19, 2026 to Oct 25, 2026 to the team`. */
const reportWords = ({ from, to }: AuditLine['details']) =>
  `began to send the report of ${formatIsoDay(String(from))} to ${formatIsoDay(String(to))} to the team`

const failedDeliveries = (count: number) =>
  count === 1 ? '1 failed delivery' : `all ${formatCount(count)} failed deliveries`

function guessedAt({ entity_id, entity_name }: AuditLine): string {
  if (entity_id === 'shared') return 'the shared password'
  if (entity_id === 'unknown') return 'an e-mail that has no account'
  return `the account of ${entity_name ?? `#${entity_id}`}`
}

function changed({ renamed, from, to }: AuditLine['details'], account: string): string {
  const role = to ? `made ${account} a ${to}, who was a ${from}` : ''
  if (!renamed) return role
  return role ? `${role}, and renamed the account` : `renamed the account of ${account}`
}

/** Says how consent was given for a lead whose form does not prove one. */
function releaseWords(consent: unknown): string | undefined {
  if (consent === 'read_aloud') return 'after reading the consent aloud'
  return consent === 'in_writing' ? 'with a consent in writing' : undefined
}

/** Returns the label of a status of an application, as its tab has it. */
function statusLabel(status: unknown): string {
  const known = ApplicationStatus.safeParse(status)
  return known.success ? STATUS_LABELS[known.data] : String(status)
}
