import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { previous, withoutProvider } from '../../worker/emails/sample-people.ts'
import type { CrmServices, LeadEvent } from '../../worker/senders/crm-sender.ts'

export const { lead: LEAD } = withoutProvider({
  id: 7,
  first_name: 'Zoë',
  last_name: "O'Brien 李",
  email: 'zoe@visitors.example',
  created_at: '2026-11-20T12:00:00.000Z',
  acceptance_message: 'I consent.',
})

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

export const PROVIDER: Provider = { ...previous, id: 3, name: 'Dr. Ines Calloway', mpxapi: 'a secret of the clinic' }

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
