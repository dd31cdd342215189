import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A post as this server keeps it. */
export type TestPost = {
  id: number
  status: string
  title: string
  slug?: string
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
  /** The right user may not make or edit posts, like a subscriber. */
  isSubscriber?: boolean
  /** The fields that the schema of the posts has, by their group. */
  schema?: Record<string, Record<string, { type: string | string[] }>>
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

  const server = createServer(async (request, response) => {
    const url = new URL(String(request.url), `http://${request.headers.host}`)
    requests.push(url)
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.once('close', () => {
      atOnce -= 1
    })
    const route = routeOf(url, options)
    if (route === undefined) return send(response, html(200))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const answer = answerTo(route, url, request, { ...options, posts, site: url.origin, body })
    const changed =
      route === `/wp/v2/${TYPE}` ? await change(Number(url.searchParams.get('page') ?? 1), answer, response) : answer
    if (changed !== null) send(response, changed ?? answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    requests,
    mostAtOnce: () => mostAtOnce,
    intercept(next) {
      change = next
    },
    async close() {
      server.close()
      server.closeAllConnections()
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

type Site = WordPressOptions & { posts: TestPost[]; site: string; body: string }

function answerTo(route: string, { searchParams }: URL, request: IncomingMessage, site: Site): ListAnswer {
  const { authorization } = request.headers
  const isSignedIn =
    site.user !== undefined &&
    authorization === `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`
  if (authorization && !isSignedIn && site.wrongPassword !== 'ignored') return failure(401, 'incorrect_password')
  if (route === '/wp/v2/users/me') return isSignedIn ? json({ id: 1 }) : failure(401, 'rest_not_logged_in')
  if (route !== `/wp/v2/${TYPE}`) return failure(404, 'rest_no_route')
  const mayEdit = isSignedIn && !site.isSubscriber
  if (request.method === 'OPTIONS') return json({ methods: ['GET', 'POST'], schema: schemaOf(site) })
  if (request.method === 'POST')
    return mayEdit ? create(request, site) : failure(isSignedIn ? 403 : 401, 'rest_cannot_create')

  const perPage = Number(searchParams.get('per_page') ?? 10)
  const page = Number(searchParams.get('page') ?? 1)
  const status = (searchParams.get('status') ?? 'publish').split(',')
  const include = searchParams.get('include')?.split(',').map(Number)
  if (perPage < 1 || perPage > 100) return failure(400, 'rest_invalid_param')
  const slug = searchParams.get('slug')
  if (!mayEdit && status.some((one) => one !== 'publish')) return forbiddenStatus(isSignedIn)
  if (!mayEdit && searchParams.get('context') === 'edit')
    return failure(isSignedIn ? 403 : 401, 'rest_forbidden_context')

  const found = site.posts
    .filter((post) => status.includes(post.status) || (status.includes('any') && post.status !== 'trash'))
    .filter((post) => (!include || include.includes(post.id)) && (slug === null || post.slug === slug))
    .toSorted((a, b) => a.id - b.id)
  const pages = Math.ceil(found.length / perPage)
  if (page > Math.max(pages, 1)) return failure(400, 'rest_post_invalid_page_number')
  const members = searchParams.get('_fields')?.split(',')
  const onPage = found.slice((page - 1) * perPage, page * perPage).filter((post) => !post.isUnreadable)
  return json(
    onPage.map((post) => presented(post, site.site, members, searchParams.get('context') === 'edit')),
    200,
    { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) },
  )
}

const TEXTS = { type: ['string', 'null'] }
/** The fields of `clinicPost`, as Advanced Custom Fields describes them. */
const CLINIC_FIELDS = {
  acf: Object.fromEntries(
    ['practice_name', 'address', 'zip_code', 'latitude', 'longitude', 'phone', 'email', 'website'].map((name) => [
      name,
      TEXTS,
    ]),
  ),
}

const fieldsOf = ({ schema = CLINIC_FIELDS }: Site) => schema

const schemaOf = (site: Site) => ({
  title: TYPE,
  properties: Object.fromEntries(
    Object.entries(fieldsOf(site)).map(([group, properties]) => [group, { type: 'object', properties }]),
  ),
})

/** As WordPress says it: the status is an invalid parameter, for this reason. */
function forbiddenStatus(isSignedIn: boolean): ListAnswer {
  const details = {
    status: {
      code: 'rest_forbidden_status',
      message: 'Status is forbidden.',
      data: { status: isSignedIn ? 403 : 401 },
    },
  }
  return json(
    { code: 'rest_invalid_param', message: 'Invalid parameter(s): status', data: { status: 400, details } },
    400,
  )
}

/** Makes a post as WordPress does: every field must be of its type, and drafts keep the slug that they are given. */
function create(request: IncomingMessage, site: Site): ListAnswer {
  const invalid = (name: string) =>
    json({ code: 'rest_invalid_param', message: `Invalid parameter(s): ${name}`, data: { status: 400 } }, 400)
  if (!request.headers['content-type']?.startsWith('application/json'))
    return failure(400, 'rest_missing_callback_param')
  let sent: Record<string, unknown>
  try {
    sent = JSON.parse(site.body)
  } catch {
    return failure(400, 'rest_invalid_json')
  }
  const { id, status, slug, title, ...groups } = sent
  if (id !== undefined) return failure(400, 'rest_post_exists')
  if (status !== 'draft') return invalid('status')
  if (typeof title !== 'string' || typeof slug !== 'string' || !/^[a-z0-9-]+$/.test(slug)) return invalid('slug')
  for (const [group, fields] of Object.entries(groups)) {
    for (const [name, value] of Object.entries(fields as object)) {
      const { type } = fieldsOf(site)[group]?.[name] ?? {}
      // WordPress ignores members that it does not know. A strict server finds out what is written there.
      if (type === undefined) return invalid(`${group}.${name}`)
      const own = Array.isArray(value) ? 'array' : typeof value
      if (![type].flat().includes(own)) return invalid(`${group}.${name}`)
    }
  }
  const next = Math.max(0, ...site.posts.map((post) => post.id)) + 1
  const post = { id: next, status, slug, title, acf: {}, meta: {}, ...groups } as TestPost
  site.posts.push(post)
  return json({ id: next }, 201, { location: `${site.site}/wp-json/wp/v2/${TYPE}/${next}` })
}

function presented(post: TestPost, site: string, members?: string[], isForEditing = false) {
  const { id, status, title, acf, meta, image } = post
  const rendered = `${status === 'private' ? 'Private: ' : ''}${title}`
  const whole: Record<string, unknown> = {
    id,
    status,
    type: TYPE,
    link: `${site}/${TYPE}/${id}/`,
    title: { rendered, ...(isForEditing && { raw: title }) },
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
