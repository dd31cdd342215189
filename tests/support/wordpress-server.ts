import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveHttp } from './loopback.ts'

export type TestPost = {
  id: number
  status: string
  title: string
  acf: Record<string, unknown> | []
  meta: Record<string, unknown>
  /** The address of its featured image. */
  image?: string
  /** Counted, but not readable without an account. */
  isUnreadable?: boolean
}

export type ListAnswer = { status: number; headers: Record<string, string>; body: string }

export type WordPressOptions = {
  /** With plain ones the REST API is at `?rest_route=` only, and `/wp-json/` is a page of the site. */
  permalinks?: 'pretty' | 'plain'
  user?: string
  password?: string
  /** The reaction to a wrong password: refused, or treated as a visitor, as behind servers that drop the header. */
  wrongPassword?: 'refused' | 'ignored'
}

export type TestWordPress = {
  url: string
  posts: TestPost[]
  /** The requested paths and queries, in order. */
  requests: URL[]
  /** The most pages that were being answered at the same time. */
  mostAtOnce: () => number
  /** Changes the answers to lists. Nothing else: undefined. Answers nothing by itself: null. */
  intercept(change: (page: number, answer: ListAnswer, response: ServerResponse) => Change | Promise<Change>): void
  close(): Promise<void>
}
type Change = ListAnswer | null | undefined

const TYPE = 'providers'
const HTML = '<!DOCTYPE html><html><body><h1>Our clinics</h1></body></html>'

/** A post of a clinic in Austin, Texas, with every field. */
export function clinicPost(
  id: number,
  overrides: Partial<TestPost> = {},
  fields: Record<string, unknown> = {},
): TestPost {
  return {
    id,
    status: 'publish',
    title: `Dr. Number ${id}`,
    acf: {
      practice_name: `Clinic ${id}`,
      address: `${id} Main Street, Austin, TX`,
      zip_code: '78701',
      latitude: '30.27',
      longitude: '-97.74',
      phone: '(512) 555-0100',
      email: `clinic${id}@clinics.example`,
      website: `www.clinic${id}.example`,
      accepts_free_consultation: '1',
      accepts_financing: '',
      ...fields,
    },
    meta: {},
    ...overrides,
  }
}

/** A WordPress site on loopback whose REST API answers as WordPress 6 does: pages, headers, errors, links, sign-in. */
export async function startWordPress(options: WordPressOptions = {}): Promise<TestWordPress> {
  const posts: TestPost[] = []
  const requests: URL[] = []
  let atOnce = 0
  let mostAtOnce = 0
  let change: Parameters<TestWordPress['intercept']>[0] = (_page, answer) => answer

  const server = await serveHttp(async (request, response) => {
    const url = new URL(String(request.url), `http://${request.headers.host}`)
    requests.push(url)
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.once('close', () => {
      atOnce -= 1
    })
    const route = routeOf(url, options)
    if (route === undefined) return send(response, html(200))
    const answer = answerTo(route, url, request, { ...options, posts, site: url.origin })
    const changed =
      route === `/wp/v2/${TYPE}` ? await change(Number(url.searchParams.get('page') ?? 1), answer, response) : answer
    if (changed !== null) send(response, changed ?? answer)
  })

  return {
    ...server,
    posts,
    requests,
    mostAtOnce: () => mostAtOnce,
    intercept(next) {
      change = next
    },
  }
}

export const html = (status: number): ListAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: HTML,
})

export const failure = (status: number, code: string, headers = {}): ListAnswer =>
  json({ code, message: 'Sorry.', data: { status } }, status, headers)

function json(body: unknown, status = 200, headers: Record<string, string> = {}): ListAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', 'x-robots-tag': 'noindex', ...headers },
    body: JSON.stringify(body),
  }
}

function routeOf(url: URL, { permalinks = 'pretty' }: WordPressOptions): string | undefined {
  const byQuery = url.searchParams.get('rest_route')
  if (byQuery !== null) return byQuery
  if (permalinks === 'pretty' && url.pathname.startsWith('/wp-json')) return url.pathname.slice('/wp-json'.length)
  return undefined
}

type Site = WordPressOptions & { posts: TestPost[]; site: string }

function answerTo(route: string, { searchParams }: URL, request: IncomingMessage, site: Site): ListAnswer {
  const { authorization } = request.headers
  const isSignedIn =
    site.user !== undefined &&
    authorization === `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`
  if (authorization && !isSignedIn && site.wrongPassword !== 'ignored') return failure(401, 'incorrect_password')
  if (route === '/wp/v2/users/me') return isSignedIn ? json({ id: 1 }) : failure(401, 'rest_not_logged_in')
  if (route !== `/wp/v2/${TYPE}`) return failure(404, 'rest_no_route')

  const perPage = Number(searchParams.get('per_page') ?? 10)
  const page = Number(searchParams.get('page') ?? 1)
  const status = (searchParams.get('status') ?? 'publish').split(',')
  const include = searchParams.get('include')?.split(',').map(Number)
  if (perPage < 1 || perPage > 100) return failure(400, 'rest_invalid_param')
  if (!isSignedIn && status.some((one) => one !== 'publish')) return forbiddenStatus()

  const found = site.posts
    .filter((post) => status.includes(post.status) && (!include || include.includes(post.id)))
    .toSorted((a, b) => a.id - b.id)
  const pages = Math.ceil(found.length / perPage)
  if (page > Math.max(pages, 1)) return failure(400, 'rest_post_invalid_page_number')
  const members = searchParams.get('_fields')?.split(',')
  const onPage = found.slice((page - 1) * perPage, page * perPage).filter((post) => !post.isUnreadable)
  return json(
    onPage.map((post) => presented(post, site.site, members)),
    200,
    { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) },
  )
}

/** As WordPress says it: the status is an invalid parameter, for this reason. */
function forbiddenStatus(): ListAnswer {
  const details = {
    status: {
      code: 'rest_forbidden_status',
      message: 'Status is forbidden.',
      data: { status: 401 },
    },
  }
  return json(
    { code: 'rest_invalid_param', message: 'Invalid parameter(s): status', data: { status: 400, details } },
    400,
  )
}

function presented(post: TestPost, site: string, members?: string[]) {
  const { id, status, title, acf, meta, image } = post
  const rendered = `${status === 'private' ? 'Private: ' : ''}${title}`
  const whole: Record<string, unknown> = {
    id,
    status,
    type: TYPE,
    link: `${site}/${TYPE}/${id}/`,
    title: { rendered },
    featured_media: image ? id + 1_000_000 : 0,
    acf,
    meta,
    _links: { self: [{ href: `${site}/wp-json/wp/v2/${TYPE}/${id}` }] },
    ...(image && { _embedded: { 'wp:featuredmedia': [{ id: id + 1_000_000, source_url: image }] } }),
  }
  return members
    ? Object.fromEntries(members.filter((name) => name in whole).map((name) => [name, whole[name]]))
    : whole
}

function send(response: ServerResponse, { status, headers, body }: ListAnswer): void {
  response.writeHead(status, headers).end(body)
}
