import { describe, expect, it } from 'vitest'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { countRows } from '../../core/platform/db.ts'
import { onBehalfOf } from '../../core/platform/log.ts'
import * as consents from '../../core/privacy/stores/consents.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { CHAIN_KEY } from '../support/env.ts'
import {
  createApplication,
  createLead,
  createProvider,
  createStaff,
  jobsOf,
  staffHeaders,
} from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const ADA = { first_name: 'Ada', last_name: 'Canary', email: 'ada.canary@visitors.example', phone: '(512) 555-0142' }
const find = (contact: string, headers: Record<string, string> = staff) =>
  api.call('POST', '/api/privacy/find', { contact }, headers)
const erase = (contact: string, forms: unknown[], headers: Record<string, string> = staff) =>
  api.call('POST', '/api/privacy/erase', { contact, forms }, headers)

/** Ada's request, known to a clinic and to the CRM, and Ada's application, among those of others. */
async function storeForms() {
  const { id: providerId } = await createProvider(database.db, {
    name: 'Dr. Known',
    practice_name: 'Known Clinic',
    email: 'known@clinics.example',
  })
  const lead = await createLead(database.db, { form: ADA, providerId })
  const application = await createApplication(database.db, { form: { email: ADA.email.toUpperCase() } })
  const other = await createLead(database.db, { form: { phone: '(512) 555-0143' }, providerId })
  await database.db('jobs').update({
    state: 'done',
    attempts: 1,
    finished_at: new Date(),
    result: JSON.stringify({ to: 'known@clinics.example', externalId: 'crm-1' }),
  })
  await database.db('leads').update({ crm_external_id: 'crm-1' })
  return { lead, application, other, providerId }
}

/** Another lead of Ada's phone, which was corrected. Returns its id. */
async function editedToo(): Promise<number> {
  const id = await createLead(database.db, { form: { phone: ADA.phone } })
  await api.call('PATCH', `/api/leads/${id}`, { phone: '(512) 555-0177' }, staff)
  return id
}

/** Every text of every table but those of staff. */
async function everythingStored(): Promise<string> {
  const tables = await database
    .db('information_schema.tables')
    .where({ table_schema: 'public', table_type: 'BASE TABLE' })
    .whereNotIn('table_name', ['zip_codes', 'staff_accounts', 'staff_sessions'])
    .pluck('table_name')
  const rows = await Promise.all(tables.map((table: string) => database.db(table)))
  return JSON.stringify(rows)
}

