import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { type DemoProvider, demoProviders } from './demo-providers.ts'
import { html, page, servePages, sharedLook } from './pages.ts'

/** The only user that may read the posts. */
const USER = 'leadwell'
const POST_TYPE = 'providers'

/** Clinics that only WordPress has, so that the first sync adds them. */
const NEWCOMERS: Partial<DemoProvider>[] = [
  {
    name: 'Dr. Wren Castellan',
    practice_name: 'Saltwater Men’s Health',
    address: '14 Bay Street, Savannah, GA',
    zip_code: '31401',
  },
  {
    name: 'Dr. Ilse Marchetti',
    practice_name: 'High Plains Urology',
    address: '220 Polk Street, Amarillo, TX',
    zip_code: '79101',
  },
  {
    name: 'Dr. Tobias Renner',
    practice_name: 'Lakes & Pines Clinic',
    address: '9 Superior Street, Duluth, MN',
    zip_code: '55802',
  },
]

export interface WordPressStandIn {
  /** The site, with its REST API below `/wp-json/`. */
  url: string
  user: string
  password: string
  stop(): Promise<void>
}

/**
 * Starts a WordPress whose posts are the demo's clinics, and a few more. It is as strict as a site that is not public: it
 * answers only its user, in pages of at most 100 posts, with the headers and the errors of the REST API.
 * @throws Error when the port is taken. Port 0 is any free one.
 */
export async function startWordPressStandIn({ port = 0 }: { port?: number } = {}): Promise<WordPressStandIn> {
  const password = randomBytes(18).toString('base64url')
  const authorization = `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`
  const web = await servePages(wordPressApp(demoPosts(), authorization), port)
  return { url: `http://localhost:${web.port}`, user: USER, password, stop: web.stop }
}

/** Returns the posts of the demo's providers that came from WordPress, and of the newcomers. */
function demoPosts(): Post[] {
  const known = demoProviders().filter(({ wordpress_id }) => wordpress_id !== null)
  const newcomers = NEWCOMERS.map((fields, index) => ({
    ...(known[0] as DemoProvider),
    website: null,
    url: '',
    domain: null,
    image_url: null,
    logo_url: null,
    latitude: null,
    longitude: null,
    wordpress_id: 9_100_000 + index,
    email: `leads@newcomer-${index + 1}.example`,
    ...fields,
  }))
  return [...known, ...newcomers].map(postOf)
}

type Post = ReturnType<typeof postOf>

/** Custom fields are as common plugins send them: numbers as texts, yes and no as 1 and an empty text. */
function postOf(provider: DemoProvider) {
  const { wordpress_id, name, status, latitude, longitude, url, accepts_free_consultation, accepts_financing } =
    provider
  return {
    id: Number(wordpress_id),
    status: 'publish',
    type: POST_TYPE,
    link: url || `https://network.example/providers/${wordpress_id}`,
    title: { rendered: name.replaceAll('&', '&amp;').replaceAll("'", '&#039;') },
    acf: {
      practice_name: provider.practice_name ?? '',
      address: provider.address,
      zip_code: provider.zip_code,
      latitude: String(latitude ?? ''),
      longitude: String(longitude ?? ''),
      phone: provider.phone,
      email: provider.email,
      website: provider.website ?? '',
      domain: provider.domain ?? '',
      accepts_free_consultation: accepts_free_consultation ? '1' : '',
      accepts_financing: accepts_financing ? '1' : '',
      active: status === 't' ? '1' : '0',
    },
    meta: [],
    _links: {},
  }
}

function wordPressApp(posts: Post[], authorization: string): RequestListener {
  const router = new Router()
  router.get('/', (ctx) => {
    ctx.body = listPage(posts)
  })
  router.get('/wp-admin/post.php', (ctx) => {
    ctx.body = listPage(posts.filter(({ id }) => String(id) === ctx.query.post))
  })
  router.get('/wp-json/wp/v2/users/me', (ctx) => {
    if (ctx.get('authorization') !== authorization) return fail(ctx, 401, 'rest_not_logged_in')
    ctx.body = { id: 1 }
  })
  router.get(`/wp-json/wp/v2/${POST_TYPE}`, (ctx) => {
    if (ctx.get('authorization') !== authorization) return fail(ctx, 401, 'rest_forbidden')
    const perPage = Number(ctx.query.per_page ?? 10)
    const number = Number(ctx.query.page ?? 1)
    if (!(perPage >= 1 && perPage <= 100)) return fail(ctx, 400, 'rest_invalid_param')
    const include = ctx.query.include === undefined ? null : String(ctx.query.include).split(',').map(Number)
    const { status = 'publish' } = ctx.query
    const found = posts
      .filter((post) => include === null || include.includes(post.id))
      .filter((post) => String(status).split(',').includes(post.status))
      .toSorted((a, b) => a.id - b.id)
    const pages = Math.ceil(found.length / perPage)
    if (!(number >= 1 && number <= Math.max(pages, 1))) return fail(ctx, 400, 'rest_post_invalid_page_number')
    ctx.set({ 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) })
    ctx.body = found.slice((number - 1) * perPage, number * perPage)
  })
  router.get('/wp-json/{*path}', (ctx) => fail(ctx, 404, 'rest_no_route'))
  return new Koa().use(sharedLook).use(router.routes()).use(router.allowedMethods()).callback()
}

function fail(ctx: Koa.Context, status: number, code: string): void {
  ctx.status = status
  ctx.body = { code, message: 'Sorry, you are not allowed to do that.', data: { status } }
}

function listPage(posts: Post[]): string {
  const rows = posts.map(
    ({
      id,
      title,
      acf,
    }) => html`<section class="event"><h2>${title.rendered.replaceAll('&amp;', '&').replaceAll('&#039;', "'")}
<span class="badge">Post ${id}</span></h2>
<dl>${Object.entries(acf).map(([name, value]) => html`<dt>${name}</dt><dd>${value || '–'}</dd>`)}</dl></section>`,
  )
  return page({
    title: 'WordPress stand-in',
    lead: 'Plays the part of the WordPress site that the clinics are kept in. “Sync Providers” reads these posts.',
    main: html`<main id="main"><div class="events">${rows}</div></main>`,
  })
}
