import { describe, expect, it } from 'vitest'
import { ApplicationDetails, ApplicationReceipt } from '../../core/applications/contract/applications.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import { apiWith, useApi, useStaff } from '../support/api-server.ts'
import {
  applicationForm,
  createApplication,
  createLead,
  createStaff,
  deliverAll,
  idOf,
  jobsOf,
  leadForm,
  staffHeaders,
} from '../support/factories.ts'

const CALL = '/api/provider-applications'
const { api, database } = useApi()
const send = (body: unknown, headers = {}) => api.call('POST', CALL, body, headers)
const stored = () => database.db('provider_applications').orderBy('id')
const jobs = async () =>
  (await database.db('jobs').orderBy('purpose')).map(({ purpose, state }) => `${purpose} ${state}`)

describe('POST /api/provider-applications', () => {
  it('stores the application with its consent', async () => {
    const form = applicationForm({ website: 'calloway.example' })
    const { status, body } = await send(form, { 'user-agent': 'Browser/1.0', referer: 'http://localhost:3000/clinics' })

    expect(status).toBe(201)
    expect(ApplicationReceipt.strict().parse(body)).toEqual({ id: expect.any(Number) })
    expect(await stored()).toMatchObject([
      {
        reference: String(body.id),
        practice_name: form.practice_name,
        website: 'https://calloway.example',
        message: form.message,
      },
    ])
    expect(await database.db('application_consents').first()).toMatchObject({
      application_id: await idOf(database.db, body, 'provider_applications'),
      wording: CONSENT.application.wording,
      wording_version: CONSENT.application.version,
      ip: '127.0.0.1',
      user_agent: 'Browser/1.0',
      page_url: 'http://localhost:3000/clinics',
    })
    expect(await jobs()).toEqual(['applicant waiting', 'team waiting'])
  })

  it.each([
    ['honeypot', { topic: 'cheap pills' }],
    ['too_fast', { elapsed_ms: 40, touched: false }],
  ])('holds what looks automated (%s): the team alone is told', async (reason, signals) => {
    const { status, body } = await send({ ...applicationForm(), ...signals })
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number) } })
    expect(await stored()).toMatchObject([{ held_reason: reason }])
    expect(await jobs()).toEqual(['team waiting'])
  })

  it('has a limit per address of its own', async () => {
    const limited = await apiWith(database.app, { LEAD_RATE_PER_MINUTE: '2' })
    for (const expected of [201, 201, 429]) {
      const { status, headers } = await limited.call('POST', CALL, applicationForm())
      expect([status, headers.has('retry-after')]).toEqual([expected, expected === 429])
    }
    expect((await limited.call('POST', '/api/leads', leadForm())).status).toBe(201)
  })
})