describe('what is stored about a person', () => {
  it('is found by the email in any case: every form with its deliveries, consent, acts and readers', async () => {
    const { lead, application } = await storeForms()
    const reader = await createStaff(database.db, { email: 'reader@leadwell.example' })
    await api.call('GET', `/api/leads/${lead}`, undefined, await staffHeaders(database.db, reader.id))
    await api.writeReadings()

    const { status, body } = await find('Ada.Canary@visitors.example')
    expect(status).toBe(200)
    expect(body.forms.map(({ kind, id }: { kind: string; id: number }) => [kind, id]).toSorted()).toEqual([
      ['application', application],
      ['lead', lead],
    ])
    const request = body.forms.find(({ kind }: { kind: string }) => kind === 'lead')
    expect(request).toMatchObject({
      fields: { first_name: 'Ada', email: ADA.email, phone: ADA.phone },
      clinics: [{ name: 'Dr. Known', email: 'known@clinics.example' }],
      consent: { ip: '203.0.113.7' },
      reads: [{ actor: 'reader@leadwell.example' }],
      deleted_at: null,
    })
    expect(request.deliveries.map(({ recipient }: { recipient: string }) => recipient)).toContain(
      'known@clinics.example',
    )
    expect(Object.keys(request.fields)).not.toContain('person_key')
  })

  it('is found by an address or a phone from before a correction, and erased with it', async () => {
    const { lead } = await storeForms()
    const corrected = { email: 'right@visitors.example', phone: '(512) 555-0199' }
    await api.call('PATCH', `/api/leads/${lead}`, corrected, staff)
    await deleteLead(database.db, await editedToo(), { actor: 'staff' })
    for (const contact of [ADA.email.toUpperCase(), '512 555 0142', corrected.email, '+1 (512) 555-0199']) {
      const { forms } = (await find(contact)).body
      expect(forms).toContainEqual(expect.objectContaining({ kind: 'lead', id: lead }))
    }
    const { forms } = (await find('512-555-0142')).body
    expect(forms.map(({ deleted_at }: { deleted_at: string | null }) => deleted_at !== null).toSorted()).toEqual([
      false,
      true,
    ])
    const named = forms.map(({ kind, id }: { kind: string; id: number }) => ({ kind, id }))
    expect((await erase('512-555-0142', named)).status).toBe(200)
    await database.db('provider_applications').delete()
    expect(await everythingStored()).not.toMatch(/canary|555-0142|right@visitors|555-0199/i)
  })

  it('has a section for the rows of every table that names a lead', async () => {
    const { db } = database
    const { lead } = await storeForms()
    const { id: next } = await createProvider(db)
    const { id: job } = found(await jobsOf(db, lead).first('id'))
    const act = async (method: string, path: string, body: unknown) =>
      expect((await api.call(method, `/api/leads/${lead}${path}`, body, staff)).status, path).toBeLessThan(300)
    await act('PATCH', '', { phone: '(512) 555-0177' })
    await act('PATCH', '', { phone: ADA.phone })
    await act('PATCH', '/work', { next_action: 'Call again', tags: ['vip'] })
    await act('POST', '/notes', { body: 'Prefers mornings' })
    await act('POST', '/outcomes', { kind: 'treated', value_cents: 250_000, note: 'takes nitrates' })
    await act('PATCH', '/provider', { providerId: next })
    expect((await api.call('POST', '/api/opt-outs', { lead_id: lead }, staff)).status).toBe(200)
    await db('bulk_items').insert({ job_id: job, position: 1, lead_id: lead })

    const { forms } = (await find(ADA.email)).body
    const form = forms.find(({ kind }: { kind: string }) => kind === 'lead')
    const sections: Record<string, unknown[]> = {
      ...{ consents: [form.consent].filter(Boolean), lead_outcomes: form.outcomes },
      ...{ lead_edits: form.edits, opt_outs: form.opt_outs, lead_work: [form.work.next_action].filter(Boolean) },
      ...{ lead_notes: form.work.notes, ...form.other },
    }
    const tables: string[] = await db('information_schema.columns')
      .where({ table_schema: 'public', column_name: 'lead_id' })
      .pluck('table_name')
    for (const table of tables) {
      expect(
        await db(table).where('lead_id', lead).first('lead_id'),
        `This test stores no row of ${table}`,
      ).toBeDefined()
      expect(sections[table]?.length, `${table} is in no section of the record`).toBeGreaterThan(0)
    }
    expect(form.deliveries).toHaveLength(await countRows(jobsOf(db, lead)))
    expect(form.outcomes).toContainEqual(expect.objectContaining({ kind: 'treated', note: 'takes nitrates' }))
    expect(form.clinics.map(({ name }: { name: string }) => name)).toContain('Dr. Known')
    expect(form.other.suppressions.length).toBeGreaterThan(0)
    expect(JSON.stringify(form.other)).not.toContain('"hash"')
  })

  it('says that it was given to a clinic only where that got it', async () => {
    const { id: providerId } = await createProvider(database.db)
    await createLead(database.db, { form: ADA, providerId })
    const given = async () => (await find(ADA.email)).body.forms[0]
    expect(await given()).toMatchObject({ fields: { provider_id: providerId }, clinics: [] })
    await database.db('jobs').where({ purpose: 'provider' }).update({ state: 'done', finished_at: new Date() })
    expect(await given()).toMatchObject({ clinics: [{ id: providerId }] })
  })

  it('has no IP address of staff', async () => {
    const { lead } = await storeForms()
    await api.call('GET', `/api/leads/${lead}`, undefined, staff)
    await api.call('PATCH', `/api/leads/${lead}`, { first_name: 'Augusta' }, staff)
    await api.writeReadings()
    const form = (await find(ADA.email)).body.forms.find(({ kind }: { kind: string }) => kind === 'lead')
    expect([form.acts.length, form.reads.length]).toEqual([1, 1])
    expect(JSON.stringify([form.acts, form.reads])).not.toContain('127.0.0.1')
  })

  it('is for managers who have just confirmed who they are, and each search has a line', async () => {
    const { lead, application } = await storeForms()
    const viewer = await createStaff(database.db, { role: 'viewer' })
    expect((await find(ADA.email, await staffHeaders(database.db, viewer.id))).status).toBe(403)
    expect((await find(ADA.email, {})).status).toBe(401)
    expect(await database.db('audit_log')).toEqual([])

    await find(ADA.email)
    const [line] = await database.db('audit_log')
    expect(line).toMatchObject({
      action: 'find-person',
      entity: 'person',
      details: { leads: [lead], applications: [application] },
    })
    expect(JSON.stringify(line)).not.toContain('canary')

    await database.db('staff_sessions').update({ confirmed_at: new Date(0) })
    expect((await find(ADA.email)).body.code).toBe('confirm_identity')
    expect((await erase(ADA.email, [{ kind: 'lead', id: lead }])).body.code).toBe('confirm_identity')
  })
})

