import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A WordPress site of `PROVIDERS` clinics, each of which has changed below `/changed`. */
const PROVIDERS = Number(process.env.PROVIDERS)
const PAGE_SIZE = 100
const PAGES = PROVIDERS / PAGE_SIZE
const pages = [false, true].map((changed) => Array.from({ length: PAGES }, (_, page) => pageOf(page, changed)))
const headers = {
  'content-type': 'application/json; charset=UTF-8',
  'x-wp-total': String(PROVIDERS),
  'x-wp-totalpages': String(PAGES),
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(String(request.url), 'http://localhost')
  const page = Number(searchParams.get('page')) - 1
  await sleep(Number(process.env.PAGE_TIME))
  response.writeHead(200, headers).end(pages[pathname.startsWith('/changed') ? 1 : 0]?.[page])
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'))
process.on('SIGTERM', () => process.exit(0))

function pageOf(page: number, changed: boolean): Buffer {
  const posts = Array.from({ length: PAGE_SIZE }, (_, index) => {
    const id = page * PAGE_SIZE + index + 1
    return {
      id,
      status: 'publish',
      link: `https://clinics.example/providers/clinic-${id}/`,
      title: { rendered: `Dr. Number ${id} &amp; Partners` },
      featured_media: id,
      acf: {
        practice_name: `Clinic ${id}`,
        address: `${id} ${changed ? 'Second' : 'Main'} Street`,
        zip_code: String(10_001 + (id % 80_000)),
        // One in ten is counted from its zip.
        latitude: id % 10 === 0 ? '' : String(25 + spread(id) * 22),
        longitude: id % 10 === 0 ? '' : String(-120 + spread(id * 7919) * 45),
        phone: '(202) 555-0100',
        email: `clinic${id}@clinics.example`,
        website: `www.clinic${id}.example`,
        domain: `clinic${id}.example`,
        accepts_free_consultation: '1',
        accepts_financing: id % 2,
      },
      meta: {},
      _links: { self: [{ href: `https://clinics.example/wp-json/wp/v2/providers/${id}` }] },
      _embedded: { 'wp:featuredmedia': [{ id, source_url: `https://clinics.example/uploads/${id}.jpg` }] },
    }
  })
  return Buffer.from(JSON.stringify(posts))
}

/** From 0 to 1, without an order in it: places in a grid are what a spatial index does worst with. */
function spread(seed: number): number {
  const value = Math.sin(seed) * 10_000
  return value - Math.floor(value)
}
