/*
 * The fictional people, clinics and events of the email samples.
 */

import type { Application } from '../../core/applications/contract/applications.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import { FIGURES, type Figures, type Overview } from '../../core/insight/contract/overview.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { type AnswerKind, OutcomeKind } from '../../core/leads/contract/outcomes.ts'
import type { NearProvider, Provider } from '../../core/providers/stores/providers.ts'
import type { SyncChange, SyncRunDetails } from '../../core/sync/contract/sync.ts'

export const env = {
  PUBLIC_URL: 'http://localhost:3000',
  TEAM_EMAIL: 'team@leadwell.example',
  NETWORK_TIME_ZONE: 'America/New_York',
  MATCH_RADIUS_MILES: 100,
}

const lead: Lead = {
  id: 4182,
  first_name: 'Jordan',
  last_name: 'Avery',
  email: 'jordan.avery@visitors.example',
  phone: '(512) 555-0117',
  zip_code: '78702',
  provider_id: 7,
  created_at: '2026-11-15T04:30:00.000Z',
  crm_sync_status: 'pending',
  email_status: 'pending',
  acceptance_message: CONSENT.form.wording,
  acceptance_consent: true,
  acceptance_ip: '203.0.113.7',
  matched_at: '2026-11-15T04:30:00.000Z',
  match_kind: 'nearest',
  match_distance_miles: 3.4,
  match_skipped: null,
  held_reason: null,
  repeat_of: null,
  outcome: null,
  outcome_at: null,
  is_test: false,
}
const unmatched = { ...lead, provider_id: null, matched_at: null, match_kind: null, match_distance_miles: null }

export const provider: Provider = {
  id: 7,
  wordpress_id: 311,
  name: 'Dr. Rosa Quill',
  practiceName: 'Lamar Men’s Health',
  address: '1200 Lamar Boulevard, Austin, TX',
  zipCode: '78701',
  city: 'Austin',
  state: 'TX',
  status: 't',
  latitude: 30.27,
  longitude: -97.74,
  phone: '(512) 555-0142',
  email: 'desk@lamar.example',
  requestEmail: 'desk@lamar.example',
  website: 'https://lamar.example',
  url: null,
  mpxapi: null,
  domain: null,
  google_ads_id: null,
  bing_ads_id: null,
  image_url: '/demo/clinic-1.svg',
  logo_url: null,
  picture_problem: null,
  accepts_free_consultation: true,
  accepts_financing: false,
  hidden: false,
  activation: 'activated',
}
export const previous: Provider = {
  ...provider,
  id: 12,
  practiceName: 'Calloway Clinic',
  email: 'desk@calloway.example',
  requestEmail: 'desk@calloway.example',
}
const nearest: NearProvider[] = [
  {
    id: 12,
    name: 'Dr. Ines Calloway',
    practiceName: 'Calloway Clinic',
    zipCode: '73301',
    phone: '(512) 555-0163',
    miles: 112.4,
  },
  { id: 31, name: 'Dr. Tomas Wren', practiceName: null, zipCode: '77002', phone: null, miles: 146.2 },
  {
    id: 8,
    name: 'Dr. Ada Lindqvist',
    practiceName: 'North Loop Practice',
    zipCode: '75201',
    phone: '214-555-0188',
    miles: 1182.9,
  },
]

const application: Application = {
  id: 96,
  created_at: '2026-11-22T09:41:00.000Z',
  status: 'new',
  name: 'Dr. Ines Calloway',
  practice_name: 'Calloway Clinic',
  email: 'ines@calloway.example',
  phone: '(512) 555-0163',
  zip_code: '78701',
  website: 'https://calloway.example',
  message: 'We have two treatment rooms.\nWhen does the next training begin?',
  email_status: 'pending',
  held_reason: null,
  owner_id: null,
  owner_name: null,
  promised_at: '2026-11-22T09:41:00.000Z',
  reviewed_at: null,
}

export const LONG = 'Wolfeschlegelsteinhausenbergerdorff'
export const long = {
  first_name: `${LONG}${LONG}`.slice(0, 60),
  last_name: `${LONG} de la Santísima Trinidad y Todos los Santos`,
  email: `${LONG}.${LONG}@a-rather-long-host-name-of-some-company.visitors.example`.toLowerCase(),
  phone: '+1 (512) 555-0117 extension 4452',
}
export const rightToLeft = { first_name: 'יעל', last_name: 'בן-דוד', phone: '+972 50 555 0117' }
export const hostile = {
  first_name: '<script>alert(1)</script>\u202e',
  last_name: '"Quotes" & <b>bold</b> {{name}} &amp;',
  phone: 'call me: <a href=x>',
  acceptance_message: '</td></table><img src=x onerror=alert(1)><!-- ',
}

const optOutUrl = `${env.PUBLIC_URL}/do-not-contact?t=person.4182.eQ2hlY2sgdGhlIGFkZHJlc3M.sample`

const requestUrl = `${env.PUBLIC_URL}/r/AAAAEFYAAAAHaRqFaE4uQ2hlY2sgdGhlIGFkZHI`

