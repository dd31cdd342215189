import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import type { CrmServices, LeadEvent } from '../../worker/senders/crm-sender.ts'

export const LEAD: Lead = {
  id: 7,
  first_name: 'Zoë',
  last_name: "O'Brien 李",
  email: 'zoe@visitors.example',
  phone: '(512) 555-0100',
  zip_code: '78702',
  provider_id: null,
  created_at: '2026-11-20T12:00:00.000Z',
  crm_sync_status: 'pending',
  email_status: 'pending',
  acceptance_message: 'I consent.',
  acceptance_consent: true,
  acceptance_ip: '203.0.113.7',
  matched_at: null,
  match_kind: null,
  match_distance_miles: null,
  match_skipped: null,
  held_reason: null,
  outcome: null,
  outcome_at: null,
  repeat_of: null,
  is_test: false,
}

export const OUTCOME: LeadOutcome = {
  id: 1,
  kind: 'booked',
  reason: null,
  value_cents: 125_050,
  booked_for: '2026-12-01',
  note: 'Asked for Dr. Calloway.',
  source: 'clinic',
  actor: 'clinic',
  actor_name: null,
  clinic: 'Dr. Ines Calloway',
  at: '2026-11-20T12:00:00.000Z',
  happened_at: '2026-11-20T12:00:00.000Z',
}

export const PROVIDER: Provider = {
  id: 3,
  wordpress_id: 30,
  name: 'Dr. Ines Calloway',
  practiceName: 'Calloway Clinic',
  address: '1 Main Street',
  zipCode: '78701',
  city: 'Austin',
  state: 'TX',
  status: 't',
  latitude: 30.27,
  longitude: -97.74,
  phone: '(512) 555-0199',
  email: 'clinic@clinics.example',
  requestEmail: 'clinic@clinics.example',
  website: null,
  url: null,
  mpxapi: 'a secret of the clinic',
  domain: null,
  google_ads_id: null,
  bing_ads_id: null,
  image_url: null,
  logo_url: null,
  picture_problem: null,
  accepts_free_consultation: true,
  accepts_financing: false,
  hidden: false,
  activation: 'activated',
}

/** Makes the event of a new lead. */
export function leadEvent(id = LEAD.id, overrides: Partial<Lead> = {}): LeadEvent {
  const lead = { ...LEAD, id, ...(id !== LEAD.id && { email: `visitor${id}@visitors.example` }), ...overrides }
  return { messageId: `msg_${id}`, occurredAt: lead.created_at, purpose: 'created', lead, provider: null }
}

/** Reads of a CRM event without other leads. */
export const asTheyAre: CrmServices = {
  readNewest: async (event) => event,
  hasPerson: async () => false,
  findRenamed: async () => undefined,
  keep() {},
}

/** The DeliveryError with which something ends. */
export async function failure(sending: Promise<unknown>): Promise<DeliveryError> {
  const error = await sending.then(
    () => new Error('It was taken.'),
    (reason: Error) => reason,
  )
  if (!(error instanceof DeliveryError)) throw error
  return error
}
