import { describe, expect, it } from 'vitest'
import { ApplicationReceipt } from '../../core/contract/applications.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import { startApiServer, useApi } from '../support/api-server.ts'
import { applicationForm, idOf, leadForm } from '../support/factories.ts'

const CALL = '/api/provider-applications'

const { api, database } = useApi()

const send = (body: unknown, headers = {}) => api.call('POST', CALL, body, headers)

const stored = () => database.db('provider_applications').orderBy('id')
const jobs = async () =>
  (await database.db('jobs').orderBy('purpose')).map(({ purpose, state }) => `${purpose} ${state}`)

describe('POST /api/provider-applications', () => {
  it('stores the application with its consent, and wakes the relay', async () => {
    const wakes = api.wakes()
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
    expect(api.wakes()).toBe(wakes + 1)
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
    const limited = await startApiServer(database.app, { LEAD_RATE_PER_MINUTE: '2' })
    try {
      for (const expected of [201, 201, 429]) {
        const { status, headers } = await limited.call('POST', CALL, applicationForm())
        expect([status, headers.has('retry-after')]).toEqual([expected, expected === 429])
      }
      expect((await limited.call('POST', '/api/leads', leadForm())).status).toBe(201)
    } finally {
      await limited.close()
    }
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

  it('is held when the field that nobody sees is filled in', async () => {
    expect((await post({ ...fields, acceptance_consent: 'on', topic: 'pills' })).status).toBe(303)
    expect(await stored()).toMatchObject([{ held_reason: 'honeypot' }])
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
