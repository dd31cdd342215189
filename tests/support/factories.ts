import { CONSENT } from '../../core/contract/consent.ts'
import type { NewLead } from '../../core/contract/leads.ts'
import type { Db } from '../../core/db.ts'
import * as leads from '../../core/stores/leads.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'

let sequence = 0

/** A form that a visitor in Austin, Texas, has filled in. Each is another person's. */
export function leadForm(overrides: Partial<NewLead> = {}): NewLead {
  sequence += 1
  return {
    first_name: 'Jordan',
    last_name: 'Avery',
    email: `visitor${sequence}.${process.pid}@visitors.example`,
    phone: `(512) 555-${String(sequence).padStart(4, '0')}`,
    zip_code: '78702',
    acceptance_consent: true,
    acceptance_message: CONSENT.form.wording,
    ...overrides,
  }
}

/** Stores a provider, in Austin unless told otherwise. Columns as in the table. */
export async function createProvider(db: Db, overrides: Record<string, unknown> = {}): Promise<{ id: number }> {
  sequence += 1
  const [provider] = await db('providers')
    .insert({
      name: `Dr. Test ${sequence}`,
      practice_name: `Test Clinic ${sequence}`,
      address: '1 Main Street',
      zip_code: '78701',
      email: `clinic${sequence}@clinics.example`,
      phone: '(512) 555-0100',
      ...overrides,
    })
    .returning('id')
  return provider
}

/** Stores a lead as `POST /api/leads` does, unmatched unless a provider is given. */
export async function createLead(
  db: Db,
  { form = {}, providerId }: { form?: Partial<NewLead>; providerId?: number } = {},
): Promise<number> {
  const [receipt] = await leads.submit(db, [
    {
      lead: leadForm(form),
      match: providerId ? { providerId, kind: 'nearest', miles: 1.5 } : { providerId: null, nearestMiles: null },
      visit: { ip: '203.0.113.7', userAgent: 'test', pageUrl: 'http://localhost:3000/' },
    },
  ])
  if (!receipt || receipt instanceof Error) throw receipt
  return receipt.id
}

/** The headers of a signed-in browser, without a sign-in: those are limited to a few a minute. */
export async function staffHeaders(db: Db): Promise<{ cookie: string }> {
  return { cookie: `leadwell_session=${await staffSessions.open(db)}` }
}
