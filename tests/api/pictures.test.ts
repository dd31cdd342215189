import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'

const { api, database } = useApi({ MAP_TILE_URL: 'https://{s}.tiles.example/{z}/{x}/{y}.png' })

const FILE = `${'ab'.repeat(16)}.webp`

describe('GET /pictures/{file}', () => {
  it('serves a picture of a clinic from our own host, to be kept for good', async () => {
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

it('lets browsers ask our own host and that of the tiles for pictures, and no other', async () => {
  const { headers } = await api.call('GET', '/api/providers')
  const policy = headers.get('content-security-policy') ?? ''
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data: https://*.tiles.example")
})
