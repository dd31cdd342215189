import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { useApi } from '../support/api-server.ts'
import { applicationForm, createProvider, leadForm, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const { api, database } = useApi()

const LEADS = '/api/leads'
const APPLICATIONS = '/api/provider-applications'
const FORMS = [
  { path: LEADS, table: 'leads', newForm: leadForm, otherForm: CONSENT.application },
  { path: APPLICATIONS, table: 'provider_applications', newForm: applicationForm, otherForm: CONSENT.form },
]
const heldReason = async (table: string) => (await database.db(table).orderBy('id', 'desc').first()).held_reason
const jobs = () => database.db('jobs').orderBy('purpose').pluck('purpose')

/** Posts a form as a page without JavaScript does. */
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
  ]

  it.each(FOREIGN)('is held as such (%j)', async (headers) => {
    expect((await api.call('POST', path, newForm(), headers)).status).toBe(201)
    expect(await heldReason(table)).toBe('other_site')
    expect(await jobs()).toEqual(['team'])
  })

  it.each(FOREIGN)('is held also when a plain form brings it (%j)', async (headers) => {
    expect((await postPlain(path, newForm(), headers)).status).toBe(303)
    expect(await heldReason(table)).toBe('other_site')
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

  it.each(['', 'I agree that my insurer is told everything.', otherForm.wording, `${newForm().acceptance_message} `])(
    'holds a form with a wording that is none of this form (%j), and stores nothing of it',
    async (acceptance_message) => {
      expect((await api.call('POST', path, form({ acceptance_message }))).status).toBe(201)
      expect(await heldReason(table)).toBe('unknown_wording')
      expect(await jobs()).toEqual(['team'])
      const [consent] = await database.db(path === LEADS ? 'consents' : 'application_consents')
      expect(consent).toMatchObject({ wording: '', wording_version: null })
    },
  )

  it('takes a known wording, as the specification has it', async () => {
    const { acceptance_message } = newForm()
    expect((await api.call('POST', path, form({ acceptance_message }))).status).toBe(201)
    expect(await heldReason(table)).toBeNull()
  })

  it('stores its own text, whatever text comes with the version', async () => {
    const { consent_version } = newForm()
    await api.call('POST', path, form({ consent_version, acceptance_message: 'I agree to everything.' }))
    const [consent] = await database.db(path === LEADS ? 'consents' : 'application_consents')
    expect(consent).toMatchObject({ wording: newForm().acceptance_message, wording_version: consent_version })
  })
})

describe('POST /api/leads, with the details of somebody else', () => {
  it('tells nothing of a form that the person sent: neither by its answer, nor by the order of numbers', async () => {
    const { id: providerId } = await createProvider(database.db)
    const theirs = leadForm()
    await api.call('POST', LEADS, theirs)
    const repeat = await api.call('POST', LEADS, theirs)
    const other = await api.call('POST', LEADS, { ...theirs, first_name: 'Another' })
    const stranger = await api.call('POST', LEADS, leadForm())

    for (const { status, body } of [repeat, other, stranger]) {
      expect({ status, body }).toEqual({
        status: 201,
        body: { id: expect.any(Number), providerId },
      })
    }
    expect(new Set([repeat, other, stranger].map(({ body }) => body.id)).size).toBe(3)
    expect(await database.db('leads')).toHaveLength(3)
    const [first, second] = await database.db('leads').orderBy('id').pluck('id')
    const { body } = await api.call('GET', `/api/leads/${first}`, undefined, await staffHeaders(database.db))
    expect(body.samePerson.map(({ id }: { id: number }) => id)).toEqual([second])
  })
})
