import { describe, expect, it } from 'vitest'
import { mapPost, neededMembers } from '../../../worker/sync/mapping.ts'

const SITE = 'https://clinics.example'
const post = (acf: unknown = {}, others: Record<string, unknown> = {}) => ({
  id: 7,
  status: 'publish',
  link: `${SITE}/providers/7/`,
  title: { rendered: 'Dr. Seven' },
  featured_media: 0,
  acf,
  meta: [],
  ...others,
})
const map = (acf: unknown, others?: Record<string, unknown>, mapping = {}) =>
  mapPost(post(acf, others), { site: SITE, mapping })
const field = (name: string, value: unknown) => {
  const { fields, problems } = map({ [name]: value })
  return problems[0] ?? Object.entries(fields).find(([key]) => !['name', 'url', 'image_url'].includes(key))?.[1]
}

describe('mapping a post', () => {
  it('finds the fields under their usual names, in acf and in meta', () => {
    const { fields, problems } = map(
      { practice_name: 'Clinic &amp; Sons', zip: 2116, location: { lat: 42.35, lng: -71.07 }, email: 'a@b.example' },
      { meta: { phone_number: ['(617) 555-0100'], bing_ads_id: 42 } },
    )
    expect(problems).toEqual([])
    expect(fields).toEqual({
      name: 'Dr. Seven',
      practiceName: 'Clinic & Sons',
      zipCode: '02116',
      latitude: 42.35,
      longitude: -71.07,
      email: 'a@b.example',
      phone: '(617) 555-0100',
      bing_ads_id: '42',
      url: `${SITE}/providers/7/`,
      image_url: null,
    })
  })

  it('finds them where settings say that they are, and leaves out what they say is nowhere', () => {
    const { fields } = map(
      { contact: { plz: '78701' }, domain: 'x.example' },
      {},
      {
        zipCode: ['acf.none', 'acf.contact.plz'],
        domain: [],
      },
    )
    expect(fields).toMatchObject({ zipCode: '78701' })
    expect(fields).not.toHaveProperty('domain')
    expect(neededMembers({ zipCode: ['clinic.zip'] })).toContain('clinic')
  })

  it('has nothing of an empty list of fields', () => {
    expect(map([]).fields).toEqual({ name: 'Dr. Seven', url: `${SITE}/providers/7/`, image_url: null })
  })

  it.each([
    ['Dr. O&#8217;Brien &amp; Co', 'Dr. O’Brien & Co'],
    ['Private: Dr. Seven', 'Dr. Seven'],
    ['Protected: Dr. Seven', 'Dr. Seven'],
    ['Dr. <em>Seven</em>', 'Dr. Seven'],
    ['A &lt;b&gt; B', 'A <b> B'],
    ['Caf&eacute; &#x1F600;', 'Café 😀'],
    ['  two\u0000words\n ', 'two words'],
    ['lone \ud800 surrogate', 'lone surrogate'],
  ])('makes a name of the title %j', (rendered, name) => {
    expect(map({}, { title: { rendered } }).fields.name?.replace(/ +/g, ' ')).toBe(name)
  })

  it.each([
    ['78701', '78701'],
    ['78701-1234', '78701'],
    ['787011234', '78701'],
    [2116, '02116'],
    ['501', '00501'],
    ['', null],
    [null, null],
    ['Austin', 'zipCode (acf.zip) must be a US zip code of five digits.'],
    [0, 'zipCode (acf.zip) must be a US zip code of five digits.'],
  ])('reads the zip %j', (value, zip) => {
    expect(field('zip', value)).toBe(zip)
  })

  it.each([
    [true, true],
    ['1', true],
    [1, true],
    ['Yes', true],
    [false, false],
    ['0', false],
    [0, false],
    ['', false],
    [null, false],
    ['maybe', 'accepts_financing (acf.accepts_financing) must be yes or no.'],
  ])('reads the yes or no %j', (value, flag) => {
    expect(field('accepts_financing', value)).toBe(flag)
  })

  it.each([
    ['30.25', '-97.75', { latitude: 30.25, longitude: -97.75 }],
    [30.25, -97.75, { latitude: 30.25, longitude: -97.75 }],
    ['', '', { latitude: null, longitude: null }],
    [0, 0, { latitude: null, longitude: null }],
    ['30.25', null, { latitude: null, longitude: null }],
  ])('reads the coordinates %j and %j', (lat, lng, coordinates) => {
    expect(map({ lat, lng })).toMatchObject({ problems: [], fields: coordinates })
  })

  it.each([
    ['www.clinic.example', 'www.clinic.example'],
    ['https://clinic.example/a?b=1&copy=2', 'https://clinic.example/a?b=1&copy=2'],
    ['https://clinic.example/?a=1&amp;b=2', 'https://clinic.example/?a=1&b=2'],
    ['javascript:alert(1)', 'website (acf.website) must be a web address.'],
    ['data:text/html,x', 'website (acf.website) must be a web address.'],
    ['', null],
  ])('reads the website %j', (value, website) => {
    expect(field('website', value)).toBe(website)
  })

  it.each([
    ['Clinic.Example', 'clinic.example'],
    ['https://clinic.example/path', 'clinic.example'],
    ['clinic.example.', 'clinic.example'],
    ['two words', 'domain (acf.domain) must be a host name.'],
    ['<b></b>', null],
  ])('reads the domain %j', (value, domain) => {
    expect(field('domain', value)).toBe(domain)
  })

  it.each([
    [{ image: { url: 'https://cdn.example/a.jpg', id: 5 } }, {}, 'https://cdn.example/a.jpg'],
    [{ image: '/uploads/a.jpg' }, {}, `${SITE}/uploads/a.jpg`],
    [{ image: '//cdn.example/a.jpg' }, {}, 'https://cdn.example/a.jpg'],
    [{ image: 55 }, {}, 'https://cdn.example/featured.jpg'],
    [{ image: false }, {}, 'https://cdn.example/featured.jpg'],
    [{ image: 55 }, { featured_media: 0, _embedded: undefined }, null],
    [{}, { _embedded: { 'wp:featuredmedia': [{ code: 'rest_forbidden' }] } }, undefined],
  ])('finds the image in %j', (acf, others, image) => {
    const featured = { 'wp:featuredmedia': [{ source_url: 'https://cdn.example/featured.jpg' }] }
    expect(map(acf, { featured_media: 9, _embedded: featured, ...others }).fields.image_url).toBe(image)
  })

  it.each(['n/a', 'none', 'uploads/a.jpg', 'www.clinic.example/a.jpg', 'javascript:alert(1)'])(
    'does not take %j for an image of the site',
    (image) => {
      const { fields, problems } = map({ image })
      expect(fields).not.toHaveProperty('image_url')
      expect(problems).toEqual(['image_url (acf.image) must be a web address.'])
    },
  )

  it.each([
    [{}, 'publish', true],
    [{ active: true }, 'publish', true],
    [{ active: null }, 'publish', true],
    [{ active: '' }, 'publish', true],
    [{ active: false }, 'publish', false],
    [{ is_active: '0' }, 'publish', false],
    [{ active: true }, 'draft', false],
    [{}, 'private', false],
  ])('takes %j of a post that is %s for active: %s', (acf, status, isActive) => {
    expect(map(acf, { status }).isActive).toBe(isActive)
  })

  it.each([
    ['publish', false],
    ['draft', true],
    ['pending', true],
    ['private', true],
    ['future', true],
    ['trash', true],
  ])('hides a post that is %s: %s', (status, isHidden) => {
    expect(map({ active: true }, { status }).isHidden).toBe(isHidden)
  })

  it('says what it cannot read, and of which path', () => {
    expect(map({ phone: { value: 1 }, address: 'x'.repeat(1001) }).problems).toEqual([
      'address (acf.address) must not be longer than 1000 characters.',
      'phone (acf.phone) must be text.',
    ])
  })

  it('refuses a field of a megabyte before it looks for markup in it', () => {
    const hostile = '<'.repeat(1_000_000)
    const { problems } = map({ practice_name: hostile, phone: hostile }, { title: { rendered: hostile } })
    expect(problems).toEqual([
      'name (title.rendered) must not be longer than 10000 characters, markup included.',
      'practiceName (acf.practice_name) must not be longer than 10000 characters, markup included.',
      'phone (acf.phone) must not be longer than 10000 characters, markup included.',
    ])
  })

  it('looks for markup in linear time', () => {
    // A thousand posts: more than a minute where each `<` is compared with all that follow it.
    const hostile = '<'.repeat(10_000)
    for (let count = 0; count < 1000; count++) {
      expect(map({ practice_name: hostile }).problems).toEqual([
        'practiceName (acf.practice_name) must not be longer than 1000 characters.',
      ])
    }
  })

  it('takes a list of a hundred thousand levels for no picture', () => {
    const nested = JSON.parse(`${'['.repeat(100_000)}5${']'.repeat(100_000)}`)
    expect(map({ logo: nested })).toMatchObject({ problems: [], fields: { logo_url: null } })
    expect(() => mapPost(post({}, { id: nested }), { site: SITE })).toThrow('It has no usable id.')
  })

  it.each([null, 'text', [], 5, { id: 'x' }, { id: 0 }, { id: 1.5 }])('knows no provider by %j', (value) => {
    expect(() => mapPost(value, { site: SITE })).toThrow(/^It (is not a post|has no usable id)/)
  })
})
