import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { queryRows } from '../../core/platform/db.ts'
import { EVIDENCE, type EvidenceRow, isSigned } from '../../core/privacy/stores/consents.ts'
import { useApi } from '../support/api-server.ts'
import { CHAIN_KEY } from '../support/env.ts'
import { applicationForm, createProvider, leadForm, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const { api, database } = useApi({ FORM_ORIGINS: 'https://partner.example, https://other.example:8443/' })

const LEADS = '/api/leads'
const APPLICATIONS = '/api/provider-applications'
const FORMS = [
  { path: LEADS, table: 'leads', newForm: leadForm, otherForm: CONSENT.application },
  { path: APPLICATIONS, table: 'provider_applications', newForm: applicationForm, otherForm: CONSENT.form },
]
const heldReason = async (table: string) => (await database.db(table).orderBy('id', 'desc').first()).held_reason
const jobs = () => database.db('jobs').orderBy('purpose').pluck('purpose')

const postPlain = (path: string, form: object, headers: Record<string, string>) => {
  const fields = Object.entries(form).map(([name, value]) => [name, String(value)])
  const body = new URLSearchParams(fields).toString()
  return api.call('POST', path, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
}

describe.each(FORMS)('POST $path, from the page of another site', ({ path, table, newForm }) => {
  const FOREIGN: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.evil.example' },
    { origin: 'http://partner.example' },
    { origin: 'https://partner.example.evil.example' },
    { origin: 'https://other.example' },
  ]

  it.each(FOREIGN)('is held as such, also when a plain form brings it (%j)', async (headers) => {
    expect((await api.call('POST', path, newForm(), headers)).status).toBe(201)
    expect(await heldReason(table)).toBe('other_site')
    expect(await jobs()).toEqual(['team'])
    expect((await postPlain(path, newForm(), headers)).status).toBe(303)
    expect(await database.db(table).pluck('held_reason')).toEqual(['other_site', 'other_site'])
  })

  const OWN: Record<string, string>[] = [
    {},
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ]

  it.each(OWN)('is no reason to hold the forms of our own pages, and of programs (%j)', async (headers) => {
    expect((await api.call('POST', path, newForm(), headers)).status).toBe(201)
    expect(await heldReason(table)).toBeNull()
  })

  const LISTED: Record<string, string>[] = [
    { origin: 'https://partner.example' },
    { origin: 'https://partner.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://other.example:8443' },
  ]

  it.each(LISTED)('is no reason to hold those of a site in FORM_ORIGINS (%j)', async (headers) => {
    expect((await postPlain(path, newForm(), headers)).status).toBe(303)
    expect(await heldReason(table)).toBeNull()
    expect(await database.db(path === LEADS ? 'consents' : 'application_consents').pluck('channel')).toEqual([
      'other_site',
    ])
  })

  it('may come by script from a site in FORM_ORIGINS, and from no other one', async () => {
    for (const [origin, allowed] of [
      ['https://partner.example', 'https://partner.example'],
      ['https://evil.example', null],
    ] as const) {
      const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
      const preflight = await api.call('OPTIONS', path, undefined, asks)
      const sent = await api.call('POST', path, newForm(), { origin })
      for (const { headers } of [preflight, sent]) {
        expect(headers.get('access-control-allow-origin')).toBe(allowed)
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
      expect(preflight.headers.get('access-control-allow-headers')).toBe(allowed && 'Content-Type, Idempotency-Key')
    }
    const elsewhere = await api.call('GET', '/api/providers', undefined, { origin: 'https://partner.example' })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is none where a clinic’s own host brings it', async () => {
    await rawRequest(api.url, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', host: 'clinic.example', origin: 'http://clinic.example' },
      body: JSON.stringify(newForm()),
    })
    expect(await heldReason(table)).toBeNull()
  })
})

describe('a lead whose consent is not proved', () => {
  /** Sends a form from another site, which is held. */
  async function held(): Promise<number> {
    await createProvider(database.db, { zip_code: leadForm().zip_code })
    await api.call('POST', LEADS, leadForm(), { origin: 'https://evil.example' })
    return Number((await database.db('leads').orderBy('id', 'desc').first())?.id)
  }
  const call = async (method: string, path: string, body?: object) =>
    api.call(method, path, body, await staffHeaders(database.db))

  it('is released only with the way in which the consent was given, which is recorded', async () => {
    const id = await held()
    const refused = {
      status: 409,
      body: { error: expect.stringMatching(/^We cannot prove what this person agreed to/) },
    }
    const providerId = (await database.db('providers').first())?.id
    expect(await call('POST', `/api/leads/${id}/release`)).toMatchObject(refused)
    expect(await call('PATCH', `/api/leads/${id}/provider`, { providerId })).toMatchObject(refused)
    expect(await call('POST', `/api/leads/${id}/release`, { consent: 'somehow' })).toMatchObject({ status: 422 })
    expect(await heldReason('leads')).toBe('other_site')

    expect((await call('POST', `/api/leads/${id}/release`, { consent: 'read_aloud' })).status).toBe(200)
    expect(await heldReason('leads')).toBeNull()
    expect(await database.db('audit_log').where('action', 'release').first()).toMatchObject({
      details: { reason: 'other_site', consent: 'read_aloud', version: CONSENT.phone.version },
    })
    const { body } = await call('GET', `/api/leads/${id}/jobs`)
    expect(body.acts).toMatchObject([{ action: 'release', consent: 'read_aloud' }])
  })
})

const CHANNELS: [channel: string, headers: Record<string, string>][] = [
  ['api', {}],
  ['form', { origin: 'http://localhost:3000' }],
  ['form', { 'sec-fetch-site': 'same-origin' }],
  ['other_site', { origin: 'https://evil.example' }],
]

it.each(CHANNELS)('the way that a form came is part of the evidence: %s', async (channel, headers) => {
  await api.call('POST', LEADS, leadForm(), headers)
  expect(await database.db('consents').first()).toMatchObject({ channel })
  const [row] = await queryRows<EvidenceRow>(database.db, `select * from ${EVIDENCE} evidence`)
  expect(isSigned(CHAIN_KEY, row as EvidenceRow)).toBe(true)
  expect(isSigned(CHAIN_KEY, { ...(row as EvidenceRow), channel: 'phone' })).toBe(false)
  expect(isSigned(CHAIN_KEY, { ...(row as EvidenceRow), channel: null })).toBe(false)
})

it.each(['', 'Anything at all.', undefined])(
  'delivers a form with the seven fields of the specification, no cookie and no header: %j',
  async (acceptance_message) => {
    const { id: providerId } = await createProvider(database.db)
    const seven = {
      ...{ first_name: 'Ada', last_name: 'Byron', email: 'ada@visitors.example', phone: '5125550177' },
      ...{ zip_code: '78701', acceptance_consent: true, acceptance_message },
    }
    const response = await fetch(`${api.url}${LEADS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(seven),
    })
    expect([response.status, await response.json()]).toEqual([201, { id: expect.any(Number), providerId }])
    expect(await jobs()).toEqual(['created', 'provider', 'visitor'])
  },
)

describe.each(FORMS)('POST $path, by the consent that it names', ({ path, table, newForm, otherForm }) => {
  const form = (consent: object) => ({ ...newForm(), acceptance_message: '', consent_version: undefined, ...consent })

  it.each(['form-1999-01-01', otherForm.version, 'constructor'])(
    'refuses a version that is none of this form (%s)',
    async (consent_version) => {
      const { status, body } = await api.call('POST', path, form({ consent_version }))
      expect(status).toBe(422)
      expect(body).toMatchObject({
        code: 'invalid',
        fields: { consent_version: expect.stringMatching(/reload the page/) },
      })
      expect(await database.db(table)).toEqual([])
    },
  )

  it.each([
    '',
    'I agree that my insurer is told everything.',
    'Sí, acepto.\n\tLínea dos 🙂',
    otherForm.wording,
    `${newForm().acceptance_message} `,
    'x'.repeat(10_000),
  ])('delivers a form with a wording of its own, and keeps it word for word (%j)', async (acceptance_message) => {
    expect((await api.call('POST', path, form({ acceptance_message }))).status).toBe(201)
    expect(await heldReason(table)).toBeNull()
    const consents = path === LEADS ? 'consents' : 'application_consents'
    expect(await database.db(consents).first()).toMatchObject({
      wording: acceptance_message,
      wording_version: null,
      channel: 'api',
    })
    if (path === LEADS) expect(await database.db('leads').first()).toMatchObject({ acceptance_message })
  })

  it('is not refused for characters that cannot be stored', async () => {
    const acceptance_message = 'I\0agree\ud800 to it'
    expect((await api.call('POST', path, form({ acceptance_message }))).status).toBe(201)
    const consents = path === LEADS ? 'consents' : 'application_consents'
    expect((await database.db(consents).first())?.wording).toBe('I\ufffdagree\ufffd to it')
  })

  it('stores its own text, whatever text comes with the version', async () => {
    const { consent_version } = newForm()
    await api.call('POST', path, form({ consent_version, acceptance_message: 'I agree to everything.' }))
    const [consent] = await database.db(path === LEADS ? 'consents' : 'application_consents')
    expect(consent).toMatchObject({ wording: newForm().acceptance_message, wording_version: consent_version })
  })
})