describe('an erasure', () => {
  it('leaves nothing of the person in the database, asks clinic and CRM, and has a receipt', async () => {
    const { lead, application, other, providerId } = await storeForms()
    await createLead(database.db, { form: { ...ADA, first_name: 'Augusta' }, providerId })
    const { body: person } = await find(ADA.email)
    // Also the last digits alone, unless they are amid those of a hash or an id.
    const phone = /5550142|(?<![\da-f])0142(?![\da-f]|-[\da-f]{4})/i
    expect(await everythingStored()).toMatch(phone)
    const forms = person.forms.map(({ kind, id }: { kind: string; id: number }) => ({ kind, id }))

    const { status, body: receipt } = await erase(ADA.email, forms)
    expect(status).toBe(200)
    expect(receipt.forms).toHaveLength(3)
    expect(
      receipt.forms.find(({ kind, id }: { kind: string; id: number }) => kind === 'lead' && id === lead),
    ).toMatchObject({
      reference: expect.stringMatching(/^\d+$/),
      notices: [
        { to: 'CRM', state: 'waiting' },
        { to: 'Known Clinic', state: 'waiting' },
      ],
    })

    const left = await everythingStored()
    expect(left).not.toMatch(/canary/i)
    expect(left).not.toMatch(phone)
    // Of the other person only.
    expect(await database.db('leads').pluck('id')).toEqual([other])
    expect(await database.db('consents').whereNotNull('ip').pluck('lead_id')).toEqual([other])
    expect(await database.db('application_consents').whereNotNull('ip')).toEqual([])
    expect(await database.db('provider_applications').where('id', application)).toEqual([])

    const again = await find(ADA.email)
    expect(again.body).toMatchObject({ forms: [], erased: [{ request_id: receipt.id }, {}, {}] })
    expect((await api.call('GET', '/api/privacy/erasures', undefined, staff)).body).toEqual({
      erasures: [receipt],
      total: 1,
    })
  })

  it('keeps evidence whose signature still verifies', async () => {
    const { lead } = await storeForms()
    await erase(ADA.email, [{ kind: 'lead', id: lead }])
    const where = { source: 'lead', row_id: lead, ip: null }
    for await (const row of consents.readEvidence(database.db)) {
      if (row.source === 'lead' && row.row_id === lead) expect(row).toMatchObject(where)
      expect(consents.isSigned(CHAIN_KEY, row)).toBe(true)
    }
  })

  it('takes only forms of the person that was searched for', async () => {
    const { lead, other } = await storeForms()
    const answer = await erase(ADA.email, [
      { kind: 'lead', id: lead },
      { kind: 'lead', id: other },
    ])
    expect([answer.status, answer.body.error]).toEqual([409, 'These requests have changed meanwhile. Search again.'])
    expect(await database.db('leads').pluck('id')).toEqual(expect.arrayContaining([lead, other]))
    expect((await erase(ADA.email, [])).status).toBe(422)
  })

  it('can be told again to those whom it has not reached, and to nobody else', async () => {
    const { lead } = await storeForms()
    const { body: receipt } = await erase(ADA.email, [{ kind: 'lead', id: lead }])
    const retry = () => api.call('POST', `/api/privacy/erasures/${receipt.id}/retry`, undefined, staff)
    expect((await retry()).status).toBe(409)

    await jobsOf(database.db, lead, { purpose: 'erased' }).update({
      state: 'failed',
      last_cause: 'unknown_mailbox',
      last_error: 'No such mailbox.',
      finished_at: new Date(),
    })
    expect((await retry()).status).toBe(200)
    const { body } = await api.call('GET', '/api/privacy/erasures', undefined, staff)
    expect(body.erasures[0].forms[0].notices).toMatchObject([
      { to: 'CRM', state: 'waiting' },
      { to: 'Known Clinic', state: 'waiting', error: null },
    ])
    expect(await jobsOf(database.db, lead, { purpose: 'erased' })).toHaveLength(2)
  })
})