export const aboutLead = (context: { lead?: Partial<Lead>; provider?: Partial<Provider> } = {}) => ({
  lead: { ...lead, ...context.lead },
  provider: { ...provider, ...context.provider },
  ...{ optOutUrl, requestUrl },
  ...{ earlier: null, formerPhone: null, calling: null },
  callBy: '2026-11-16T23:00:00.000Z',
  place: 'Austin, TX 78702',
  timeZone: 'America/Chicago',
})
export const aboutAnswer = (answer: { hasArrived?: boolean; isUncalled?: boolean; clinicSaid?: AnswerKind } = {}) => ({
  ...aboutLead(),
  questionUrl: `${env.PUBLIC_URL}/called/sample`,
  answer: {
    dueAt: '2026-11-17T19:00:00.000Z',
    requestUrl: `${env.PUBLIC_URL}/r/sample`,
    secondEmail: 'owner@lamar.example',
    hasArrived: true,
    isUncalled: false,
    clinicSaid: null,
    ...answer,
  },
})
export const withoutProvider = (overrides: Partial<Lead> = {}) => ({
  lead: { ...unmatched, ...overrides },
  provider: null,
  nearest,
  optOutUrl,
})
export const aboutApplication = (overrides: Partial<Application> = {}) => ({
  application: { ...application, ...overrides },
  optOutUrl,
})

export const aboutAccount = {
  account: { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', disabled_at: null },
  at: '2026-11-22T09:41:00.000Z',
  link: {
    token: 'sample',
    url: `${env.PUBLIC_URL}/admin/password#sample`,
    expiresAt: '2026-11-25T09:41:00.000Z',
    requestedBy: 'ben@leadwell.example',
  },
  session: { ip: '198.51.100.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36' },
  act: { actor: 'ben@leadwell.example', action: 'add-factor' as const, details: { kind: 'totp' } },
}

export const changed = (overrides: Partial<SyncChange> = {}): SyncChange => ({
  kind: 'update',
  wordpress_id: 311,
  provider_id: 7,
  name: 'Dr. Rosa Quill',
  zipCode: '78701',
  reason: null,
  fields: [{ field: 'phone', from: '(512) 555-0142', to: '(512) 555-0177' }],
  recipient: 'desk@lamar.example',
  ...overrides,
})
export const NEW_EMAIL = { field: 'email', from: 'desk@lamar.example', to: 'front-desk@lamar.example' }
export const CREATED = changed({
  kind: 'create',
  wordpress_id: 402,
  provider_id: null,
  name: 'Dr. Tomas Wren',
  zipCode: '77002',
  fields: [
    { field: 'email', from: null, to: 'desk@wren.example' },
    { field: 'phone', from: null, to: '(713) 555-0120' },
  ],
  recipient: undefined,
})
export const syncRun = (...changes: SyncChange[]): SyncRunDetails => ({
  id: 58,
  impact: null,
  dry_run: false,
  trigger: 'schedule',
  started_by: null,
  started_by_name: null,
  state: 'done',
  created_at: '2026-11-22T15:07:00.000Z',
  started_at: '2026-11-22T15:07:01.000Z',
  finished_at: '2026-11-22T15:07:04.000Z',
  pages_done: 1,
  pages_total: 1,
  counts: {
    ...{ seen: 70, created: 1, updated: 2, deactivated: 0, reactivated: 0 },
    ...{ unchanged: 67, skipped: 0, unreadable: 0, missing: 0 },
  },
  approval_reasons: [],
  approves: null,
  can_be_approved: false,
  approved: null,
  leads_queued: 0,
  leads_matched: 0,
  old_leads: 0,
  old_leads_before: null,
  error: null,
  changes,
  skipped: [],
  doubts: [],
})

const figures = (...counts: number[]) =>
  Object.fromEntries(FIGURES.map((name, index) => [name, counts[index] ?? 0])) as Figures
const group = (name: string | null, ...counts: number[]) => ({
  ...{ name, source: null, providerId: null, now: figures(...counts), before: figures() },
})
const DELIVERED = { success: 40, pending: 1, failed: 0 }
const emptyOverview: Overview = {
  ...{ from: '2026-11-16', to: '2026-11-22', before: { from: '2026-11-09', to: '2026-11-15' } },
  totals: { now: figures(), before: figures() },
  answerTime: { now: null, before: null },
  outcomes: Object.fromEntries(OutcomeKind.options.map((kind) => [kind, 0])) as Overview['outcomes'],
  groups: { provider: [], source: [], campaign: [], state: [] },
  totalGroups: { provider: 0, source: 0, campaign: 0, state: 0 },
  ...{ days: [], coverage: { zips: [], totalZips: 0 }, madeUp: 0 },
  deliveries: { email: { ...DELIVERED, success: 0 }, crm: { ...DELIVERED, success: 0 } },
}

export const emptyWeek = { overview: emptyOverview, late: 0 }
export const week = {
  overview: {
    ...emptyOverview,
    totals: {
      now: figures(1204, 1189, 731, 402, 88, 12, 11, 4, 702, 511),
      before: figures(1131, 1130, 840, 520, 141, 63, 1, 0, 812, 699),
    },
    answerTime: { now: 12_240_000, before: 9_900_000 },
    groups: {
      ...emptyOverview.groups,
      source: [
        group('google', 700, 690, 420, 230, 40, 7),
        group(null, 240, 240, 160, 90, 31, 5),
        group('newsletter.of-a-partner-with-a-rather-long-name.example', 190, 190, 120, 70, 17, 0),
        group('\u202e<b>bing</b>', 74, 69, 31, 12, 0, 0),
      ],
      provider: [
        group('Calloway Clinic', 12, 12, 9, 4, 2, 0, 0, 0, 11, 4),
        group(`${LONG} & ${LONG} Partners`, 31, 31, 20, 9, 3, 1, 0, 0, 28, 19),
        group('North Loop Practice', 8, 8, 8, 8, 4, 2, 0, 0, 8, 8),
      ],
    },
    deliveries: { email: { ...DELIVERED, failed: 4 }, crm: { ...DELIVERED, failed: 1 } },
    madeUp: 31,
  },
  late: 191,
}
