import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { createProvider } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { MAIN, MAIN_HOST, usePagesSite } from './pages-site.ts'

const site = usePagesSite()
const { database, get } = site
const YEAR = 'public, max-age=31536000, immutable'

const meta = (text: string, property: string) =>
  new RegExp(`<meta property="og:${property}" content="([^"]*)">`).exec(text)?.[1]
const iconOf = (text: string) => /<link rel="icon" href="([^"]+)"/.exec(text)?.[1]

/** Requests a picture by its path and returns it with the size that it has. */
async function picture(path: string) {
  const response = await fetch(new URL(path, site.api.url))
  const body = Buffer.from(await response.arrayBuffer())
  const { width, height, format } = response.ok ? await sharp(body).metadata() : {}
  const { headers, status } = response
  return {
    status,
    body,
    size: [width, height],
    format,
    caching: headers.get('cache-control'),
    etag: headers.get('etag'),
  }
}

/** Returns the share of pixels in which two pictures of one size differ visibly. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = await Promise.all([a, b].map((each) => sharp(each).removeAlpha().greyscale().raw().toBuffer()))
  if (!one || !other || one.length !== other.length) return 1
  return one.filter((value, index) => Math.abs(value - Number(other[index])) > 40).length / one.length
}

describe('the picture and the icon of a clinic’s site', () => {
  it('are its own, under an address that changes with its name', async () => {
    const { id } = await createProvider(database.db, { practice_name: 'Elm Clinic', domain: 'elm-pictures.example' })
    const page = await get('/', 'elm-pictures.example')
    const share = meta(page.text, 'image') ?? ''
    expect(share).toMatch(new RegExp(`^https://elm-pictures\\.example/pictures/clinics/${id}/share\\.png\\?v=`))
    expect([meta(page.text, 'image:width'), meta(page.text, 'image:height')]).toEqual(['1200', '630'])
    expect(meta(page.text, 'image:alt')).toBe('Elm Clinic')
    expect(iconOf(page.text)).toContain(`/pictures/clinics/${id}/icon.png?v=`)
    expect(page.text).not.toContain('/favicon.svg')

    await database.db('providers').where({ id }).update({ practice_name: 'Oak Clinic' })
    const renamed = await get('/', 'elm-pictures.example')
    expect(meta(renamed.text, 'image')).not.toBe(share)
    expect(iconOf(renamed.text)).not.toBe(iconOf(page.text))
  })

  it('are on every page of the clinic, and on none of the main site', async () => {
    for (const path of [`/start?providerId=${site.quill}`, `/microsite?providerId=${site.quill}`]) {
      const { text } = await get(path)
      expect(meta(text, 'image'), path).toContain(`${MAIN}/pictures/clinics/${site.quill}/share.png`)
      expect(iconOf(text), path).toContain(`/pictures/clinics/${site.quill}/icon.png`)
    }
    const { text } = await get('/')
    expect([meta(text, 'image'), iconOf(text)]).toEqual([`${MAIN}/art/og.png`, '/favicon.svg'])
  })

  it('have the sizes that networks and browsers ask for, and are kept permanently', async () => {
    const { text } = await get(`/microsite?providerId=${site.quill}`)
    const share = await picture(new URL(meta(text, 'image') ?? '').href.replace(MAIN, ''))
    expect([share.status, share.format, share.size, share.caching]).toEqual([200, 'png', [1200, 630], YEAR])
    expect(share.body.length).toBeLessThan(300_000)
    const icon = await picture(iconOf(text) ?? '')
    expect([icon.status, icon.format, icon.size, icon.caching]).toEqual([200, 'png', [192, 192], YEAR])
    const map = await picture(`/pictures/clinics/${site.quill}/map.svg`)
    expect([map.status, map.format, map.size, map.caching]).toEqual([200, 'svg', [800, 300], 'public, max-age=300'])
    const again = await rawRequest(site.api.url, {
      path: iconOf(text) ?? '',
      headers: { host: MAIN_HOST, 'if-none-match': icon.etag ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('shows the name, the city, and the clinic’s own picture', async () => {
    const fields = { practice_name: 'Elm Clinic', zip_code: '78701' }
    const draw = async (changes: object) => {
      const { id } = await createProvider(database.db, { ...fields, ...changes })
      return (await picture(`/pictures/clinics/${id}/share.png`)).body
    }
    const [plain, same] = [await draw({}), await draw({})]
    expect(await difference(plain, same)).toBe(0)
    const others = {
      name: { practice_name: 'Oak Clinic' },
      city: { zip_code: '80202' },
      image: { image_url: '/art/og.png' },
    }
    for (const [what, changes] of Object.entries(others)) {
      expect(await difference(plain, await draw(changes)), what).toBeGreaterThan(0.001)
    }
  })

  it('cannot be changed by a name, and holds any name', async () => {
    const names = [
      '</span><span size="99999999">Large</span>',
      '"><svg onload="x"/> & Sons',
      'W'.repeat(300),
      '北京诊所 😀\u0007',
      'Trần & Łódź',
    ]
    for (const practice_name of names) {
      const { id } = await createProvider(database.db, { practice_name })
      for (const [file, size] of [
        ['share.png', [1200, 630]],
        ['icon.png', [192, 192]],
      ] as const) {
        const drawn = await picture(`/pictures/clinics/${id}/${file}`)
        expect([drawn.status, drawn.size], `${practice_name} ${file}`).toEqual([200, size])
      }
    }
    const unknown = await createProvider(database.db, { practice_name: '北京' })
    const ours = await createProvider(database.db, { practice_name: brand.company })
    const [one, other] = await Promise.all(
      [unknown, ours].map(({ id }) => picture(`/pictures/clinics/${id}/icon.png`).then(({ body }) => body)),
    )
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
  })

  it('reads no file outside of the site for a picture', async () => {
    const { id } = await createProvider(database.db, { image_url: '/../../../package.json' })
    const plain = await createProvider(database.db, { image_url: null, practice_name: `Test Clinic ${id}` })
    await database
      .db('providers')
      .where({ id })
      .update({ practice_name: `Test Clinic ${id}` })
    const [one, other] = await Promise.all(
      [id, plain.id].map((each) => picture(`/pictures/clinics/${each}/share.png`).then(({ body }) => body)),
    )
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
  })

  it('are not there for an inactive provider, an unknown one, or a file of another name', async () => {
    const inactive = await createProvider(database.db, { status: 'f' })
    const noPlace = await createProvider(database.db, { latitude: null, longitude: null })
    for (const path of [
      `/pictures/clinics/${inactive.id}/share.png`,
      '/pictures/clinics/999999/icon.png',
      '/pictures/clinics/abc/icon.png',
      `/pictures/clinics/${site.quill}/other.png`,
      `/pictures/clinics/${noPlace.id}/map.svg`,
    ]) {
      expect((await picture(path)).status, path).toBe(404)
    }
  })
})

describe('GET /api/providers/{id}/contact.vcf', () => {
  it('is a card for the address book of a phone, and names no treatment', async () => {
    const { id } = await createProvider(database.db, {
      practice_name: 'Elm Men’s Health',
      address: '1 Main Street, Austin, TX',
    })
    const response = await fetch(new URL(`/api/providers/${id}/contact.vcf`, site.api.url))
    const card = await response.text()
    expect(response.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('inline; filename="elm-mens-health.vcf"')
    for (const line of [
      'FN:Elm Men’s Health',
      'TEL;TYPE=WORK,VOICE:+15125550100',
      'ADR;TYPE=WORK:;;1 Main Street;Austin;TX;78701;USA',
    ])
      expect(card.split('\r\n')).toContain(line)
    expect(card).not.toContain(brand.company)
    expect(card).not.toContain('clinics.example')
  })

  it('is none for an inactive provider, or one without a phone', async () => {
    const inactive = await createProvider(database.db, { status: 'f' })
    const silent = await createProvider(database.db, { phone: null })
    for (const id of [inactive.id, silent.id, 999_999]) {
      expect((await fetch(new URL(`/api/providers/${id}/contact.vcf`, site.api.url))).status).toBe(404)
    }
  })
})
