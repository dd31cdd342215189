import type { Application, ApplicationDetails } from '../../core/applications/contract/applications.ts'
import type { StaffSettings } from '../../core/conditions/contract/integrations.ts'
import type { LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import type { LeadDetails, ListedLead } from '../../core/leads/contract/leads.ts'
import type { ClinicFigures, ClinicMail, ProviderRecord } from '../../core/providers/contract/provider-record.ts'
import type { MicrositeProvider, StaffProvider } from '../../core/providers/contract/providers.ts'
import type { AccessLine, AuditLine } from '../../core/staff/contract/audit-log.ts'
import type { OpenSession } from '../../core/staff/contract/session.ts'
import type { StaffAccount } from '../../core/staff/contract/staff.ts'

const AT = '2026-11-20T15:00:00.000Z'
const SENT = { status: 'success', next_attempt_at: null } as const

/** A lead in Austin, Texas, whose deliveries have succeeded. */
export function lead(id: number, overrides: Partial<ListedLead> = {}): ListedLead {
  return {
    ...{ id, first_name: 'Jordan', last_name: `Avery${id}`, email: `visitor${id}@visitors.example` },
    ...{ phone: `(512) 555-${String(id).padStart(4, '0')}`, zip_code: '78702', place: 'Austin, TX', provider_id: 1 },
    ...{ created_at: AT, matched_at: AT, match_kind: 'nearest', match_distance_miles: 1.5, match_skipped: null },
    ...{ crm_sync_status: 'success', email_status: 'success', deliveries: { crm: SENT, clinic: SENT, visitor: SENT } },
    ...{ acceptance_message: 'I agree.', acceptance_consent: true, acceptance_ip: '203.0.113.7' },
    ...{ held_reason: null, outcome: null, outcome_at: null, answer: null, repeat_of: null, is_test: false },
    ...{ requests: { number: 1, total: 1 }, owner: null, tags: [], next_action_on: null, source: null, campaign: null },
    ...overrides,
  }
}

/** A lead with everything that is known of it: the record of its consent, but no attribution. */
export function leadDetails(id: number, overrides: Partial<LeadDetails> = {}): LeadDetails {
  return {
    ...lead(id),
    ...{ time_zone: 'America/Chicago', crm_external_id: null, request_id: null, attribution: {}, samePerson: [] },
    booked_for: null,
    ...{ next_action: null, notes: [], opt_out: { since: null, clinics: [] } },
    clinic: {
      ...{ name: 'Dr. Test 1', practiceName: 'Test Clinic 1' },
      ...{ phone: '(512) 555-0100', email: 'clinic1@clinics.example' },
    },
    consent: {
      ...{ wording: 'I agree to be called.', wording_version: '2026-01', channel: 'form' },
      ...{ wording_hash: 'a'.repeat(64), sharing_wording: null, sharing_version: null },
      ...{ given_at: AT, ip: '203.0.113.7', user_agent: null, page_url: null },
    },
    ...overrides,
  }
}

const FIGURES: ClinicFigures = {
  ...{ requests: 20, delivered: 18, failed: 2, opened: 15, reached: 10, booked: 5, timed: 12, in_time: 9 },
  ...{ answer_time: 3 * 3_600_000, declined: [{ reason: 'no_capacity', count: 2 }], opted_out: 1, not_called: 2 },
  distance: { p50: 12, p90: 45 },
}

/** The record of a clinic with twenty requests and no trouble. */
export function providerRecord(id: number, overrides: Partial<ProviderRecord> = {}): ProviderRecord {
  const network = {
    ...{ clinics: 7, requests: 11, opened: 0.8, reached: 0.4, booked: 0.2, in_time: 0.5, distance: 20 },
    answer_time: 5 * 3_600_000,
  }
  return {
    provider: provider(id, { leadCount: 20 }),
    place: { city: 'Austin', state: 'TX' },
    address: `clinic${id}@clinics.example`,
    people: [
      {
        ...{ id: null, email: `clinic${id}@clinics.example`, gets: 'requests' },
        ...{ added_at: null, added_by: null, confirmed_at: null },
      },
    ],
    health: { state: 'ok', since: null, failed: 0, of: 1 },
    mails: [clinicMail(1)],
    figures: { own: FIGURES, network },
    months: [],
    failed_leads: [],
    changes: [],
    ...overrides,
  }
}

/** A delivered email to a clinic about the lead of that number. */
export function clinicMail(leadId: number, overrides: Partial<ClinicMail> = {}): ClinicMail {
  return {
    id: `00000000-0000-4000-8000-${String(leadId).padStart(12, '0')}`,
    purpose: 'provider',
    lead_id: leadId,
    at: AT,
    ...{ state: 'delivered', error: null, detail: null, cause: null },
    ...overrides,
  }
}

/** An active clinic in Austin, Texas. */
export function provider(id: number, overrides: Partial<StaffProvider> = {}): StaffProvider {
  return {
    ...{ id, name: `Dr. Test ${id}`, practiceName: `Test Clinic ${id}`, status: 't', address: '1 Main Street' },
    ...{ zipCode: '78701', city: 'Austin', state: 'TX', latitude: 30.27, longitude: -97.74, phone: '(512) 555-0100' },
    ...{ website: null, url: null, domain: null, image_url: null, logo_url: null, picture_problem: null },
    ...{ accepts_free_consultation: false, accepts_financing: false, google_ads_id: null, bing_ads_id: null },
    ...{ wordpress_id: 4700 + id, email: `clinic${id}@clinics.example`, mpxapi: null, leadCount: 0, new_email: null },
    ...{ hidden: false, activation: 'activated', obstacle: null },
    requestEmail: overrides.email ?? `clinic${id}@clinics.example`,
    ...overrides,
  }
}

/** The same clinic as anybody sees it who is on its page. */
export function micrositeProvider(id: number, overrides: Partial<MicrositeProvider> = {}): MicrositeProvider {
  const { wordpress_id, email, requestEmail, mpxapi, leadCount, new_email, hidden, obstacle, ...clinic } = provider(id)
  return { ...clinic, ...overrides }
}

/** A delivery that succeeded at the first attempt. */
export function job(overrides: Partial<LedgerJob> = {}): LedgerJob {
  const at = '2026-11-20T15:00:01.000Z'
  return {
    ...{ id: crypto.randomUUID(), name: 'sync-crm', purpose: 'created', generation: 1, recipient: null, state: 'done' },
    ...{ attempts: 1, attempt_log: [], advice: null, has_copy: false, result: null, next_attempt_at: at },
    ...{ last_error: null, last_cause: null, last_detail: null, created_at: at, enqueued_at: at, finished_at: at },
    ...overrides,
  }
}

/** An application of a clinic in Austin, Texas. */
export function application(id: number, overrides: Partial<Application> = {}): Application {
  return {
    ...{ id, name: 'Dr. Ines Calloway', practice_name: `Calloway Clinic ${id}`, phone: '(512) 555-0100' },
    ...{ email: `applicant${id}@clinics.example`, zip_code: '78701', website: 'https://calloway.example' },
    ...{ message: 'We are two urologists.', status: 'new', created_at: AT, promised_at: AT, reviewed_at: null },
    ...{ email_status: 'success', held_reason: null, owner_id: null, owner_name: null },
    ...overrides,
  }
}

/** An application with everything that is known of it: nothing is noted. */
export function applicationDetails(id: number, overrides: Partial<ApplicationDetails> = {}): ApplicationDetails {
  return {
    ...{ ...application(id), place: { city: 'Austin', state: 'TX' }, notes: [], provider: null },
    stages: [{ status: 'new', at: AT, actor: null, actor_name: null }],
    ledger: { jobs: [], acts: [], outcomes: [], edits: [] },
    ...overrides,
  }
}

/** WordPress and map tiles are connected. */
export function settings(overrides: Partial<StaffSettings> = {}): StaffSettings {
  return {
    ...{ wordpress_url: 'https://clinics.example/wp', match_radius_miles: 100, has_leads: true },
    map_tiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '' },
    proxy_ignored: false,
    ...overrides,
  }
}

