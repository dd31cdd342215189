import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { createProvider } from '../support/factories.ts'
import { fieldsOf, usePlainForms } from './plain-forms.ts'

const ATTACK = `"><script>alert('a')</script>`
const site = usePlainForms()
const { database, post, storedLeads } = site

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
    const clinic = { domain: 'quill.example', practice_name: 'Quill Clinic' }
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