describe('the IP address of a visit', () => {
  it('is shown with the lead as long as the evidence of the consent has it', async () => {
    const { db } = database
    const lead = await createLead(db)
    const shown = async () => (await api.call('GET', `/api/leads/${lead}`, undefined, staff)).body.acceptance_ip
    expect(await shown()).toBe('203.0.113.7')

    await db.transaction(async (trx) => {
      await trx.raw(`select set_config('leadwell.blank', 'consents', true)`)
      await trx('consents').update({ given_at: trx.raw(`now() - interval '366 days'`) })
    })
    await consents.blank(database.app, 365)
    expect(await shown()).toBeNull()
    expect(await everythingStored()).not.toContain('203.0.113.7')
  })

  it('is kept in the audit log for staff, and not for visitors and clinics', async () => {
    const { db } = database
    for (const actor of ['visitor', 'clinic', 'staff']) {
      const line = { actor, action: 'opt-out', entity: 'lead', entityId: 1 } as const
      await onBehalfOf('request', () => auditLog.record(db, line), { ip: '203.0.113.7' })
    }
    expect(await db('audit_log').orderBy('id').select('actor', 'ip')).toEqual([
      { actor: 'visitor', ip: null },
      { actor: 'clinic', ip: null },
      { actor: 'staff', ip: '203.0.113.7' },
    ])
  })
})

it('the hashes of an erasure end with the evidence of consents', async () => {
  const [old, recent] = ['a'.repeat(64), 'b'.repeat(64)]
  for (const [row_id, hash, years] of [
    [1, old, 6],
    [2, recent, 1],
  ] as const) {
    await database.db('erasures').insert({
      ...{
        kind: 'lead',
        row_id,
        sent_at: new Date(),
        reason: 'deleted',
        email_hash: hash,
        phone_hashes: [hash],
        crm_id: hash,
      },
      erased_at: database.db.raw(`now() - ? * interval '1 year'`, [years]),
    })
  }
  expect(await erasures.blankHashes(database.app, 1826)).toBe(1)
  expect(await erasures.blankHashes(database.app, 1826)).toBe(0)
  const left = JSON.stringify(await database.db('erasures'))
  expect([left.includes(old), left.includes(recent)]).toEqual([false, true])
  await expect(database.app.raw(`select blank_erasures(interval '3 years', 1)`)).rejects.toThrow(/four years/)
})
