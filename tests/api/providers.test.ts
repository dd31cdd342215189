import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MicrositeProvider, PublicProvider, StaffProvider } from '../../core/contract/providers.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { createLead, createProvider, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const database = useDatabase()
let api: ApiServer
beforeAll(async () => {
  api = await startApiServer(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, undefined, headers)

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
    url: 'https://www.velmora.example/clinic',
    image_url: 'https://clinic.example/image.png',
    logo_url: 'https://clinic.example/logo.png',
    latitude: 30.2,
    longitude: -97.7,
    accepts_free_consultation: true,
  })

const SECRETS = ['email', 'mpxapi', 'wordpress_id', 'leadCount']

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

  it('gives the active, or the inactive when asked', async () => {
    const { id: active } = await createProvider(database.db)
    const { id: inactive } = await createProvider(database.db, { status: 'f' })
    const ids = async (query: string) => (await get(`/api/providers${query}`)).body.map(({ id }: { id: number }) => id)

    expect(await ids('')).toEqual([active])
    expect(await ids('?status=active')).toEqual([active])
    expect(await ids('?status=inactive')).toEqual([inactive])
  })

  it('does not hand one browser the answer of another', async () => {
    await fullProvider()
    const staff = await get('/api/providers', await staffHeaders(database.db))
    const etag = String(staff.headers.get('etag'))

    expect((await get('/api/providers', { 'if-none-match': etag })).status).toBe(200)
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

  it('gives staff everything', async () => {
    const { body } = await get(await addressOf(await fullProvider()), await staffHeaders(database.db))
    expect(StaffProvider.strict().parse(body)).toEqual(body)
    expect(body.email).toBe('canary@clinics.example')
  })

  it('says that there is none', async () => {
    const { status, body } = await get(await addressOf({ id: 4242 }))
    expect({ status, body }).toEqual({ status: 404, body: { error: 'Provider not found', code: 'not_found' } })
  })
})

describe('the provider of a domain', () => {
  it.each(['clinic.example', 'CLINIC.Example', 'clinic.example%20'])('is found by %s', async (hostname) => {
    const { id } = await createProvider(database.db, { domain: 'Clinic.example' })
    expect((await get(`/api/providers/domain/${hostname}`)).body.id).toBe(id)
  })

  it.each([
    'www.clinic.example',
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

describe('a Host header with a user name in it', () => {
  it('changes nothing, and no answer repeats it', async () => {
    await createProvider(database.db, { domain: 'evil.example' })
    for (const path of ['/api/providers', '/api/openapi.json', '/api/session']) {
      const { status, text } = await rawRequest(api.url, { path, headers: { host: 'good@evil.example' } })
      expect(status).toBe(200)
      expect(text).not.toContain('good@')
    }
  })
})
