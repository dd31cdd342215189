import { describe, expect, it } from 'vitest'
import { ProviderRecord } from '../../core/providers/contract/provider-record.ts'
import { MicrositeProvider, PublicProvider, StaffProvider } from '../../core/providers/contract/providers.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider, signedInStaff, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const { api, database } = useApi()
const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, undefined, headers)
/** Not by `fetch`, which adds a `Cache-Control` that asks for the whole answer in any case. */
const getIfChanged = (path: string, etag: string) => rawRequest(api.url, { path, headers: { 'if-none-match': etag } })
/** A provider of which every column is filled in; what nobody but staff may see holds a canary. */
const fullProvider = () =>
  createProvider(database.db, {
    wordpress_id: 424242,
    email: 'canary@clinics.example',
    mpxapi: 'canary-mpxapi',
    domain: 'clinic.example',
    google_ads_id: 'AW-1',
    bing_ads_id: 'B-1',
    website: 'https://clinic.example',
    url: 'https://www.leadwell.example/clinic',
    image_url: 'https://clinic.example/image.png',
    logo_url: 'https://clinic.example/logo.png',
    latitude: 30.2,
    longitude: -97.7,
    accepts_free_consultation: true,
  })
const SECRETS = ['email', 'mpxapi', 'wordpress_id', 'leadCount', 'hidden', 'new_email', 'obstacle']

describe('GET /api/providers', () => {
  it('gives everybody what is public about each, and no more', async () => {
    await fullProvider()
    const { status, body } = await get('/api/providers')

    expect(status).toBe(200)
    expect(body.map((provider: unknown) => PublicProvider.strict().parse(provider))).toEqual(body)
    expect(body).toHaveLength(1)
    for (const secret of [...SECRETS, 'google_ads_id', 'bing_ads_id']) expect(body[0]).not.toHaveProperty(secret)
    expect(JSON.stringify(body)).not.toMatch(/canary|424242|AW-1|B-1/)
  })

  it('lets nobody store what staff are given, and asks visitors only to tell it apart', async () => {
    const { id } = await fullProvider()
    const staff = await staffHeaders(database.db)
    const paths = [
      '/api/providers',
      `/api/providers/${id}`,
      '/api/providers/domain/clinic.example',
      '/api/providers/999',
    ]
    for (const path of paths) {
      expect((await get(path, staff)).headers.get('cache-control'), path).toBe('no-store')
      const { headers } = await get(path)
      expect([headers.get('cache-control'), headers.get('vary')], path).toEqual([
        null,
        expect.stringContaining('Cookie'),
      ])
    }
    const points = await get('/api/providers?view=points', staff)
    expect(points.headers.get('cache-control')).toMatch(/^public/)
  })

  it('gives staff everything', async () => {
    const { id } = await fullProvider()
    await createLead(database.db, { providerId: id })
    const { body } = await get('/api/providers', await staffHeaders(database.db))

    expect(body.map((provider: unknown) => StaffProvider.strict().parse(provider))).toEqual(body)
    expect(body[0]).toMatchObject({
      id,
      email: 'canary@clinics.example',
      mpxapi: 'canary-mpxapi',
      wordpress_id: 424242,
      leadCount: 1,
    })
  })

  it('tells nobody but staff how to get in touch with an inactive one', async () => {
    const { id } = await fullProvider()
    await database.db('providers').where({ id }).update({ status: 'f' })
    const answers = ['/api/providers?status=inactive', `/api/providers?ids=${id}`, `/api/providers/${id}`]
    for (const path of answers) {
      const known = [(await get(path)).body].flat()[0]
      const { address, ...contact } = known
      expect(contact, path).toMatchObject({ id, status: 'f', phone: null, website: null, url: null, domain: null })
      expect(contact.google_ads_id ?? null, path).toBeNull()
      expect(address, path).toBeTruthy()
      expect([(await get(path, await staffHeaders(database.db))).body].flat()[0], path).toMatchObject({
        website: 'https://clinic.example',
        domain: 'clinic.example',
      })
    }
  })

  it('hides from everybody but staff an inactive one whose post is not published', async () => {
    const { id } = await fullProvider()
    await database.db('providers').where({ id }).update({ status: 'f', hidden: true })
    const lists = ['/api/providers?status=inactive', `/api/providers?ids=${id}`]
    for (const path of lists) {
      expect((await get(path)).body, path).toEqual([])
      expect((await get(path, await staffHeaders(database.db))).body, path).toMatchObject([{ id, hidden: true }])
    }
    for (const path of [`/api/providers/${id}`, '/api/providers/domain/clinic.example']) {
      expect((await get(path)).status, path).toBe(404)
      expect((await get(path, await staffHeaders(database.db))).body, path).toMatchObject({ id, hidden: true })
    }
    const points = '/api/providers?view=points&status=inactive'
    for (const headers of [{}, await staffHeaders(database.db)]) {
      expect((await get(points, headers)).body.idSteps).toEqual([])
    }
  })

  it('tells only where they are for a map, at its zip code without coordinates, and keeps it in caches', async () => {
    const { id } = await fullProvider()
    await createProvider(database.db)
    const { id: closed } = await createProvider(database.db, { latitude: 39.74, longitude: -104.99, status: 'f' })
    const { status, body, headers } = await get('/api/providers?view=points')

    expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('public, max-age=60')])
    expect(body).toMatchObject({
      idSteps: [id, 1],
      latitudes: [30.2, expect.closeTo(30.27)],
      offers: '14',
      states: 'TXTX',
    })
    expect((await get('/api/providers?view=points&status=inactive')).body.idSteps).toEqual([closed])

    const etag = String(headers.get('etag'))
    expect((await getIfChanged('/api/providers?view=points', etag)).status).toBe(304)
    await createProvider(database.db, { latitude: 30.3, longitude: -97.8 })
    expect((await getIfChanged('/api/providers?view=points', etag)).status).toBe(200)
  })
})