/** An act of Ada Park, a manager: she retried the CRM sync of lead 7. */
export function auditLine(id: number, overrides: Partial<AuditLine> = {}): AuditLine {
  return {
    ...{ id, at: AT, actor: 'ada@leadwell.example', actor_name: 'Ada Park', action: 'retry-sync', entity: 'lead' },
    ...{ entity_id: '7', entity_name: null, details: {}, ip: null, session_id: null },
    ...overrides,
  }
}

/** The account of Ada Park, a manager who is not signed in. */
export function staffAccount(id: number, overrides: Partial<StaffAccount> = {}): StaffAccount {
  return {
    ...{ id, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager', created_at: '2026-10-01T15:00:00.000Z' },
    ...{ disabled_at: null, has_password: true, link: null, two_step: false, last_seen_at: null, open_sessions: 0 },
    ...overrides,
  }
}

/** A browser that is signed in with the shared password: not the one that asks. */
export function openSession(id: number, overrides: Partial<OpenSession> = {}): OpenSession {
  return {
    ...{ id, current: false, account: null, created_at: AT, last_seen_at: AT, expires_at: '2026-11-21T15:00:00.000Z' },
    ...{ ip: '203.0.113.7', user_agent: null },
    ...overrides,
  }
}

/** A reading of the list of leads by a viewer. */
export function accessLine(id: number, overrides: Partial<AccessLine> = {}): AccessLine {
  return {
    ...{ id, at: AT, actor: 'viewer@leadwell.example', actor_name: 'Vera Quill', session_id: 7, ip: '198.51.100.20' },
    ...{ call: 'GET /api/leads', entity: 'lead', count: 2, row_ids: [11, 12], filter: {} },
    ...overrides,
  }
}
