import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../core/platform/db.ts'
import { createProvider } from '../support/factories.ts'
import { MAIN_HOST, startPagesApi } from './pages-site.ts'
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

  it('goes to the provider that its address names, however far', async () => {
    await createProvider(database.db)
    const { id } = await createProvider(database.db, { zip_code: '10001' })
    const { headers } = await post(fieldsOf(), { query: `?providerId=${id}` })

    expect(headers.location).toBe(`/success?providerId=${id}`)
    expect(await storedLeads()).toMatchObject([{ provider_id: id, match_kind: 'chosen' }])
  })

  it('makes one lead when the browser posts it again, and leads to the same page', async () => {
    const { id } = await createProvider(database.db)
    const body = fieldsOf()
    for (const { status, headers } of [await post(body), await post(body)]) {
      expect([status, headers.location]).toEqual([303, `/success?providerId=${id}`])
    }
    expect(await storedLeads()).toHaveLength(1)
  })

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
    const strict = await startPagesApi(database.app, { LEAD_RATE_PER_MINUTE: '1' })
    await post(fieldsOf(), { url: strict.url })
    const { status, headers, text } = await post(fieldsOf({ last_name: 'Quillfeather' }), { url: strict.url })
    await strict.close()

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
    const strict = await startPagesApi(database.app, { LEAD_RATE_PER_MINUTE: '1' })
    await post(fieldsOf(), { url: strict.url })
    const { text, headers } = await post(fieldsOf({ last_name: '"><script>alert(1)</script>' }), { url: strict.url })
    await strict.close()

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
    const away = await startPagesApi(db)
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
