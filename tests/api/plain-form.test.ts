import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { openDb } from '../../core/platform/db.ts'
import { apiWith } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'
import { MAIN_HOST, PAGES } from './pages-site.ts'
import { FORM_TYPE, fieldsOf, usePlainForms } from './plain-forms.ts'

const site = usePlainForms()
const { database, post, storedLeads } = site

describe('a form that a browser posts itself', () => {
  it('leads to the thank-you page with the nearest provider', async () => {
    const { id } = await createProvider(database.db)
    const { status, headers } = await post(fieldsOf())

    expect([status, headers.location]).toEqual([303, `/success?providerId=${id}`])
    expect(await storedLeads()).toMatchObject([{ provider_id: id, match_kind: 'nearest', acceptance_consent: true }])
    expect(await database.db('jobs')).toHaveLength(3)
  })

  it.each(['', 'false', '0', 'No', 'off'])(
    'is no consent when another program says so: %j',
    async (acceptance_consent) => {
      expect((await post(fieldsOf({ acceptance_consent }))).status).toBe(422)
      expect(await storedLeads()).toEqual([])
    },
  )

  it('is filled in on its page, without errors, when it only carries what another form has begun', async () => {
    const typed = { name: 'Dr. Quill', email: 'quill@clinics', zip_code: '78701' }
    const body = new URLSearchParams({ ...typed, carry: '', page: '/clinics?utm_source=news', other: 'x' }).toString()
    const { status, headers, data } = await post(body, { path: '/api/provider-applications' })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(data?.form).toEqual({
      url: '/clinics?utm_source=news',
      values: { ...typed, acceptance_consent: false },
      errors: {},
    })
    expect(await database.db('provider_applications')).toEqual([])
  })

  it('is held when the field is filled in that no person sees', async () => {
    await createProvider(database.db)
    const { status, headers } = await post(fieldsOf({ topic: 'cheap watches' }))

    expect([status, headers.location]).toEqual([303, '/success?inReview=true'])
    expect(await storedLeads()).toMatchObject([{ held_reason: 'honeypot' }])
    expect(await database.db('jobs').whereIn('purpose', ['provider', 'visitor'])).toEqual([])
  })

  it('leads to the review on the site of the clinic that it was sent to', async () => {
    const { id } = await createProvider(database.db)
    const { headers } = await post(fieldsOf({ topic: 'cheap watches' }), { query: `?providerId=${id}` })
    expect(headers.location).toBe(`/success?inReview=true&providerId=${id}`)
  })
})

describe('a plain form that we cannot take', () => {
  it('comes back, with when to try again, when too many came from one address', async () => {
    const strict = await apiWith(database.app, { ...PAGES, LEAD_RATE_PER_MINUTE: '1' })
    await post(fieldsOf(), { url: strict.url })
    const { status, headers, text } = await post(fieldsOf({ last_name: 'Quillfeather' }), { url: strict.url })

    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['cache-control']).toBe('no-store')
    expect(
      text.includes('Too many requests came from your network. Please try again in a minute.'),
      'Too many requests came from your network. Please try again in a minute.',
    ).toBe(true)
    expect(text).toContain('name="last_name" value="Quillfeather"')
    expect(await storedLeads()).toHaveLength(1)
  })

  it('is answered with a small page beyond the limit: nothing is rendered, and nothing that was sent runs', async () => {
    const strict = await apiWith(database.app, { ...PAGES, LEAD_RATE_PER_MINUTE: '1' })
    await post(fieldsOf(), { url: strict.url })
    const { text, headers } = await post(fieldsOf({ last_name: '"><script>alert(1)</script>' }), { url: strict.url })

    expect(text.length).toBeLessThan(4000)
    expect(text).not.toContain('<script')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`)
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
    expect(/consents_gone|relation|does not exist/.test(text)).toBe(false)
  })

  it('comes back when the database is away, also on a provider’s page', async () => {
    const db = openDb('postgres://nobody@127.0.0.1:1/none')
    onTestFinished(() => db.destroy())
    const away = await apiWith(db, PAGES)
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

const ATTACK = `"><script>alert('a')</script>`

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
})
