import { expect, it } from 'vitest'
import type { AuditLine } from '../../core/staff/contract/audit-log.ts'
import { wordsOf } from '../../web/dashboard/acts.ts'
import { actorName } from '../../web/lib/actors.ts'
import { auditLine } from '../components/samples.ts'

const nameOf = (id: number, of?: 'account') => (of === 'account' ? `Ada ${id}` : `Dr. ${id}`)

/** A line as a reader reads it, without who did it. */
function textOf(line: Partial<AuditLine>): string {
  const { what, row, facts } = wordsOf(auditLine(1, line), nameOf)
  return `${[what, row].filter(Boolean).join(': ')}${facts}`
}

const LEAD = { entity: 'lead', entity_id: '7' } as const
const CLINIC = { entity: 'provider', entity_id: '4', entity_name: 'Quill Clinic' } as const

const LINES: [Partial<AuditLine>, string][] = [
  [{ ...LEAD, action: 'retry-sync' }, 'CRM sync retried: lead #7'],
  [{ ...LEAD, entity_name: 'Jordan Avery', action: 'delete' }, 'Deleted: Jordan Avery'],
  [{ ...LEAD, action: 'pass-on', details: { from: 1, to: 2 } }, 'Lead passed on: lead #7 (from: Dr. 1, to: Dr. 2)'],
  [
    { ...LEAD, action: 'edit', details: { fields: ['email', 'zip_code'] } },
    'Lead corrected: lead #7 (fields: email, zip code)',
  ],
  [
    {
      ...{ action: 'export', entity: 'lead', entity_id: 'all' },
      details: { filter: { failed: true, provider_id: 2, owner: 3, from: '2026-11-01' }, sort: 'name', rows: 77 },
    },
    'Export downloaded (failed, provider: Dr. 2, owner: Ada 3, from: Nov 1, 2026, rows: 77)',
  ],
  [
    {
      ...{ ...CLINIC, action: 'change-rules' },
      details: {
        from: { is_paused: false, hours: null, daily_cap: 5 },
        to: { is_paused: true, hours: { 1: [['09:00', '17:00']] }, daily_cap: null },
      },
    },
    'Rules changed: Quill Clinic (to: is paused, hours: Mon 9–5, closed Tue–Sun, daily cap: none)',
  ],
  [
    { action: 'set-aside', entity: 'attention', entity_id: 'x', details: { key: 'unmatched:7', undone: true } },
    'Set aside (key: Unmatched 7, undone)',
  ],
  [
    { action: 'find-person', entity: 'person', entity_id: 'all', details: { leads: [1, 2], applications: [] } },
    'Person’s data found (leads: 1, 2)',
  ],
  [
    { action: 'sign-in', entity: 'session', entity_id: '-', details: { factor: 'recovery_code' } },
    'Signed in (factor: recovery code)',
  ],
]

it.each(LINES)('says what was done, to which row, and the stored details: %#', (line, words) =>
  expect(textOf(line)).toBe(words),
)

it('names an act that only an earlier version had', () => {
  expect(textOf({ ...LEAD, action: 'link-person', details: { other: 5 } })).toBe('link person: lead #7 (other: 5)')
})

it.each([
  ['ada@leadwell.example', 'Ada Park', 'Ada Park'],
  ['ada@leadwell.example', null, 'ada@leadwell.example'],
  ['staff', null, 'Shared password'],
  ['command line', null, 'Command line'],
  ['system', null, 'System'],
  ['unknown', null, 'Unknown'],
  ['clinic', null, 'A provider'],
  ['visitor', null, 'A visitor'],
])('%s, named %s, is called %s', (actor, actor_name, name) => expect(actorName({ actor, actor_name })).toBe(name))
