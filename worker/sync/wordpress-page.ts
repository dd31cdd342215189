import type { Answer } from './request.ts'
import { WordPressError } from './wordpress-error.ts'

/** One page of a list of posts, and WordPress's totals of posts and pages. */
export type Page = { posts: unknown[]; total: number; pages: number }

export const COUNT_CHANGED =
  'The number of posts changed while they were being read. Sync again when nobody is publishing.'

/**
 * Parses one page of posts.
 * @throws WordPressError with a sentence about the unusable answer
 */
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
export class NoData extends WordPressError {
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
