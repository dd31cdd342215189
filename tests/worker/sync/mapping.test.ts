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
    ['\u200b78701', '78701'],
    [{ value: '78701', label: 'Austin' }, '78701'],
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
    [{ value: 'yes', label: 'Yes' }, true],
    [{ value: '0', label: 'No' }, false],
    [['1'], true],
    ['maybe', 'accepts_financing (acf.accepts_financing) must be yes or no.'],
  ])('reads the yes or no %j', (value, flag) => {
    expect(field('accepts_financing', value)).toBe(flag)
  })

  it.each([
    ['30.25', '-97.75', { latitude: 30.25, longitude: -97.75 }],
    [30.25, -97.75, { latitude: 30.25, longitude: -97.75 }],
    ['', '', { latitude: null, longitude: null }],
    ['30.25', '\u221297.75', { latitude: 30.25, longitude: -97.75 }],
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
    ['https://', null],
    ['http:', null],
    ['N/A', null],
    ['none', null],
    [{ title: 'Our site', url: 'https://clinic.example/', target: '_blank' }, 'https://clinic.example/'],
    [{ value: 'https://clinic.example/', label: 'Ours' }, 'https://clinic.example/'],
    [[{ url: 'https://clinic.example/' }], 'https://clinic.example/'],
    [{ title: '', url: '', target: '' }, null],
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
    [{ image: [{ source_url: 'https://cdn.example/a.jpg' }] }, {}, 'https://cdn.example/a.jpg'],
    [{ image: { ID: 55 } }, {}, null],
    [{ image: 'https://' }, {}, null],
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

  it.each([
    ['A<br>B', 'A B'],
    ['<p>500 W 2nd St</p>\n<p>Suite 1900</p>', '500 W 2nd St Suite 1900'],
    ['<ul><li>A</li><li>B</li></ul>', 'A B'],
    ['un<b>bold</b>', 'unbold'],
    ['A<!-- c -->B', 'AB'],
    ['x < 5 & > 2', 'x < 5 & > 2'],
    ['Clinic <5 min from I-35', 'Clinic <5 min from I-35'],
    ['1 Main\u200b St\u00ad', '1 Main St'],
    [{ value: 'a', label: 'A' }, 'a'],
    [{ term_id: 5, name: 'Downtown', slug: 'downtown' }, 'Downtown'],
  ])('reads the text %j', (value, text) => {
    expect(field('address', value)).toBe(text)
  })

  const MAP = { address: '5 A St', lat: '30.2', lng: -97.7, zoom: 14, post_code: '78701', city: 'Austin' }
  const OF_MAP = { address: '5 A St', latitude: 30.2, longitude: -97.7, zipCode: '78701' }

  it.each([
    [{ address: MAP }, OF_MAP],
    [{ location: MAP }, OF_MAP],
    [{ google_map: [MAP] }, OF_MAP],
    [
      { map: MAP, address: '6 B St', zip: '78702', latitude: '', longitude: '' },
      { ...OF_MAP, address: '6 B St', zipCode: '78702' },
    ],
    [
      { location: MAP, latitude: 30.5, longitude: -97.5 },
      { ...OF_MAP, latitude: 30.5, longitude: -97.5 },
    ],
    [{ address: { address: '5 A St', lat: '', lng: '' } }, { address: '5 A St' }],
  ])('fills what is empty from the map in %j', (acf, fields) => {
    const { name, url, image_url, ...found } = map(acf).fields
    expect(found).toEqual(fields)
  })

  it('knows the fields of WP Store Locator', () => {
    const meta = {
      wpsl_address: ['1 Main St'],
      wpsl_zip: ['78701'],
      wpsl_lat: ['30.2'],
      wpsl_lng: ['-97.7'],
      wpsl_phone: ['(512) 555-0100'],
      wpsl_email: ['a@b.example'],
      wpsl_url: ['https://clinic.example'],
    }
    expect(map([], { meta })).toMatchObject({
      problems: [],
      fields: {
        address: '1 Main St',
        zipCode: '78701',
        latitude: 30.2,
        longitude: -97.7,
        website: 'https://clinic.example',
      },
    })
  })

  it.each([
    [{ email: { url: 'mailto:a@b.example?subject=x', title: 'Write' } }, 'email', 'a@b.example'],
    [{ email: '\u200bsmith&jones@b.example' }, 'email', 'smith&jones@b.example'],
    [{ phone: { url: 'tel:+15125550100', title: 'Call' } }, 'phone', '+15125550100'],
  ] as const)('reads the contact in %j', (acf, name, value) => {
    expect(map(acf)).toMatchObject({ problems: [], fields: { [name]: value } })
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
