import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { JobState } from '../../core/contract/jobs.ts'
import type { LeadByPhone } from '../../core/contract/lead-edit.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createStaff, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const manager = useStaff(database)

type Headers = Record<string, string>

async function signedIn(role: StaffRole, name = 'Ada Park') {
  const account = await createStaff(database.db, { role, name })
  return { ...account, headers: await staffHeaders(database.db, account.id) }
}
const edit = (id: number, body: object, headers: Headers = manager) =>
  api.call('PATCH', `/api/leads/${id}`, body, headers)
const post = (path: string, headers: Headers = manager, body?: object) => api.call('POST', path, body, headers)
const get = async (path: string, headers: Headers = manager) => (await api.call('GET', path, undefined, headers)).body
const purposes = async (id: number, state: JobState = 'waiting') =>
  (await database.db('jobs').where({ lead_id: id, state }).pluck('purpose')).toSorted()

describe('a correction', () => {
  it('is stored, searched by, told to the CRM, and says what was', async () => {
    const id = await createLead(database.db, { form: { email: 'jordan@typo.example', first_name: 'Jordon' } })
    await database.db('jobs').where({ lead_id: id }).update({ state: 'done', finished_at: database.db.fn.now() })
    const ada = await signedIn('agent')
    const change = { email: 'jordan@visitors.example', first_name: 'Jordan' }
    expect(await edit(id, change, ada.headers)).toMatchObject({ status: 200, body: { success: true } })

    expect(await get(`/api/leads/${id}`)).toMatchObject(change)
    expect((await get('/api/leads?q=jordan@visitors')).total).toBe(1)
    expect((await get('/api/leads?q=typo.example')).total).toBe(0)
    expect(await purposes(id)).toEqual([expect.stringMatching(/^(created|matched)$/)])
    const { acts, edits } = await get(`/api/leads/${id}/jobs`)
    expect(acts).toMatchObject([{ action: 'edit', actor: ada.email }])
    expect(edits).toMatchObject([
      { field: 'first_name', was: 'Jordon', became: 'Jordan', at: acts[0].at, actor_name: 'Ada Park' },
      { field: 'email', was: 'jordan@typo.example', became: 'jordan@visitors.example' },
    ])
    expect(JSON.stringify(await database.db('audit_log'))).not.toContain('typo.example')
  })

  it('gives nobody who asked for no contact another address', async () => {
    const stopped = await createLead(database.db, { form: { email: 'stop@visitors.example', phone: '5125550103' } })
    const other = await createLead(database.db, { form: { email: 'other@visitors.example', phone: '5125550104' } })
    expect((await post(`/api/leads/${stopped}/opt-out`)).status).toBe(200)
    for (const [id, body] of [
      [stopped, { email: 'new@visitors.example' }],
      [other, { email: 'STOP@visitors.example' }],
      [other, { phone: '(512) 555-0103' }],
    ] as const) {
      expect(await edit(id, body)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('asked not to be contacted') },
      })
    }
    expect((await edit(stopped, { first_name: 'Jo' })).status).toBe(200)
    expect((await post(`/api/leads/${stopped}/send-again`)).status).toBe(409)
  })
})

describe('after a correction', () => {
  it('the e-mails are sent again, although the first ones arrived', async () => {
    const id = await createLead(database.db)
    await database.db('jobs').where({ lead_id: id }).update({ state: 'done', finished_at: database.db.fn.now() })
    expect((await post(`/api/leads/${id}/send-again`)).status).toBe(200)
    const { provider_id } = await get(`/api/leads/${id}`)
    expect(await purposes(id)).toEqual([provider_id === null ? 'team' : 'provider', 'visitor'].toSorted())
  })

  it('a lead without a clinic is matched again', async () => {
    const id = await createLead(database.db)
    await database.db('jobs').where({ lead_id: id }).update({ state: 'done', finished_at: database.db.fn.now() })
    await database.db('leads').where({ id }).update({ provider_id: null, matched_at: null, match_kind: null })
    expect((await post(`/api/leads/${id}/match-again`)).status).toBe(200)
    expect(await purposes(id)).toEqual(['nearest'])
  })
})

describe('a lead that phones', () => {
  const { first_name, last_name, email, phone, zip_code } = leadForm({ email: 'caller@visitors.example' })
  const caller: LeadByPhone = {
    ...{ first_name, last_name, email, phone, zip_code },
    ...{ consent_version: CONSENT.phone.version, agreed: true },
  }
  const enter = (body: object, headers: Headers = manager) => post('/api/phone-leads', headers, body)

  it('is stored like a form, with a consent that says who read it aloud', async () => {
    const ada = await signedIn('agent')
    const { status, body } = await enter(caller, ada.headers)
    expect([status, body]).toEqual([201, { id: expect.any(Number), held: false }])
    const details = await get(`/api/leads/${body.id}`)
    expect(details).toMatchObject({
      email,
      acceptance_consent: true,
      acceptance_ip: null,
      attribution: { first: { utm_source: 'phone' } },
      consent: {
        wording: CONSENT.phone.wording,
        wording_version: CONSENT.phone.version,
        sharing_wording: CONSENT.phone.sharing.wording,
        user_agent: `Read aloud on the phone by ${ada.email}`,
        ip: null,
      },
    })
    const { jobs, acts } = await get(`/api/leads/${body.id}/jobs`)
    expect(acts).toMatchObject([{ action: 'enter', actor: ada.email }])
    expect(jobs.length).toBeGreaterThan(0)
  })

  it('is held only for a person who asked for no contact', async () => {
    const stopped = await createLead(database.db, { form: { email, phone } })
    expect((await enter({ ...caller, first_name: 'www.example.com' })).body.held).toBe(false)
    await post(`/api/leads/${stopped}/opt-out`)
    const { body } = await enter(caller)
    expect(body.held).toBe(true)
    expect(await get(`/api/leads/${body.id}`)).toMatchObject({ held_reason: 'do_not_contact' })
  })

  it('needs the agreement and the wording of now; viewers enter none', async () => {
    expect(await enter({ ...caller, agreed: false })).toMatchObject({
      status: 422,
      body: { fields: { agreed: expect.any(String) } },
    })
    expect((await enter({ ...caller, consent_version: CONSENT.form.version })).status).toBe(422)
    expect((await enter({ ...caller, email: 'nobody' })).status).toBe(422)
    expect((await enter(caller, (await signedIn('viewer')).headers)).status).toBe(403)
    expect(await database.db('leads')).toEqual([])
  })

  it('is a consent that no public form can claim', async () => {
    const body = { ...leadForm(), acceptance_message: '', consent_version: CONSENT.phone.version }
    expect((await api.call('POST', '/api/leads', body)).status).toBe(422)
  })
})
