import { expect, it } from 'vitest'
import type { AuditAction, AuditLine } from '../../core/contract/audit-log.ts'
import { sentence } from '../../web/dashboard/activity/words.ts'
import { actorName } from '../../web/lib/actors.ts'
import { auditLine } from '../components/samples.ts'

const nameOf = (id: number, of?: 'account') => (of === 'account' ? `Ada ${id}` : `Dr. ${id}`)

/** A line as a reader reads it, without who did it. */
function textOf(line: Partial<AuditLine>): string {
  const { before, row, after } = sentence(auditLine(1, line), nameOf)
  return [before, row, after].filter(Boolean).join(' ')
}

const LEAD = { entity: 'lead', entity_id: '7' } as const
const LEADS = { action: 'export', entity: 'lead', entity_id: 'all' } as const
const BEN = { entity: 'staff', entity_id: '3', entity_name: 'Ben Ito' } as const
const CLINIC = { entity: 'provider', entity_id: '4', entity_name: 'Quill Clinic' } as const
const APPLICATION = { entity: 'application', entity_id: '3' } as const
const ASIDE = { action: 'set-aside', entity: 'attention', entity_id: '7' } as const
const VIEW = { entity: 'view', entity_id: '5' } as const
const ROLE = { from: 'viewer', to: 'manager' }