describe('a plain form', () => {
  const post = async (fields: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return api.call('POST', CALL, new URLSearchParams(fields).toString(), headers)
  }
  const fields = {
    name: 'Dr. Ines Calloway',
    practice_name: 'Calloway Clinic',
    email: 'ines@clinics.example',
    phone: '(512) 555-0100',
    zip_code: '78701',
    website: 'calloway.example',
    message: 'Hello',
    acceptance_message: CONSENT.application.wording,
    page: '/clinics',
    topic: '',
  }

  it('goes on to the page that says that it was taken', async () => {
    const { status, headers } = await post({ ...fields, acceptance_consent: 'on', website: '', message: '' })
    expect([status, headers.get('location')]).toEqual([303, '/clinics?applied=true#provider-form'])
    expect(await stored()).toMatchObject([{ website: null, message: null, held_reason: null }])
  })

  it.each(['/clinics', '/clinics?utm_source=radio', '/elsewhere', 'https://evil.example/', ''])(
    'comes back with what is wrong with it, to the page that has it (%j)',
    async (page) => {
      const { status, headers, body } = await post({ ...fields, page, email: 'nobody' })
      expect([status, headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
      const data = JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null')
      expect(data.form).toMatchObject({
        url: page.startsWith('/clinics') ? page : '/clinics',
        values: { practice_name: fields.practice_name, email: 'nobody', acceptance_consent: false },
        errors: { email: 'Invalid email format' },
      })
      expect(await stored()).toEqual([])
    },
  )
})

const staff = useStaff(database)
const asStaff = (method: string, path: string, body?: unknown) => api.call(method, CALL + path, body, staff)

it('GET /api/provider-applications.csv is every application as a file for spreadsheets, with nothing in it that runs', async () => {
  const id = await createApplication(database.db, {
    form: {
      name: '=HYPERLINK("https://evil.example")',
      practice_name: 'Calloway, Hart & "Sons"',
      phone: '+1 512 555 0100',
      message: '@SUM(A1)\nsecond line',
      website: undefined,
    },
  })
  await createApplication(database.db)
  const response = await fetch(`${api.url}${CALL}.csv`, { headers: staff })

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="provider-applications.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(text.split('\r\n')).toHaveLength(4)
  expect(text.split('\r\n')[0]).toBe(
    'id,created_at,status,name,practice_name,email,phone,zip_code,website,message,email_status,held_reason,' +
      'owner_id,owner_name,promised_at,reviewed_at',
  )
  const row = text.split('\r\n')[2]
  expect(row?.startsWith(`${id},2`)).toBe(true)
  expect(row).toContain(`,new,"'=HYPERLINK(""https://evil.example"")","Calloway, Hart & ""Sons""",applicant`)
  expect(row).toContain(`,'+1 512 555 0100,78701,,"'@SUM(A1)\nsecond line",pending,`)
})

const detailsOf = async (id: number): Promise<ApplicationDetails> => (await asStaff('GET', `/${id}`)).body
const audit = () => database.db('audit_log').where('entity', 'application').orderBy('id')
it('GET /api/provider-applications/:id has the place, the stages with their persons, and the promise', async () => {
  const id = await createApplication(database.db)
  await asStaff('PATCH', `/${id}`, { status: 'contacted' })
  await asStaff('PATCH', `/${id}`, { status: 'training' })
  const { status, body } = await asStaff('GET', `/${id}`)
  expect(status).toBe(200)
  expect(ApplicationDetails.strict().parse(body)).toEqual(body)
  expect(body.place).toEqual({ city: 'Austin', state: 'TX' })
  expect(body.stages).toMatchObject([
    { status: 'new', actor: null },
    { status: 'contacted', actor: 'staff' },
    { status: 'training', actor: 'staff' },
  ])
  expect(body).toMatchObject({ promised_at: body.created_at, reviewed_at: body.stages[1].at })
  expect((await asStaff('GET', '/2000000')).status).toBe(404)
})

describe('what staff note', () => {
  it('gives an application to an account, which the list names', async () => {
    const id = await createApplication(database.db)
    const owner = await createStaff(database.db, { name: 'Ada Park' })
    expect((await asStaff('PATCH', `/${id}`, { owner_id: owner.id })).body).toMatchObject({ owner_id: owner.id })
    expect((await asStaff('GET', '')).body.applications).toMatchObject([{ owner_id: owner.id, owner_name: 'Ada Park' }])
    await asStaff('PATCH', `/${id}`, { owner_id: owner.id })
    await asStaff('PATCH', `/${id}`, { owner_id: null })
    expect(await detailsOf(id)).toMatchObject({ owner_id: null, owner_name: null })
    expect((await audit()).map(({ action, details }) => [action, details.to])).toEqual([
      ['application-owner', owner.id],
      ['application-owner', null],
    ])
  })

  it('adds notes, which the audit log does not repeat and viewers see masked', async () => {
    const id = await createApplication(database.db)
    const agent = await createStaff(database.db, { role: 'agent', name: 'Ben Ito' })
    const as = await staffHeaders(database.db, agent.id)
    const text = 'Spoke to ines@clinics.example, call (512) 555-0199 on Monday.'
    expect((await api.call('POST', `${CALL}/${id}/notes`, { text: ` ${text}\n` }, as)).status).toBe(200)
    expect((await detailsOf(id)).notes).toMatchObject([{ text, actor: agent.email, actor_name: 'Ben Ito' }])
    expect(await audit()).toMatchObject([{ action: 'application-note', details: {} }])
    for (const wrong of [{ text: ' ' }, {}, { text: 'x'.repeat(2001) }]) {
      expect((await asStaff('POST', `/${id}/notes`, wrong)).status).toBe(422)
    }

    const viewer = await staffHeaders(database.db, (await createStaff(database.db, { role: 'viewer' })).id)
    const seen = (await api.call('GET', `${CALL}/${id}`, undefined, viewer)).body
    expect(seen.email).toContain('•••')
    expect(seen.notes[0].text).not.toMatch(/ines@|555-0199/)
    expect((await api.call('POST', `${CALL}/${id}/notes`, { text }, viewer)).status).toBe(403)
  })

  it('is deleted with the application, and is part of everything about its person', async () => {
    const id = await createApplication(database.db, { form: { email: 'ines@clinics.example' } })
    await asStaff('POST', `/${id}/notes`, { text: 'Two urologists.' })
    const person = await api.call('POST', '/api/privacy/find', { contact: 'ines@clinics.example' }, staff)
    expect(person.body.forms[0].fields.notes).toMatchObject([{ author: 'staff', text: 'Two urologists.' }])

    expect((await asStaff('DELETE', `/${id}`)).body).toEqual({ success: true })
    expect(await database.db('application_notes')).toEqual([])
  })
})

describe('POST /api/provider-applications/:id/certify', () => {
  const certify = (id: number, body: object) => asStaff('POST', `/${id}/certify`, body)
  const providers = () => database.db('providers').orderBy('id')

  it('makes an active provider that takes the waiting leads nearby, and certifies the application', async () => {
    const id = await createApplication(database.db, { form: { practice_name: 'Calloway Clinic' } })
    const near = await createLead(database.db)
    await deliverAll(database.db, near)
    expect((await certify(id, { active: true, match_waiting: true })).body).toEqual({ success: true })

    const [provider] = await providers()
    expect(provider).toMatchObject({
      ...{ practice_name: 'Calloway Clinic', name: 'Dr. Ines Calloway', zip_code: '78701' },
      ...{ status: 't', hidden: false, wordpress_id: null },
    })
    expect(await detailsOf(id)).toMatchObject({ status: 'certified', provider: { id: provider?.id, status: 'active' } })
    const matching = await jobsOf(database.db, near, { name: 'match-lead', state: 'waiting' })
    expect(matching).toHaveLength(1)
    expect((await audit()).map(({ action, details }) => [action, details])).toEqual([
      ['set-status', { from: 'new', to: 'certified' }],
      ['certify', { provider: provider?.id, active: true }],
    ])
    expect((await certify(id, { active: true })).status).toBe(409)
    expect(await providers()).toHaveLength(1)
  })

  it('refuses a held application', async () => {
    const id = await createApplication(database.db, { heldReason: 'too_fast' })
    expect((await certify(id, { active: true })).status).toBe(409)
    expect(await providers()).toEqual([])
  })
})
