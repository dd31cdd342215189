import { describe, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { HTML, MAIN, startPagesApi, usePagesSite } from './pages-site.ts'

const site = usePagesSite()
const { database, get } = site

describe('a provider’s own host', () => {
  it('is the Host that was asked, whatever a client says that a proxy was asked', async () => {
    const proxied = await startPagesApi(database.db, { TRUST_PROXY_HOPS: '1' })
    try {
      const headers = { host: 'www.leadwell.example', 'x-forwarded-host': 'quill.example', ...HTML }
      const { text } = await rawRequest(proxied.url, { path: '/', headers })
      expect(text).not.toContain('Rosa Quill')
      expect(text).toContain(`<link rel="canonical" href="${MAIN}/">`)
    } finally {
      await proxied.close()
    }
  })

  it('is that clinic’s with and without www.', async () => {
    const { id } = await createProvider(database.db, { domain: 'www.elm.example', practice_name: 'Elm Clinic' })
    for (const host of ['www.quill.example', 'quill.example']) {
      expect((await get('/', host)).data.hostProvider?.id, host).toBe(site.quill)
    }
    for (const host of ['elm.example', 'WWW.elm.example']) {
      expect((await get('/', host)).data.hostProvider?.id, host).toBe(id)
    }
    const bare = await createProvider(database.db, { domain: 'elm.example', practice_name: 'Another Elm' })
    expect((await get('/', 'elm.example')).data.hostProvider?.id).toBe(bare.id)
    expect((await get('/', 'www.elm.example')).data.hostProvider?.id).toBe(id)
    expect((await get('/', 'www.quill.example')).canonical).toBe('https://quill.example/')
  })

  it('is the site of that clinic, for browsers and for search engines', async () => {
    const page = await get('/', 'QUILL.example')

    expect(page.status).toBe(200)
    expect(page.text).toContain('Backed by Science, Loved by Men.')
    expect(page.text).toContain('src="/demo/logo-austin.svg"')
    expect(page.text).toContain(`<meta property="og:image" content="${MAIN}/art/og.png">`)
    expect(page.text).toMatch(/<link rel="icon" href="\/favicon\.svg"/)
    expect(page.text).toContain(`action="/api/leads?providerId=${site.quill}"`)
    expect(page.canonical).toBe('https://quill.example/')
    expect(page.title).toContain('Quill &lt;/script&gt; Clinic')
    expect(page.data.hostProvider).toMatchObject({ id: site.quill, name: 'Dr. Rosa Quill' })
    expect(page.linkedData).toEqual({
      '@context': 'https://schema.org',
      '@type': 'MedicalBusiness',
      name: 'Quill </script> Clinic',
      url: 'https://quill.example/',
      telephone: '(512) 555-0100',
      address: {
        '@type': 'PostalAddress',
        streetAddress: '1 Main Street',
        addressLocality: 'Austin',
        addressRegion: 'TX',
        postalCode: '78701',
        addressCountry: 'US',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 30.27, longitude: -97.74 },
      logo: 'https://quill.example/demo/logo-austin.svg',
      sameAs: 'https://quill-clinic.example',
    })
  })

  it('keeps the clinic where there is no page, also by its id', async () => {
    for (const page of [
      await get('/no/such/page', 'quill.example'),
      await get(`/no/such/page?providerId=${site.quill}`),
    ]) {
      expect(page.status).toBe(404)
      expect(page.title).toContain('Page Not Found')
      expect(page.text).toContain('offers the ')
      expect(page.text).toContain('tel:+15125550100')
    }
  })

  it('tells nobody what is for staff', async () => {
    const { text } = await get('/', 'quill.example')
    expect(text).not.toMatch(/clinics\.example|mpxapi|wordpress_id|leadCount/)
  })

  it('has a robots.txt and a sitemap of its own', async () => {
    expect((await get('/robots.txt', 'quill.example')).text).toContain('Sitemap: https://quill.example/sitemap.xml')
    expect((await get('/sitemap.xml', 'quill.example')).text.match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>https://quill.example/</loc>',
    ])
  })

  it('leaves to the main site what belongs to that', async () => {
    const page = await get('/terms', 'quill.example')
    expect([page.status, page.canonical]).toEqual([200, `${MAIN}/terms`])
    expect((await get('/no/such/page', 'quill.example')).status).toBe(404)
  })

  it('is not on the main site’s own names, whatever a provider claims', async () => {
    const { id } = await createProvider(database.db, { name: 'Dr. Thief', domain: 'leadwell.example' })
    expect((await get('/', 'leadwell.example')).text).not.toContain('Dr. Thief')
    expect((await get('/api/providers/domain/leadwell.example')).status).toBe(404)
    await database.db('providers').where({ id }).delete()
  })

  it('shows the main site when the clinic is not active', async () => {
    await createProvider(database.db, { domain: 'closed.example', status: 'f' })
    expect((await get('/', 'closed.example')).data.hostProvider).toBeNull()
  })
})

describe('a provider in the address', () => {
  it('has a site there, which belongs to its own host', async () => {
    for (const path of [`/?providerId=${site.quill}`, `/microsite?providerId=${site.quill}`]) {
      const page = await get(path)
      expect(page.text, path).toContain('Backed by Science, Loved by Men.')
      expect(page.canonical, path).toBe('https://quill.example/')
    }
  })

  it('has an address on the main site when it has no host', async () => {
    const { id } = await createProvider(database.db)
    const page = await get(`/?providerId=${id}`)
    expect(page.canonical).toBe(`${MAIN}/microsite?providerId=${id}`)
    expect(page.linkedData.url).toBe(`${MAIN}/microsite?providerId=${id}`)
  })

  it('wins over the host', async () => {
    const { id } = await createProvider(database.db, { practice_name: 'Another Clinic' })
    expect((await get(`/?providerId=${id}`, 'quill.example')).text).toContain('Another Clinic')
  })

  it('is not shown where its id is empty, as in an ad whose template was not filled in', async () => {
    for (const query of ['providerId=', 'providerId=%20']) {
      const page = await get(`/?${query}`)
      expect(page.status, query).toBe(200)
      expect(page.text, query).not.toContain('Provider not found')
    }
    for (const path of ['/microsite', '/microsite?providerId=']) expect((await get(path)).status, path).toBe(404)
  })

  it('may be nobody', async () => {
    const inactive = await createProvider(database.db, { status: 'f' })
    for (const id of ['999999', 'abc', String(inactive.id)]) {
      const page = await get(`/?providerId=${id}`)
      expect(page.status, id).toBe(404)
      expect(page.text, id).toContain('Provider not found')
      expect(page.text, id).toContain('noindex')
      expect(page.linkedData, id).toBeUndefined()
    }
  })
})
