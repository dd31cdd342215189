import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as providerRecord from '../../core/providers/stores/provider-record.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { fetchPicture, fetchPictures, PICTURE_LIMITS } from '../../worker/pictures.ts'
import { useDatabase } from '../support/database.ts'
import { createProvider } from '../support/factories.ts'

const database = useDatabase()

/** Stands for the WordPress site, which a setting names. */
let site: string
let other: string
let answer: RequestListener
const asked: string[] = []
const servers = [0, 1].map(() =>
  createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    answer(request, response)
  }),
)
beforeAll(async () => {
  const urls = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  ;[site = '', other = ''] = urls
})
afterAll(() => {
  for (const server of servers) server.close()
})
afterEach(() => {
  asked.length = 0
})

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'purple' } })
    .withExif({ IFD0: { Artist: 'Unknown' } })
    .jpeg()
    .toBuffer()
const answerWith = (body: Buffer | string, status = 200, headers = {}) => {
  answer = (_, response) => response.writeHead(status, headers).end(body)
}

describe('a picture of a clinic', () => {
  it('is fetched from the WordPress site, encoded anew without its metadata, and served by us', async () => {
    answerWith(await picture(3000, 1500))
    const { id } = await createProvider(database.db, { image_url: `${site}/clinic.jpg`, logo_url: '/demo/logo.svg' })
    expect(await providers.find(database.db, id)).toMatchObject({ image_url: null, logo_url: '/demo/logo.svg' })

    expect(await fetchPictures(database.db, { trustedOrigin: site })).toBe(1)

    const { image_url, picture_problem } = (await providers.find(database.db, id)) ?? {}
    expect([image_url, picture_problem]).toEqual([expect.stringMatching(/^\/pictures\/[0-9a-f]{32}\.webp$/), null])
    const body = await providerRecord.find(database.db, String(image_url).split('/')[2] ?? '')
    expect(await sharp(body ?? undefined).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 600 })
    expect((await sharp(body ?? undefined).metadata()).exif).toBeUndefined()
    // It is not fetched again before its time.
    expect(await fetchPictures(database.db, { trustedOrigin: site })).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it('keeps its last copy where it can no longer be fetched, and staff see why', async () => {
    answerWith(await picture())
    const { id } = await createProvider(database.db, { logo_url: `${site}/logo.png` })
    await fetchPictures(database.db, { trustedOrigin: site })
    answerWith('gone', 404)
    await database.db('pictures').update({ next_attempt_at: database.db.fn.now() })
    expect(await fetchPictures(database.db, { trustedOrigin: site })).toBe(0)

    expect(await providers.find(database.db, id)).toMatchObject({
      logo_url: expect.stringMatching(/^\/pictures\//),
      picture_problem: 'The server of the picture answered 404.',
    })
  })

  it('is deleted when no provider has it', async () => {
    answerWith(await picture())
    const { id } = await createProvider(database.db, { image_url: `${site}/old.jpg` })
    await fetchPictures(database.db, { trustedOrigin: site })
    await database.db('providers').where({ id }).update({ image_url: null })
    await fetchPictures(database.db, { trustedOrigin: site })
    expect(await database.db('pictures')).toEqual([])
  })

  it('is fetched by one worker, however many there are', async () => {
    answerWith(await picture())
    for (let n = 0; n < 12; n++) await createProvider(database.db, { image_url: `${site}/${n}.jpg` })
    const fetched = await Promise.all([1, 2, 3].map(() => fetchPictures(database.db, { trustedOrigin: site })))
    expect(fetched.reduce((sum, count) => sum + count)).toBe(12)
    expect(new Set(asked).size).toBe(12)
    expect(asked).toHaveLength(12)
  })
})

describe('the address of a picture', () => {
  it.each([
    ['this machine', () => other],
    ['this machine by name', () => other.replace('127.0.0.1', 'localhost')],
    ['this machine in other digits', () => other.replace('127.0.0.1', '2130706433')],
    ['this machine as IPv6', () => other.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['a private network', () => 'https://10.0.0.1/logo.png'],
  ])('is refused where it is %s', async (_, address) => {
    answerWith(await picture())
    await expect(fetchPicture(address(), { trustedOrigin: site })).rejects.toThrow(
      'The address of the picture is not public.',
    )
    expect(asked).toEqual([])
  })

  it('is refused where a redirect leads there', async () => {
    answerWith('', 302, { location: `${other}/internal` })
    await expect(fetchPicture(`${site}/logo.png`, { trustedOrigin: site })).rejects.toThrow('is not public')
    expect(asked).toHaveLength(1)
  })

  it('may redirect on its own site, but not for ever', async () => {
    const body = await picture()
    answer = ({ url }, response) =>
      url === '/end' ? response.end(body) : response.writeHead(302, { location: '/end' }).end()
    expect((await fetchPicture(`${site}/start`, { trustedOrigin: site })).fileName).toMatch(/\.webp$/)
    answerWith('', 302, { location: '/again' })
    await expect(fetchPicture(`${site}/start`, { trustedOrigin: site })).rejects.toThrow('redirects too often')
  })
})

describe('what is no picture, or too much of one', () => {
  const limits = { ...PICTURE_LIMITS, deadline: 300, size: 1024 * 1024, pixels: 1_000_000 }
  const refusal = () =>
    fetchPicture(`${site}/logo.png`, { trustedOrigin: site, limits }).then(
      () => 'taken',
      (error: Error) => error.message,
    )

  it.each([
    ['a web page', '<html><script>alert(1)</script></html>'],
    ['nothing', ''],
    ['the start of a picture', '\u0089PNG\r\n\u001a\n'],
  ])('is refused: %s', async (_, body) => {
    answerWith(body, 200, { 'content-type': 'image/png' })
    expect(await refusal()).toBe('The file is not a picture.')
  })

  it('is refused: too many bytes, too many pixels, an answer without an end', async () => {
    answerWith(Buffer.alloc(2 * 1024 * 1024))
    expect(await refusal()).toBe('The picture is larger than 1 MB.')
    answerWith(await picture(2000, 2000))
    expect(await refusal()).toBe('The picture has more than 1 million pixels.')
    answer = (_, response) => response.write('x')
    expect(await refusal()).toBe('The picture did not come within 0.3 seconds.')
  })

  it.each([
    ['as it is', (svg: string) => svg],
    ['with a byte order mark', (svg: string) => `\ufeff${svg}`],
    ['with a declaration', (svg: string) => `<?xml version="1.0"?>\n${svg}`],
  ])('is refused: an SVG %s, because drawing one can take hours', async (_, written) => {
    answerWith(written('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'))
    expect(await refusal()).toBe('The picture is an SVG, which is not accepted. Please use JPEG, PNG or WebP.')
  })

  it.each([
    [
      'behind text that is not its own',
      Buffer.from(`${' '.repeat(500)}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`),
    ],
    ['compressed', gzipSync('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('is refused by the decoder: an SVG %s', async (_, body) => {
    answerWith(body)
    expect(await refusal()).toBe('The file is not a picture.')
  })

  it('is given up after the deadline, and the process that decodes it is gone', async () => {
    answerWith(await picture(900, 900))
    const slow = { ...PICTURE_LIMITS, decoding: 5 }
    await expect(fetchPicture(`${site}/logo.png`, { trustedOrigin: site, limits: slow })).rejects.toThrow(
      'The picture took longer than 0.005 seconds to decode.',
    )
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')
    const commands = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    )
    expect(commands.filter((command) => command.includes('VipsForeignLoad'))).toEqual([])
  })
})
