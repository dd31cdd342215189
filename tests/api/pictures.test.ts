import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'

const { api, database } = useApi()

const FILE = `${'ab'.repeat(16)}.webp`

describe('GET /pictures/{file}', () => {
  it('serves a picture of a clinic from our own host, to be kept forever', async () => {
    const source_url = 'https://tracker.example/p.gif?x=1'
    const { id } = await createProvider(database.db, { image_url: source_url })
    await database.db('pictures').insert({ source_url, file_name: FILE, body: Buffer.from('RIFF') })

    const { body } = await api.call('GET', `/api/providers/${id}`)
    expect(body.image_url).toBe(`/pictures/${FILE}`)
    expect(JSON.stringify(body)).not.toContain('tracker.example')
    const picture = await api.call('GET', body.image_url)
    expect([picture.status, picture.body]).toEqual([200, 'RIFF'])
    expect(picture.headers.get('content-type')).toBe('image/webp')
    expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it.each([`${'cd'.repeat(16)}.webp`, 'x', '..%2f..%2fetc%2fpasswd', '%00.webp'])('has no %s', async (file) => {
    expect((await api.call('GET', `/pictures/${file}`)).status).toBe(404)
  })
})

describe('GET /pictures/clinic-{id}.png', () => {
  const FILE_OF_PNG = `${'ef'.repeat(16)}.webp`
  const ask = async (id: number | string) => fetch(new URL(`/pictures/clinic-${id}.png`, api.url))

  it('serves the picture of a clinic to mail programs: round, small, and a PNG', async () => {
    const source_url = 'https://pictures.example/clinic.jpg'
    const { id } = await createProvider(database.db, { image_url: source_url })
    expect((await ask(id)).status).toBe(404)
    const background = { r: 200, g: 30, b: 30 }
    const body = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .webp()
      .toBuffer()
    await database.db('pictures').insert({ source_url, file_name: FILE_OF_PNG, body })

    const answer = await ask(id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 144, height: 144, channels: 4 })
    const alphaAt = (x: number, y: number) => data[(y * 144 + x) * 4 + 3]
    expect([alphaAt(0, 0), alphaAt(143, 143), alphaAt(72, 72)]).toEqual([0, 0, 255])
  })
})

it('lets browsers ask our own host for pictures, and no other', async () => {
  const { headers } = await api.call('GET', '/api/providers')
  const policy = headers.get('content-security-policy') ?? ''
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data:")
})
