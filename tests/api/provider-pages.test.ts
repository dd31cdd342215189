import { describe, expect, it } from 'vitest'
import { pages } from '../../web/pages.ts'
import { apiWith } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { HTML, MAIN, PAGES, usePagesSite } from './pages-site.ts'

const site = usePagesSite()
const { database, get } = site

describe('a provider’s own host', () => {
  it('is the Host that was asked, whatever a client says that a proxy was asked', async () => {
    const proxied = await apiWith(database.db, { ...PAGES, TRUST_PROXY_HOPS: '1' })
    const headers = { host: 'www.leadwell.example', 'x-forwarded-host': 'quill.example', ...HTML }
    const { text } = await rawRequest(proxied.url, { path: '/', headers })
    expect(text).not.toContain('Rosa Quill')
    expect(text).toContain(`<link rel="canonical" href="${MAIN}/">`)
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

  it('has a robots.txt and a sitemap of its own', async () => {
    expect((await get('/robots.txt', 'quill.example')).text).toContain('Sitemap: https://quill.example/sitemap.xml')
    expect((await get('/sitemap.xml', 'quill.example')).text.match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>https://quill.example/</loc>',
    ])
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

  it('wins over the host', async () => {
    const { id } = await createProvider(database.db, { practice_name: 'Another Clinic' })
    expect((await get(`/?providerId=${id}`, 'quill.example')).text).toContain('Another Clinic')
  })
})

/** Every page for visitors; a token in the path is of no request. */
const PATHS = Object.values(pages)
  .filter(({ rendered, audience }) => rendered !== 'browser' && audience === undefined)
  .flatMap(({ path }) => {
    const known = path.replace(':token', 'token')
    const outcomes = ['?providerId=ID', '?providerId=ID&inReview=true', '?noProvider=true']
    return path === pages.success.path
      ? ['', ...outcomes].map((query) => known + query)
      : [known, `${known}?providerId=ID`]
  })

/** The refund policy says this, which is about no consultation. */
const OF_THE_SITE = 'This site is free to use.'

/** The map's filter says which other clinics offer it. */
const FILTER = /<label><input type="checkbox"\/>Free consultation.*?<\/label>/

/** Returns what a page says: its texts and its descriptions, without its data, scripts and styles. */
function wordsOf(html: string): string {
  return html
    .replace(OF_THE_SITE, '')
    .replace(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/ (class|href|src|for|id|name|value)="[^"]*"/g, '')
    .replace(FILTER, '')
}

it('says nowhere that anything is free on the site of a clinic whose consultation is not', async () => {
  const { id } = await createProvider(database.db, {
    domain: 'paid.example',
    practice_name: 'Paid Clinic',
    accepts_free_consultation: false,
    accepts_financing: true,
  })
  for (const path of PATHS) {
    const { text } = await get(path.replace('ID', String(id)), 'paid.example')
    const found = wordsOf(text).match(/.{0,60}\bfree\b.{0,60}/gi)
    expect(found, path).toBeNull()
  }
  expect(wordsOf((await get(`/success?providerId=${id}`)).text)).not.toMatch(/\bfree\b/i)
})

it('says it on the site of a clinic whose consultation is', async () => {
  await createProvider(database.db, { domain: 'free.example', accepts_free_consultation: true })
  expect(wordsOf((await get('/', 'free.example')).text)).toMatch(/\bfree\b/i)
})
