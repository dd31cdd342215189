import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { openDb } from '../../core/db.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const MAIN_HOST = 'www.velmora.example'
const SETTINGS = { PUBLIC_URL: `https://${MAIN_HOST}`, MAIN_DOMAIN: MAIN_HOST }
const FORM_TYPE = 'application/x-www-form-urlencoded'
const ATTACK = `"><script>alert('a')</script>`

const database = useDatabase()
let api: ApiServer

beforeAll(async () => {
  const buildProblem = inject('buildProblem')
  if (buildProblem) throw new Error(buildProblem)
  api = await startApiServer(database.db, SETTINGS)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

type Fields = Record<string, string | undefined>
type Options = { query?: string; headers?: Record<string, string>; url?: string; path?: string }

/** The fields as a browser sends them: a ticked box is "on", and one that is not ticked is not there. */
function fieldsOf(overrides: Fields = {}): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_message } = leadForm()
  const texts = { first_name, last_name, email, phone, zip_code, acceptance_message }
  const fields: Fields = { ...texts, acceptance_consent: 'on', page: '/', topic: '', ...overrides }
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(sent as [string, string][]).toString()
}

/** Posts bytes as a browser posts a form. */
async function post(body: string, { query = '', headers = {}, url = api.url, path = '/api/leads' }: Options = {}) {
  const answer = await rawRequest(url, {
    method: 'POST',
    path: path + query,
    headers: {
      host: MAIN_HOST,
      accept: 'text/html',
      'content-type': FORM_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  })
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(answer.text)?.[1]
  return { ...answer, data: data && JSON.parse(data) }
}

const storedLeads = () => database.db('leads').select('*')

describe('a form that a browser posts itself', () => {
  it('leads to the thank-you page with the nearest provider', async () => {
    const { id } = await createProvider(database.db)
    const { status, headers } = await post(fieldsOf())

    expect([status, headers.location]).toEqual([303, `/success?providerId=${id}`])
    expect(await storedLeads()).toMatchObject([{ provider_id: id, match_kind: 'nearest', acceptance_consent: true }])
    expect(await database.db('jobs')).toHaveLength(3)
  })

  it('leads to the thank-you page without a provider when nobody is in reach', async () => {
    const { status, headers } = await post(fieldsOf())
    expect([status, headers.location]).toEqual([303, '/success?noProvider=true'])
    expect(await storedLeads()).toMatchObject([{ provider_id: null }])
  })

  it('goes to the provider that its address names, however far', async () => {
    await createProvider(database.db)
    const { id } = await createProvider(database.db, { zip_code: '10001' })
    const { headers } = await post(fieldsOf(), { query: `?providerId=${id}` })

    expect(headers.location).toBe(`/success?providerId=${id}`)
    expect(await storedLeads()).toMatchObject([{ provider_id: id, match_kind: 'chosen' }])
  })

  it('is kept with the evidence of the consent', async () => {
    await post(fieldsOf({ acceptance_message: CONSENT.finder.wording }), {
      headers: { 'user-agent': 'Plain Browser', referer: `https://${MAIN_HOST}/homev2` },
    })
    expect(await database.db('consents')).toMatchObject([
      {
        wording: CONSENT.finder.wording,
        wording_version: CONSENT.finder.version,
        user_agent: 'Plain Browser',
        page_url: `https://${MAIN_HOST}/homev2`,
      },
    ])
  })

  it('makes one lead when the browser posts it again, and leads to the same page', async () => {
    const { id } = await createProvider(database.db)
    const body = fieldsOf()
    for (const { status, headers } of [await post(body), await post(body)]) {
      expect([status, headers.location]).toEqual([303, `/success?providerId=${id}`])
    }
    expect(await storedLeads()).toHaveLength(1)
  })

  it('is held when the field is filled in that no person sees', async () => {
    await createProvider(database.db)
    const { status, headers } = await post(fieldsOf({ topic: 'cheap watches' }))

    expect([status, headers.location]).toEqual([303, '/success?noProvider=true'])
    expect(await storedLeads()).toMatchObject([{ held_reason: 'honeypot' }])
    expect(await database.db('jobs').whereIn('purpose', ['provider', 'visitor'])).toEqual([])
  })

  it('may hold what only scripts send, which counts for nothing when it makes no sense', async () => {
    const { status } = await post(fieldsOf({ elapsed_ms: 'soon', touched: 'perhaps', attribution: '{"last":1}' }))
    expect(status).toBe(303)
    expect(await storedLeads()).toMatchObject([{ held_reason: null, attribution: {} }])
  })
})

describe('a plain form that holds something wrong', () => {
  it('comes back as its page, with what was typed and what is wrong', async () => {
    const body = fieldsOf({ first_name: 'Zoë & Sons', email: 'zoe@', zip_code: '00000' })
    const { status, headers, text, data } = await post(body)

    expect(status).toBe(422)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(text.includes('value="Zoë &amp; Sons"'), 'value="Zoë &amp; Sons"').toBe(true)
    expect(text.includes('value="zoe@"'), 'value="zoe@"').toBe(true)
    expect(text.includes('Invalid email format'), 'Invalid email format').toBe(true)
    expect(text.includes('Please enter a valid 5-digit zip code'), 'Please enter a valid 5-digit zip code').toBe(true)
    expect(data.form.url).toBe('/')
    expect(data.form.values).toEqual({
      first_name: 'Zoë & Sons',
      last_name: 'Avery',
      email: 'zoe@',
      phone: expect.any(String),
      zip_code: '00000',
      acceptance_message: CONSENT.form.wording,
      acceptance_consent: true,
    })
    expect(Object.keys(data.form.errors).toSorted()).toEqual(['email', 'zip_code'])
    expect(await storedLeads()).toEqual([])
  })

  it('is told every message', async () => {
    const nothing = {
      first_name: ' ',
      last_name: '',
      email: '',
      phone: '',
      zip_code: '',
      acceptance_consent: undefined,
    }
    const { status, data, text } = await post(fieldsOf(nothing))

    expect(status).toBe(422)
    expect(data.form.errors).toEqual({
      first_name: 'First name is required',
      last_name: 'Last name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      zip_code: 'Zip code is required',
      acceptance_consent: 'You must agree to receive communications to continue.',
    })
    for (const message of Object.values<string>(data.form.errors)) expect(text.includes(message), message).toBe(true)
    expect(data.form.values.acceptance_consent).toBe(false)
  })

  it('keeps the consent that was given', async () => {
    const { text } = await post(fieldsOf({ phone: '' }))
    expect(/<input[^>]*type="checkbox"[^>]*>/.exec(text)?.[0]).toContain('checked=""')
  })

  it.each(['first_name', 'last_name', 'email', 'phone', 'zip_code', 'acceptance_message', 'topic', 'page'])(
    'never becomes markup (%s)',
    async (name) => {
      const { status, text } = await post(fieldsOf({ phone: '', zip_code: '00000', [name]: ATTACK }))
      expect(status).toBe(422)
      expect(text.includes('<script>alert')).toBe(false)
    },
  )

  it('is no form when its fields are lists or objects', async () => {
    const { status, data } = await post(`${fieldsOf({ first_name: undefined })}&first_name[a]=1&phone=1&__proto__=x`)
    expect(status).toBe(422)
    expect(data.form.errors).toHaveProperty('first_name', 'First name is required')
    expect(data.form.errors).toHaveProperty('phone', 'Phone number is required')
  })

  it('is an empty one when nothing was sent', async () => {
    const { status, data } = await post('', { headers: { 'content-length': '0' } })
    expect([status, data?.form.errors.email]).toEqual([422, 'Email is required'])
  })

  it.each([
    ['/start?zip_code=78702', 'Tell us about you', '/start?zip_code=78702'],
    ['/homev2?zip_code=78702', 'Complete Your Information', '/homev2?zip_code=78702'],
    ['/?utm_source=news#provider-form', 'Limited Spots Available!', '/?utm_source=news'],
  ])('comes back on the page that it is on (%s)', async (page, words, url) => {
    const { text, data } = await post(fieldsOf({ phone: '', page }))
    expect(text.includes(words), words).toBe(true)
    expect(data.form.url).toBe(url)
  })

  it.each([
    undefined,
    '',
    'https://evil.example/admin',
    '//evil.example',
    '//evil.example//x',
    'javascript:alert(1)',
    'data:text/html,x',
    '/admin',
    '/api/leads',
    '/success?providerId=1',
    '/../../etc/passwd',
    '/start/../admin',
    'http://[',
    '/%00',
    '/\u2028',
    `/${'x'.repeat(5000)}`,
  ])('comes back on the home page when it says that it is on %j', async (page) => {
    const { status, data, text } = await post(fieldsOf({ phone: '', page }))
    expect([status, data.form.url]).toEqual([422, '/'])
    expect([text.includes('evil.example'), text.includes('Limited Spots Available!')]).toEqual([false, true])
  })

  it('takes of a foreign address no more than path and query', async () => {
    const { data, text } = await post(fieldsOf({ phone: '', page: 'https://evil.example/start?zip_code=78702' }))
    expect(data.form.url).toBe('/start?zip_code=78702')
    expect(text.includes('evil.example')).toBe(false)
  })

  it('stays with the provider that its page names, and with the one whose host it was sent to', async () => {
    const clinic = { domain: 'quill.example', practice_name: 'Quill Clinic', google_ads_id: 'AW-123456789' }
    const quill = await createProvider(database.db, clinic)
    const other = await createProvider(database.db, { practice_name: 'Another Clinic' })
    const onHost = await post(fieldsOf({ phone: '' }), { headers: { host: 'quill.example' } })
    const onMicrosite = await post(fieldsOf({ phone: '', page: `/microsite?providerId=${other.id}` }))

    expect(
      onHost.text.includes(`action="/api/leads?providerId=${quill.id}"`),
      `action="/api/leads?providerId=${quill.id}"`,
    ).toBe(true)
    expect(
      onHost.text.includes('Submit the form to connect with Quill Clinic.'),
      'Submit the form to connect with Quill Clinic.',
    ).toBe(true)
    expect(onHost.headers['content-security-policy']).toContain('www.googletagmanager.com')
    expect(
      onMicrosite.text.includes(`action="/api/leads?providerId=${other.id}"`),
      `action="/api/leads?providerId=${other.id}"`,
    ).toBe(true)
    expect(
      onMicrosite.text.includes('Submit the form to connect with Another Clinic.'),
      'Submit the form to connect with Another Clinic.',
    ).toBe(true)
    expect(onMicrosite.headers['content-security-policy']).not.toContain('googletagmanager')
  })
})

describe('a plain form that we cannot take', () => {
  it('comes back, with when to try again, when too many came from one address', async () => {
    const strict = await startApiServer(database.db, { ...SETTINGS, LEAD_RATE_PER_MINUTE: '1' })
    await post(fieldsOf(), { url: strict.url })
    const { status, headers, text } = await post(fieldsOf({ last_name: 'Quillfeather' }), { url: strict.url })
    await strict.close()

    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['cache-control']).toBe('no-store')
    expect(
      text.includes('Too many forms came from your network. Please try again in a minute.'),
      'Too many forms came from your network. Please try again in a minute.',
    ).toBe(true)
    expect(text.includes('value="Quillfeather"'), 'value="Quillfeather"').toBe(true)
    expect(await storedLeads()).toHaveLength(1)
  })

  it('comes back when we have a fault', async () => {
    await database.db.raw('alter table consents rename to consents_gone')
    const { status, text, headers } = await post(fieldsOf({ last_name: 'Quillfeather' }))
    await database.db.raw('alter table consents_gone rename to consents')

    expect(status).toBe(500)
    expect(headers['cache-control']).toBe('no-store')
    expect(
      text.includes('Something went wrong on our side. Please try again.'),
      'Something went wrong on our side. Please try again.',
    ).toBe(true)
    expect(text.includes('value="Quillfeather"'), 'value="Quillfeather"').toBe(true)
    expect(/consents|relation/.test(text)).toBe(false)
  })

  it('comes back when the database is away, also on a provider’s page', async () => {
    const db = openDb('postgres://nobody@127.0.0.1:1/none')
    const away = await startApiServer(db, SETTINGS)
    for (const [page, host] of [
      ['/', MAIN_HOST],
      ['/microsite?providerId=5', MAIN_HOST],
      ['/', 'quill.example'],
    ] as const) {
      const body = fieldsOf({ last_name: 'Quillfeather', page })
      const { status, headers, data } = await post(body, { url: away.url, headers: { host } })
      expect([status, headers['retry-after']], page).toEqual([503, '5'])
      expect(data.form, page).toMatchObject({
        url: page,
        values: { last_name: 'Quillfeather', acceptance_consent: true },
        errors: { form: 'We cannot save anything right now. Please try again in a moment.' },
      })
    }
    await away.close()
    await db.destroy()
  })

  it.each([
    [413, 'large', 'x'.repeat(40_000), FORM_TYPE],
    [415, 'in another alphabet', fieldsOf(), `${FORM_TYPE}; charset=iso-8859-1`],
    [415, 'an upload', '--x--', 'multipart/form-data; boundary=x'],
    [415, 'plain text', 'first_name=Jordan', 'text/plain'],
  ])('is refused with %i when it is %s', async (expected, _, body, type) => {
    const { status } = await post(body, { headers: { 'content-type': type } })
    expect(status).toBe(expected)
    expect(await storedLeads()).toEqual([])
  })
})

describe('everything else', () => {
  it('is answered in JSON as before when it was asked in JSON', async () => {
    const accepted = await api.call('POST', '/api/leads', leadForm(), { accept: 'text/html' })
    expect([accepted.status, accepted.body]).toEqual([201, { id: expect.any(Number) }])
    const refused = await api.call('POST', '/api/leads', { ...leadForm(), phone: '' })
    expect([refused.status, refused.body.fields]).toEqual([422, { phone: 'Phone number is required' }])
  })

  it.each([
    ['POST', '/api/session', 'password=x'],
    ['POST', '/api/sync', 'a=1'],
    ['PATCH', '/api/leads/1/provider', 'providerId=1'],
    ['POST', '/api/leads/1/retry-email', 'a=1'],
    ['POST', '/api/leads/', 'a=1'],
  ])('does not take plain forms: %s %s', async (method, path, body) => {
    const { status, body: answer } = await api.call(method, path, body, { 'content-type': FORM_TYPE })
    expect([status, answer.code]).toEqual([415, 'unsupported_media_type'])
  })
})