const SENTENCES: [Partial<AuditLine> & { action: AuditAction }, string][] = [
  [{ ...LEAD, action: 'retry-sync' }, 'retried CRM sync of lead #7'],
  [{ ...LEAD, entity_name: 'Jordan Avery', action: 'retry-sync' }, 'retried CRM sync of Jordan Avery'],
  [{ action: 'retry-failed', details: { count: 1 } }, 'retried 1 failed delivery'],
  [{ ...LEAD, action: 'retry-email' }, 'resent the e-mails of lead #7'],
  [{ ...LEAD, action: 'retry-job' }, 'retried a job of lead #7'],
  [{ action: 'retry-job', details: { alert: true } }, 'sent an alert again'],
  [{ action: 'change-alerts', details: { no_lead_hours: 4 } }, 'set the alert about missing leads to 4 business hours'],
  [{ action: 'retry-job', details: { purge: true } }, 'started the nightly deletion of old data again'],
  [{ action: 'retry-failed', details: { count: 1200 } }, 'retried all 1,200 failed deliveries'],
  [{ ...LEAD, action: 'assign-provider', details: { from: null, to: 2 } }, 'matched lead #7 with Dr. 2'],
  [{ ...LEAD, action: 'assign-provider', details: { from: 1, to: 2 } }, 'moved lead #7 from Dr. 1 to Dr. 2'],
  [
    { ...ASIDE, details: { key: 'unmatched:7', until: '2026-11-24T13:00:00.000Z' } },
    'snoozed “Unmatched” (lead no. 7) until Nov 24, 2026, 8:00 AM ET',
  ],
  [{ ...ASIDE, details: { key: 'crm:refused:ab12' } }, 'marked “CRM does not accept leads” as done'],
  [
    { ...ASIDE, details: { key: 'not-reached:72', undone: true } },
    'brought “Clinic not reached” (clinic no. 72) back to “Needs attention”',
  ],
  [{ ...LEAD, action: 'record-outcome', details: { kind: 'no_show' } }, 'recorded “Did not come” for lead #7'],
  [{ ...LEAD, action: 'pass-on', details: { from: 1, to: 2 } }, 'moved lead #7 from Dr. 1 to Dr. 2'],
  [{ ...LEAD, action: 'enter', details: {} }, 'entered lead #7 after a phone call'],
  [{ ...LEAD, action: 'edit', details: { fields: ['email'] } }, 'corrected the e-mail of lead #7'],
  [
    { ...APPLICATION, action: 'application-owner', details: { to: 2, name: 'Ben Ito' } },
    'gave application #3 to Ben Ito',
  ],
  [
    { ...APPLICATION, action: 'application-owner', details: { to: null, name: 'Ben Ito' } },
    'took application #3 from Ben Ito',
  ],
  [
    { ...LEAD, action: 'change-work', details: { fields: ['owner_id', 'tags'], owner: 2 } },
    'changed the owner and the tags of lead #7',
  ],
  [
    {
      action: 'pause-sending',
      details: { integration: 'crm', kind: 'staff', until: '2026-11-20T22:00:00Z', reason: 'Maintenance' },
    },
    'paused sending CRM calls until Nov 20, 2026, 5:00 PM ET: Maintenance',
  ],
  [
    { action: 'pause-sending', details: { integration: 'mail', kind: 'breaker', reason: 'It refused 10 attempts.' } },
    'paused sending e-mails: It refused 10 attempts.',
  ],
  [{ action: 'resume-sending', details: { integration: 'mail' } }, 'resumed sending e-mails'],
  [{ action: 'upload', entity: 'cost', details: { rows: 12 } }, 'uploaded 12 lines of advertising costs'],
  [{ action: 'delete', entity: 'cost', entity_id: 'all' }, 'deleted all advertising costs'],
  [
    { action: 'send-report', details: { report: 'weekly_report', from: '2026-11-16', to: '2026-11-22' } },
    'began to send the report of Nov 16, 2026 to Nov 22, 2026 to the team',
  ],
  [{ action: 'retry-email', details: { report: 'weekly_report' } }, 'sent the weekly report again'],
  [
    { ...CLINIC, action: 'change-rules', details: { from: {}, to: { is_paused: true, daily_cap: 10 } } },
    'paused Quill Clinic without an end, and changed the rules of it (daily limit)',
  ],
  [
    {
      ...{ ...CLINIC, action: 'change-rules' },
      details: { from: {}, to: { is_paused: true, paused_until: '2026-12-01T05:00:00Z', paused_because: 'Away' } },
    },
    'paused Quill Clinic until Dec 1, 2026, 12:00 AM ET (“Away”)',
  ],
  [
    {
      ...{ ...CLINIC, action: 'change-rules' },
      details: { from: {}, to: { is_paused: false, paused_until: null, paused_because: null } },
    },
    'resumed Quill Clinic',
  ],
  [
    { ...CLINIC, action: 'change-rules', details: { to: { hours: { 1: [['09:00', '17:00']] } } } },
    'changed the hours of Quill Clinic to Mon 9–5, closed Tue–Sun',
  ],
  [
    { ...CLINIC, action: 'change-rules', details: { to: { hours: null, time_zone: null } } },
    'changed the hours of Quill Clinic to the usual hours, and changed the rules of it (time zone)',
  ],
  [
    { ...CLINIC, action: 'change-rules', details: { to: { paused_until: '2026-12-01T05:00:00Z', radius_miles: 5 } } },
    'changed the rules of Quill Clinic (end of the pause, radius)',
  ],
  [{ ...CLINIC, action: 'export', details: { rows: 3 } }, 'downloaded the requests of Quill Clinic'],
  [{ ...LEAD, action: 'release' }, 'released lead #7'],
  [
    { entity: 'application', action: 'set-status', details: { from: 'new', to: 'training' } },
    'changed the status of application #7 from “New” to “In training”',
  ],
  [{ ...LEAD, action: 'delete' }, 'deleted lead #7'],
  [{ ...LEADS, details: { filter: {}, rows: 1200, complete: true } }, 'downloaded 1,200 leads'],
  [
    { ...LEADS, details: { filter: { failed: true, from: '2026-11-01' }, rows: 77, complete: true } },
    'downloaded 77 leads (failed, since Nov 1, 2026)',
  ],
  [
    { ...LEADS, details: { filter: { search: true, provider_id: 2, to: '2026-11-30' }, rows: 1, complete: true } },
    'downloaded 1 lead (found by a search, of Dr. 2, until Nov 30, 2026)',
  ],
  [
    { ...LEADS, details: { filter: { held: true, unmatched: false }, rows: 40, complete: false } },
    'downloaded leads (held, matched), cut off after 40',
  ],
  [
    { ...LEADS, details: { filter: { cause: 'mailbox_full', target: 'clinic' }, rows: 9, complete: true } },
    'downloaded 9 leads (the mailbox is full, failing: e-mail to the clinic)',
  ],
  [{ ...LEADS, details: { filter: { email_status: 'failed' } } }, 'began to download leads (e-mail: failed)'],
  [
    { ...LEADS, details: { filter: { email_status: 'failed' }, prepares: true, begins: true } },
    'began to prepare leads (e-mail: failed) for download',
  ],
  [{ ...LEADS, details: { prepares: true, rows: 48_210, complete: true } }, 'prepared 48,210 leads for download'],
  [{ ...LEADS, details: { prepares: true, rows: 7, complete: false } }, 'prepared leads for download, cut off after 7'],
  [
    { ...LEADS, entity: 'provider', details: { filter: { status: 'active' }, rows: 3, complete: true } },
    'downloaded 3 providers (active)',
  ],
  // A line of an earlier version.
  [{ ...LEADS, entity: 'provider' }, 'downloaded providers'],
  [{ action: 'sync', entity: 'provider', entity_id: 'all' }, 'synced the providers with WordPress'],
  [{ action: 'sync', details: { dry_run: true } }, 'previewed a provider sync'],
  [{ action: 'sync', details: { approves: 7 } }, 'approved a sync with sensitive changes'],
  [
    { ...CLINIC, action: 'confirm-email', details: { from: 'old@clinic.example', to: 'new@clinic.example' } },
    'confirmed the new address of Quill Clinic (new@clinic.example instead of old@clinic.example)',
  ],
  [
    { ...CLINIC, action: 'ask-address', details: { use: 'requests', to: 'b@clinic.example', by: 'a@clinic.example' } },
    'asked for b@clinic.example as the address for the requests of Quill Clinic (a@clinic.example)',
  ],
  [
    {
      ...CLINIC,
      action: 'change-address',
      details: { use: 'late', from: null, to: 'b@clinic.example', by: 'a@clinic.example' },
    },
    'changed the address for late answers of Quill Clinic from none to b@clinic.example (a@clinic.example)',
  ],
  [{ action: 'opt-out', details: { reason: 'link' } }, 'stopped contact with lead #7 by the link in an e-mail'],
  [{ action: 'opt-out', details: { reason: 'staff' } }, 'stopped contact with lead #7 as that person asked'],
  [
    { action: 'opt-out', entity: 'suppression', details: { reason: 'stop' } },
    'stopped contact with a person without a lead, after a STOP',
  ],
  [{ action: 'lift-opt-out' }, 'allowed contact again for lead #7'],
  [{ action: 'lift-opt-out', entity: 'suppression' }, 'allowed contact again at an address or a number'],
  [{ action: 'sign-in' }, 'signed in'],
  [{ ...BEN, action: 'sign-in-failed', details: { count: 2 } }, 'entered 2 wrong passwords for the account of Ben Ito'],
  [
    { ...BEN, action: 'sign-in-failed', entity_name: null, details: { count: 1 } },
    'entered 1 wrong password for the account of #3',
  ],
  [{ action: 'sign-in-failed', entity_id: 'shared' }, 'entered 1 wrong password for the shared password'],
  [{ action: 'sign-in-failed', entity_id: 'unknown' }, 'entered 1 wrong password for an e-mail that has no account'],
  [{ action: 'end-session', details: { account: 'shared' } }, 'ended a session of the shared password'],
  [{ action: 'end-session' }, 'ended a session'],
  [{ ...BEN, action: 'change', details: ROLE }, 'made Ben Ito a manager, who was a viewer'],
  [{ ...BEN, action: 'change', details: { renamed: true } }, 'renamed the account of Ben Ito'],
  [
    { ...BEN, action: 'change', details: { ...ROLE, renamed: true } },
    'made Ben Ito a manager, who was a viewer, and renamed the account',
  ],
  [{ ...BEN, action: 'set-password' }, 'chose a new password'],
  [{ ...BEN, action: 'set-password', details: { link: 'invitation' } }, 'chose a password'],
  [{ ...BEN, action: 'reset-password' }, 'reset the password of Ben Ito'],
  [
    { action: 'read-limit', entity: 'session', entity_id: '7', details: { max: 3000 } },
    'opened the details of 3,000 people within an hour, and was stopped',
  ],
  [
    { action: 'find-person', entity: 'person', entity_id: 'all', details: { leads: [1, 2], applications: [3] } },
    'looked for everything about a person, and found 2 leads and 1 application',
  ],
  [
    { action: 'find-person', entity: 'person', entity_id: 'all', details: { leads: [], applications: [] } },
    'looked for everything about a person, and found nothing',
  ],
  [
    { action: 'erase', entity: 'lead', entity_id: '7', entity_name: null, details: { request: 3 } },
    'erased lead #7 because the person asked for it (erasure no. 3)',
  ],
  [
    { action: 'erase', entity: 'lead', entity_id: '7', entity_name: null, details: { again: true } },
    'erased lead #7 again after a backup was restored',
  ],
  [{ action: 'sign-in', details: { factor: 'sso' } }, 'signed in with single sign-on'],
  [{ action: 'sign-in', details: { factor: 'recovery_code' } }, 'signed in with a recovery code'],
  [
    { ...BEN, action: 'sign-in-failed', details: { count: 3, wrong: 'code' } },
    'entered 3 wrong codes for the account of Ben Ito',
  ],
  [
    { ...BEN, action: 'sign-in-failed', details: { count: 1, wrong: 'passkey' } },
    'used 1 wrong passkey for the account of Ben Ito',
  ],
  [{ ...BEN, action: 'add-factor', details: { kind: 'totp' } }, 'added an authenticator app'],
  [{ ...BEN, action: 'add-factor', details: { kind: 'passkey', name: 'Phone' } }, 'added the passkey “Phone”'],
  [{ ...BEN, action: 'add-factor', details: { kind: 'recovery_codes' } }, 'made new recovery codes'],
  [{ ...BEN, action: 'remove-factor', details: { kind: 'passkey', name: 'Phone' } }, 'removed the passkey “Phone”'],
  [
    { ...VIEW, action: 'save-view', entity_name: 'Texas', details: { is_shared: true } },
    'saved the view “Texas” for all',
  ],
  [{ ...VIEW, action: 'change-view', details: { is_shared: false } }, 'changed the view #5'],
  [{ ...VIEW, action: 'delete-view', details: { is_shared: true } }, 'deleted a view for all'],
  [
    { ...LEADS, details: { filter: { not_reached: true, state: 'TX', source: 'none' }, rows: 2, complete: true } },
    'downloaded 2 leads (clinic not reached, in TX, source: unknown)',
  ],
  [
    { ...LEADS, details: { filter: { min_miles: 20, max_age_days: 1, campaign: 'x' }, rows: 2, complete: true } },
    'downloaded 2 leads (20 miles or more, up to 1 day old, campaign: x)',
  ],
  [
    { ...LEADS, details: { filter: { owner: 3, tag: 'vip', due: true }, rows: 2, complete: true } },
    'downloaded 2 leads (owner: Ada 3, tag: vip, next action is due)',
  ],
  [
    { ...LEADS, details: { filter: { owner: 'none', due: false }, rows: 2, complete: true } },
    'downloaded 2 leads (owner: nobody, next action is not due)',
  ],
]

it.each(SENTENCES)('$action is told in words: %#', (line, words) => expect(textOf(line)).toBe(words))

it('tells of an act that only an earlier version had', () => {
  expect(textOf({ ...LEAD, action: 'link-person', details: { other: 5 } })).toBe('did “link person” on lead #7')
})

it.each([
  ['ada@leadwell.example', 'Ada Park', 'Ada Park'],
  ['ada@leadwell.example', null, 'ada@leadwell.example'],
  ['staff', null, 'Shared password'],
  ['command line', null, 'Command line'],
  ['system', null, 'Leadwell itself'],
  ['unknown', null, 'Somebody'],
  ['clinic', null, 'A clinic'],
  ['visitor', null, 'A visitor'],
])('%s, named %s, is called %s', (actor, actor_name, name) => expect(actorName({ actor, actor_name })).toBe(name))
