import { type ApplicationSubmission, submitApplication } from '../../core/applications/applications.ts'
import type { NewApplication } from '../../core/applications/contract/applications.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import type { HeldReason, NewLead } from '../../core/contract/forms.ts'
import { storeLead } from '../../core/leads/store-lead.ts'
import { type Db, only } from '../../core/platform/db.ts'
import { fingerprint, hashPassword } from '../../core/platform/passwords.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import type { Changes } from '../../core/tables/table.ts'
import { CHAIN_KEY, STAFF_PASSWORD } from './env.ts'

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
    consent_version: CONSENT.form.version,
    ...overrides,
  }
}

/** Stores a provider, in Austin by default. Columns as in the table. */
export async function createProvider(db: Db, overrides: Changes<'providers'> = {}): Promise<{ id: number }> {
  sequence += 1
  const rows = await db('providers')
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
  return only(rows)
}

/** Adds a confirmed person of a clinic, who gets the requests or the notices of late answers. */
export async function createClinicPerson(
  db: Db,
  person: { provider_id: number; email: string; gets?: 'requests' | 'late' },
): Promise<number> {
  const rows = await db('clinic_people')
    .insert({ added_by: 'owner@clinics.example', confirmed_at: new Date(), ...person })
    .returning('id')
  return only(rows).id
}

/** Stores a lead as `POST /api/leads` does, unmatched unless a provider is given, held if there is a reason. */
export async function createLead(
  db: Db,
  { form = {}, providerId, heldReason }: { form?: Partial<NewLead>; providerId?: number; heldReason?: HeldReason } = {},
): Promise<number> {
  const submission = {
    lead: leadForm(form),
    match: providerId
      ? ({ providerId, kind: 'nearest', miles: 1.5 } as const)
      : { providerId: null, nearestMiles: null },
    heldReason,
    visit: { ip: '203.0.113.7', userAgent: 'test', pageUrl: 'http://localhost:3000/' },
  }
  return (await storeLead(db, submission, CHAIN_KEY)).leadId
}

/** The deliveries of a lead, or those of them with these columns. */
export const jobsOf = (db: Db, leadId: number, columns: object = {}) =>
  db('jobs').where({ subject_kind: 'lead', subject_id: leadId, ...columns })

/** Ends all deliveries of a lead as if they had arrived. */
export const deliverAll = (db: Db, leadId: number) =>
  jobsOf(db, leadId).update({ state: 'done', attempts: 1, finished_at: db.fn.now() })

/** Returns the number of the lead or the application that a receipt is of, as staff see it. */
export async function idOf(db: Db, receipt: { id: number }, table = 'leads'): Promise<number> {
  return (await db(table).where('reference', receipt.id).first('id')).id
}

/** A form that a clinic in Austin, Texas, has filled in. Each is another clinic's. */
export function applicationForm(overrides: Partial<NewApplication> = {}): NewApplication {
  sequence += 1
  return {
    name: 'Dr. Ines Calloway',
    practice_name: `Calloway Clinic ${sequence}`,
    email: `applicant${sequence}.${process.pid}@clinics.example`,
    phone: `(512) 555-${String(sequence).padStart(4, '0')}`,
    zip_code: '78701',
    website: 'https://calloway.example',
    message: 'We are two urologists.\nCall us in the morning.',
    acceptance_consent: true,
    acceptance_message: CONSENT.application.wording,
    consent_version: CONSENT.application.version,
    ...overrides,
  }
}

/** Stores an application as `POST /api/provider-applications` does, held if there is a reason. */
export async function createApplication(
  db: Db,
  { form = {}, heldReason }: Pick<ApplicationSubmission, 'heldReason'> & { form?: Partial<NewApplication> } = {},
): Promise<number> {
  const submission = {
    application: applicationForm(form),
    heldReason,
    visit: { ip: '203.0.113.7', userAgent: 'test', pageUrl: 'http://localhost:3000/clinics' },
  }
  return (await submitApplication(db, submission, CHAIN_KEY)).applicationId
}

/** A password of staff in tests, hashed as cheaply as the format allows. */
export const ACCOUNT_PASSWORD = 'an own password of staff'
const cheapHash = hashPassword(ACCOUNT_PASSWORD, { memoryCost: 8 })

/** Stores an account of staff, a manager's by default. Columns as in the table. */
export async function createStaff(
  db: Db,
  overrides: Changes<'staff_accounts'> = {},
): Promise<{ id: number; email: string }> {
  sequence += 1
  const rows = await db('staff_accounts')
    .insert({
      name: `Staff ${sequence}`,
      email: `staff${sequence}@leadwell.example`,
      role: 'manager',
      password_hash: await cheapHash,
      ...overrides,
    })
    .returning(['id', 'email'])
  return only(rows)
}

/** Stores an account as `createStaff` does, and signs it in. `headers` are those of its browser. */
export async function signedInStaff(db: Db, overrides: Changes<'staff_accounts'> = {}) {
  const account = await createStaff(db, overrides)
  return { ...account, headers: await staffHeaders(db, account.id) }
}

/** Stores a run of the provider sync that has ended. Columns as in the table. */
export async function createSyncRun(db: Db, overrides: Changes<'provider_syncs'> = {}): Promise<{ id: number }> {
  const now = db.fn.now()
  const rows = await db('provider_syncs')
    .insert({ trigger: 'staff', started_by: 'staff', state: 'done', finished_at: now, ...overrides })
    .returning('id')
  return only(rows)
}

/** The headers of a signed-in browser: of the shared password, or of an account. */
export async function staffHeaders(db: Db, accountId?: number): Promise<{ cookie: string }> {
  const owner = accountId ? { accountId } : { sharedFingerprint: await fingerprint(STAFF_PASSWORD) }
  return { cookie: `leadwell_session=${(await staffSessions.open(db, owner)).token}` }
}
