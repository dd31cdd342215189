import type { Env } from '../../core/env.ts'
import { type Answer, LIMITS, type Limits, request, WordPressError } from './request.ts'

/** One page of a list of posts, and WordPress's totals of posts and pages. */
export type Page = { posts: unknown[]; total: number; pages: number }

const COUNT_CHANGED = 'The number of posts changed while they were being read. Sync again when nobody is publishing.'

/** @throws WordPressError with a sentence about the unusable answer */
export function pageOf(answer: Answer, type: string): Page {
  const { status, headers, json, isWebPage, isWarning } = answer
  if (json === undefined && (status === 200 || status === 404)) throw new NoData(answer)
  if (json === undefined && (isWebPage || isWarning)) throw new WordPressError(wordsOf(answer))
  if (status === 404) {
    throw new WordPressError(
      `WordPress does not offer posts of the type “${type}” (WORDPRESS_POST_TYPE)${codeOf(json, status)}. Enable its REST API for that type.`,
    )
  }
  if (status === 400 && memberOf(json, 'code') === 'rest_post_invalid_page_number') {
    throw new WordPressError(COUNT_CHANGED)
  }
  if (status === 401 || status === 403) {
    throw new WordPressError(
      `WordPress does not let us read the posts${codeOf(json, status)}. Check WORDPRESS_USER and WORDPRESS_APP_PASSWORD.`,
    )
  }
  if (status !== 200) throw new WordPressError(`WordPress refused${codeOf(json, status)}.`)
  if (!Array.isArray(json)) throw new WordPressError('WordPress’s answer is not a list of posts.')
  const total = countIn(headers, 'x-wp-total')
  const pages = countIn(headers, 'x-wp-totalpages')
  if (total === undefined || pages === undefined) {
    throw new WordPressError(
      'WordPress does not say how many posts there are: X-WP-Total is missing. A proxy in between may remove it.',
    )
  }
  return { posts: json, total, pages }
}

/** The answer is no data: it may not come from the REST API. */
class NoData extends WordPressError {
  constructor(answer: Answer) {
    super(wordsOf(answer))
  }
}

/** Says what an answer without data is. */
function wordsOf({ status, isWebPage, isWarning }: Pick<Answer, 'status' | 'isWebPage' | 'isWarning'>): string {
  if (isWarning) {
    return 'PHP wrote a warning into WordPress’s answer, so it is not JSON. Turn off WP_DEBUG_DISPLAY there, and update the plugin that causes it.'
  }
  if (!isWebPage) return 'WordPress’s answer is not JSON.'
  return status === 200 || status === 404
    ? 'WordPress answered with a web page instead of data. Check WORDPRESS_URL, and that its REST API is enabled.'
    : `A web page came instead of data (${status}), perhaps of a firewall or a captcha before WordPress. Allow the address of this server there.`
}

/** Adds the number of the page to errors of reading it. */
export async function naming(page: number, read: () => Promise<Page>): Promise<Page> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof WordPressError && error.message !== COUNT_CHANGED) {
      throw new WordPressError(`Page ${page} could not be read. ${error.message}`, { cause: error })
    }
    throw error
  }
}

