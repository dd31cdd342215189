import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../../../core/deliveries/contract/jobs.ts'
import {
  maskApplication,
  maskAuditLine,
  maskDetails,
  maskPerson,
  maskRecord,
  maskSuppression,
} from '../../../../core/privacy/rules/masking.ts'
import * as samples from '../../../components/samples.ts'

const at = '2026-11-20T15:00:00.000Z'
const by = { at, actor: 'ada@leadwell.example', actor_name: 'Ada Park' }
const [TYPED, EMAIL, PHONE] = ['Write to jo@visitors.example', 'jo@visitors.example', '(512) 555-0142']
const [MASKED, MASKED_EMAIL, MASKED_PHONE] = ['Write to j•••@v•••.example', 'j•••@v•••.example', '••• 42']
const UUID = '00000000-0000-4000-8000-000000000007'

const attempt = { started_at: at, duration_ms: 5, status: 250, cause: null, next_attempt_at: null } as const
const outcome = { id: 1, kind: 'reached', reason: null, value_cents: null, booked_for: null, source: 'staff' } as const
const ledger = (text: string, email: string, phone: string, result: Ledger['jobs'][number]['result']): Ledger => ({
  acts: [],
  jobs: [
    samples.job({
      ...{ id: UUID, recipient: email, result, last_error: text, last_detail: text },
      attempt_log: [{ ...attempt, outcome: 'failed', error: text, detail: text }],
    }),
    samples.job({ id: UUID }),
  ],
  outcomes: [{ ...outcome, ...by, happened_at: at, clinic: null, note: text }],
  edits: [
    { ...by, field: 'email', was: email, became: email },
    { ...by, field: 'phone', was: phone, became: phone },
    { ...by, field: 'first_name', was: 'Jo', became: 'Jordan' },
  ],
})

describe('what a viewer sees', () => {
  it('of a lead has no contact details, no address of a network and no way to the site', () => {
    const lead = samples.leadDetails(42, { email: EMAIL, attribution: { first: { utm_source: 'radio' } } })
    const network = { ip: null, user_agent: null, page_url: null }
    expect(maskDetails(lead)).toEqual({
      ...{ ...lead, email: MASKED_EMAIL, phone: MASKED_PHONE, acceptance_ip: null, attribution: {} },
      consent: { ...lead.consent, ...network },
    })
    expect(maskDetails({ ...lead, consent: null }).consent).toBeNull()
  })

  it('of an application has none, also not in its message, notes and deliveries', () => {
    const details = (text: string, email: string, phone: string, result: { to: string } | null) =>
      samples.applicationDetails(1, {
        ...{ email, phone, message: text, notes: [{ ...by, id: 1, text }] },
        ledger: ledger(text, email, phone, result),
      })
    const masked = details(MASKED, MASKED_EMAIL, MASKED_PHONE, null)
    expect(maskApplication(details(TYPED, EMAIL, PHONE, { to: EMAIL }))).toStrictEqual(masked)
    expect(maskPerson(samples.application(1, { message: null })).message).toBeNull()
  })

  it('of the work on a lead, and of an opt-out, quotes none', () => {
    const note = { id: 1, at, author: 'ada@leadwell.example', author_name: 'Ada Park' }
    const who = { actor: by.actor, actor_name: by.actor_name, created_at: at, lifted_at: at }
    const optOut = { id: 1, kind: 'email', reason: 'staff', lead_id: 7, ...who } as const
    const work = (text: string) => ({
      ...{ next_action: text, notes: [{ ...note, body: text }] },
      opt_out: { since: { ...optOut, lifted_because: text }, clinics: [] },
    })
    expect(maskDetails(samples.leadDetails(42, work(TYPED)))).toMatchObject(work(MASKED))
    expect(maskSuppression({ ...optOut, lifted_because: TYPED })).toEqual({ ...optOut, lifted_because: MASKED })
  })

  it('of the audit log has no network address, and texts without contact details', () => {
    const details = {
      why: TYPED,
      job: UUID,
      at,
      day: '2026-11-20',
      count: 5,
      one: 'Call 2026-11-20',
      two: '2026-11-20 ok',
    }
    const line = samples.auditLine(1, { ip: '203.0.113.7', details })
    expect(maskAuditLine(line, 'manager')).toEqual(line)
    expect(maskAuditLine(line, 'agent')).toEqual({ ...line, ip: null })
    const masked = { ...details, why: MASKED, one: 'Call •••', two: '••• ok' }
    expect(maskAuditLine(line, 'viewer')).toEqual({ ...line, ip: null, details: masked })
  })

  it('of the record of a clinic is the same in its changes and emails', () => {
    const change = {
      kind: 'update',
      wordpress_id: 1,
      provider_id: 1,
      name: 'Quill',
      zipCode: '78701',
      reason: null,
    } as const
    const record = (ip: string | null, why: string, error: string) =>
      samples.providerRecord(1, {
        changes: [
          { at, act: samples.auditLine(1, { ip, details: { why } }) },
          { at, sync: { id: 1, change: { ...change, fields: [] } } },
        ],
        mails: [samples.clinicMail(1, { error, detail: null })],
      })
    const full = record('203.0.113.7', TYPED, TYPED)
    expect(maskRecord(full, 'manager')).toEqual(full)
    expect(maskRecord(full, 'agent')).toEqual(record(null, TYPED, TYPED))
    expect(maskRecord(full, 'viewer')).toEqual(record(null, MASKED, MASKED))
  })
})