describe.each([
  ['GET /api/providers/{providerId}', async ({ id }: { id: number }) => `/api/providers/${id}`],
  ['GET /api/providers/domain/{hostname}', async () => '/api/providers/domain/clinic.example'],
])('%s', (_, addressOf) => {
  it('gives everybody what a microsite needs, its ad ids among it, and no more', async () => {
    const { status, body } = await get(await addressOf(await fullProvider()))

    expect(status).toBe(200)
    expect(MicrositeProvider.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ google_ads_id: 'AW-1', bing_ads_id: 'B-1', status: 't' })
    for (const secret of SECRETS) expect(body).not.toHaveProperty(secret)
    expect(JSON.stringify(body)).not.toMatch(/canary|424242/)
  })
})

describe('the provider of a domain', () => {
  it.each(['clinic.example', 'CLINIC.Example', 'clinic.example%20', 'www.clinic.example'])(
    'is found by %s',
    async (hostname) => {
      const { id } = await createProvider(database.db, { domain: 'Clinic.example' })
      expect((await get(`/api/providers/domain/${hostname}`)).body.id).toBe(id)
    },
  )

  it.each([
    'clinic.example.evil.example',
    'clinic_example',
    'clinic%25',
    '%25',
    'clinic.example:3000',
    'good@clinic.example',
    'clinic.example%2F..',
    '*',
  ])('is not found by %s', async (hostname) => {
    await createProvider(database.db, { domain: 'clinic.example' })
    expect((await get(`/api/providers/domain/${hostname}`)).status).toBe(404)
  })
})

const waiting = async () => {
  const { id } = await createProvider(database.db, {
    practice_name: 'Quill Clinic',
    email: 'old@clinics.example',
    new_email: 'new@clinics.example',
    new_email_at: new Date(),
  })
  return id
}
const emailOf = async (id: number) => (await database.db('providers').where({ id }).first('email'))?.email

it('the new address of a provider is shown to staff, and not used before a manager confirms it', async () => {
  const id = await waiting()
  const headers = await staffHeaders(database.db)
  expect((await get(`/api/providers/${id}`, headers)).body).toMatchObject({
    email: 'old@clinics.example',
    new_email: { email: 'new@clinics.example', is_declined: false },
  })
  const decide = (body: unknown, as = headers) => api.call('POST', `/api/providers/${id}/new-email`, body, as)
  expect((await decide({ email: 'new@clinics.example', decision: 'maybe' })).status).toBe(422)
  expect((await decide({ email: 'other@clinics.example', decision: 'confirm' })).status).toBe(409)
  expect((await decide({ email: 'new@clinics.example', decision: 'keep' })).body).toEqual({ success: true })
  expect(await emailOf(id)).toBe('old@clinics.example')
  expect((await decide({ email: 'new@clinics.example', decision: 'confirm' })).status).toBe(200)
  expect(await emailOf(id)).toBe('new@clinics.example')
})

const staff = useStaff(database)

it('the record of a clinic tells a viewer everything in one answer, without a visitor’s name', async () => {
  const { id } = await createProvider(database.db, { zip_code: '78701', email: 'desk@clinic.example' })
  await createLead(database.db, { providerId: id, form: { first_name: 'Zebulon' } })

  const { headers } = await signedInStaff(database.db, { role: 'viewer' })
  const { status, body } = await api.call('GET', `/api/providers/${id}/record`, undefined, headers)
  expect(status).toBe(200)
  expect(ProviderRecord.parse(body)).toMatchObject({
    ...{ address: 'desk@clinic.example', place: { city: 'Austin', state: 'TX' }, failed_leads: [], mails: [] },
    ...{ health: { state: 'none' }, provider: { id, leadCount: 1 }, figures: { own: { requests: 1 } } },
    months: [{ requests: 1, reached: 0 }],
  })
  expect(JSON.stringify(body)).not.toContain('Zebulon')
})

it('a test email is a job of the clinic, and a line of the audit log', async () => {
  const { id } = await createProvider(database.db)
  const { status, body } = await api.call('POST', `/api/providers/${id}/test-email`, undefined, staff)
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect(await database.db('jobs').select('name', 'purpose', 'subject_kind', 'subject_id', 'state')).toEqual([
    { name: 'send-email', purpose: 'test', subject_kind: 'provider', subject_id: id, state: 'waiting' },
  ])
  expect(await database.db('audit_log').where({ entity: 'provider' }).select('action', 'entity_id')).toEqual([
    { action: 'test-email', entity_id: String(id) },
  ])
})