function countIn(headers: Answer['headers'], name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Returns the status, and WordPress's error code in brackets. */
export function codeOf(json: unknown, status: number): string {
  const code = memberOf(json, 'code')
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${status} ${code})` : ` (${status})`
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

export type WordPressSettings = Pick<
  Env,
  'WORDPRESS_POST_TYPE' | 'WORDPRESS_POST_STATUS' | 'WORDPRESS_USER' | 'WORDPRESS_APP_PASSWORD'
> & { WORDPRESS_URL: string }

type ReadOptions = {
  /** The requested members of a post; WordPress leaves out the others. */
  members: string[]
  /** Called with the posts of each page, in any order of pages. `index` counts from 0. */
  onPage: (posts: unknown[], index: number, pages: number) => void
  signal?: AbortSignal
}

export type WordPress = {
  /** Returns WordPress's total of posts. @throws WordPressError unless the list is complete */
  readAll(options: ReadOptions): Promise<{ total: number }>
  readFirst(options: Pick<ReadOptions, 'members'>): Promise<unknown[]>
  /** Returns those that are certainly no longer listed, readable or not. @throws WordPressError */
  findRemoved(ids: number[], signal?: AbortSignal): Promise<number[]>
}

/** Posts of a page, which is WordPress's own limit, and pages that are requested at the same time. */
const PAGES = { size: 100, atOnce: 4 }
/** Tests read smaller pages. */
export type Pages = typeof PAGES

/** More than any network of providers has. */
const MAX_POSTS = 100_000
/** WordPress's own limit. */
const IDS_PER_QUESTION = 100

/**
 * Reads the posts of one type of a WordPress site through its REST API. Source: https://developer.wordpress.org/rest-
 * api/reference/posts/ and .../using-the-rest-api/pagination/
 *
 * One long closure: every call uses the route that the first page has found.
 */
export function createWordPress(
  settings: WordPressSettings,
  limits: Limits = LIMITS,
  { size, atOnce }: Pages = PAGES,
): WordPress {
  const { WORDPRESS_URL: site, WORDPRESS_POST_TYPE: type } = settings
  const headers = { accept: 'application/json', 'user-agent': 'Leadwell', ...authorization(settings) }
  const status: Record<string, string> =
    settings.WORDPRESS_POST_STATUS === 'publish' ? {} : { status: settings.WORDPRESS_POST_STATUS }
  /** The address of the REST API, known after the first page. */
  let route = prettyRoute

  const get = (path: string, query: Record<string, string>, signal?: AbortSignal) =>
    request(route(site, path, query), { headers, signal, limits })

  /** Checks the application password. A public list answers without it, so it must be checked apart. */
  const signIn = async (signal?: AbortSignal) => {
    if (!settings.WORDPRESS_USER) return
    const { status, json } = await get('/wp/v2/users/me', { _fields: 'id' }, signal)
    // Other answers prove nothing: a plugin may hide the users, a firewall may send a page.
    if ((status !== 401 && status !== 403) || json === undefined) return
    throw new WordPressError(
      `WordPress rejected WORDPRESS_USER and WORDPRESS_APP_PASSWORD${codeOf(json, status)}. An application password also needs https, and a server that passes on the Authorization header.`,
    )
  }

  const readPage = async (page: number, members: string[], signal?: AbortSignal): Promise<Page> => {
    const query = {
      per_page: String(size),
      page: String(page),
      orderby: 'id',
      order: 'asc',
      ...status,
      _embed: 'wp:featuredmedia',
      _fields: members.join(','),
    }
    return pageOf(await get(`/wp/v2/${type}`, query, signal), type)
  }

  /** Finds the address of the API. With plain permalinks the usual address is another page of the site, or none. */
  const readFirstPage = async (members: string[], signal?: AbortSignal): Promise<Page> => {
    route = prettyRoute
    try {
      return await readPage(1, members, signal)
    } catch (error) {
      if (!(error instanceof NoData)) throw error
      route = plainRoute
      return await readPage(1, members, signal)
    }
  }

  return {
    async readFirst({ members }) {
      const { posts } = await readFirstPage(members)
      await signIn()
      return posts
    },

    async readAll({ members, onPage, signal }) {
      const ids = new Set<unknown>()
      let read = 0
      const take = ({ posts }: Page, index: number, pages: number) => {
        for (const post of posts) ids.add(memberOf(post, 'id') ?? post)
        read += posts.length
        if (ids.size < read) {
          throw new WordPressError('The same post came twice, so another may be missing. Sync again.')
        }
        onPage(posts, index, pages)
      }

      const first = await naming(1, () => readFirstPage(members, signal))
      await signIn(signal)
      const { total, pages } = first
      if (total > MAX_POSTS) throw new WordPressError(`WordPress has more than ${MAX_POSTS} posts of this type.`)
      // Some sites count an empty page.
      if (Math.max(pages, 1) !== Math.max(Math.ceil(total / size), 1)) {
        throw new WordPressError(
          `WordPress counts ${total} posts on ${pages} pages, though it was asked for ${size} on each.`,
        )
      }
      take(first, 0, pages)

      const failed = new AbortController()
      const signals = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
      const numbers = Array.from({ length: Math.max(0, pages - 1) }, (_, index) => index + 2).values()
      const work = async () => {
        for (const number of numbers) {
          const page = await naming(number, () => readPage(number, members, signals))
          if (page.total !== total || page.pages !== pages) throw new WordPressError(COUNT_CHANGED)
          take(page, number - 1, pages)
        }
      }
      try {
        await Promise.all(Array.from({ length: atOnce }, work))
      } catch (error) {
        failed.abort()
        throw error
      }
      if (read > total) throw new WordPressError(`WordPress counts ${total} posts, but sent ${read}.`)
      return { total }
    },

    async findRemoved(ids, signal) {
      const ask = async (some: number[]): Promise<number[]> => {
        if (some.length === 0) return []
        const query = {
          per_page: String(some.length),
          include: some.join(','),
          ...status,
          _fields: 'id',
        }
        const { total } = pageOf(await get(`/wp/v2/${type}`, query, signal), type)
        if (total === 0) return some
        // All of them exist, or the question was not understood.
        if (total >= some.length) return []
        const half = Math.ceil(some.length / 2)
        return [...(await ask(some.slice(0, half))), ...(await ask(some.slice(half)))]
      }
      const removed: number[] = []
      for (let start = 0; start < ids.length; start += IDS_PER_QUESTION) {
        removed.push(...(await ask(ids.slice(start, start + IDS_PER_QUESTION))))
      }
      return removed
    },
  }
}

/** The address of the REST API with pretty permalinks. */
function prettyRoute(site: string, path: string, query: Record<string, string>): string {
  return `${site}/wp-json${path}?${new URLSearchParams(query)}`
}

/** The address of the REST API with plain permalinks. */
function plainRoute(site: string, path: string, query: Record<string, string>): string {
  return `${site}/?${new URLSearchParams({ rest_route: path, ...query })}`
}

/** Returns the basic authorization. An application password works with and without its spaces. */
export function authorization({
  WORDPRESS_USER: user,
  WORDPRESS_APP_PASSWORD: password,
}: WordPressSettings): Record<string, string> {
  return user ? { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } : {}
}
