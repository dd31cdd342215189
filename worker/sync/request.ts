import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../core/contract/time.ts'
import * as http from '../http.ts'

/** A failure to read the posts. The message is a sentence for staff; `retryAfter` is in milliseconds. */
export class WordPressError extends Error {
  override name = 'WordPressError'
  /** The same request may succeed later. */
  readonly isTemporary: boolean
  readonly retryAfter: number

  constructor(
    message: string,
    {
      isTemporary = false,
      retryAfter = 0,
      cause,
    }: { isTemporary?: boolean; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isTemporary = isTemporary
    this.retryAfter = retryAfter
  }
}

/** Limits of a request. Times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** From the request to the last byte of the answer. */
  deadline: 15 * SECOND,
  /** A page of a hundred posts has less than one MB. */
  largestAnswer: 20 * 1024 * 1024,
  redirects: 5,
  tries: 3,
  /** The pause before the second attempt. Before the third it is four times as long. */
  firstPause: SECOND / 2,
  /** The upper limit of a pause, also of one that WordPress asks for. */
  longestPause: 10 * SECOND,
}
export type Limits = typeof LIMITS

export type Answer = {
  status: number
  headers: http.HttpAnswer['headers']
  /** Undefined when the answer is no JSON. */
  json: unknown
  isWebPage: boolean
  /** PHP wrote a warning before, or instead of, the data. */
  isWarning: boolean
}

type Options = {
  headers: Record<string, string>
  signal?: AbortSignal
  limits: Limits
}

/**
 * Sends a request to WordPress, and repeats it after a temporary failure. Follows redirects on the same host only, so that
 * the password goes nowhere else.
 * @throws WordPressError, or the signal's reason once that is aborted
 */
export async function request(address: string, options: Options): Promise<Answer> {
  const { tries, firstPause, longestPause } = options.limits
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(new URL(address), options)
    } catch (error) {
      if (!(error instanceof WordPressError) || !error.isTemporary || attempt === tries) throw error
      const pause = Math.max(error.retryAfter, firstPause * 4 ** (attempt - 1))
      await sleep(Math.min(pause, longestPause), undefined, { signal: options.signal })
    }
  }
}

async function requestOnce(address: URL, { limits, ...options }: Options): Promise<Answer> {
  const { deadline: timeout, redirects: maxRedirects } = limits
  try {
    return await read(await http.request(address, { ...options, timeout, maxRedirects, redirect: sameHost }), limits)
  } catch (error) {
    if (error instanceof WordPressError) throw error
    throw asWordPressError(http.asHttpError(error, options.signal), limits)
  }
}

async function read(response: http.HttpAnswer, { largestAnswer }: Limits): Promise<Answer> {
  const { status, headers } = response
  if (http.isTemporary(status)) {
    await http.discard(response)
    const retryAfter = http.retryAfter(headers.get('retry-after'))
    throw new WordPressError(`WordPress answered ${status}.`, { isTemporary: true, retryAfter })
  }
  const { text: sent, isWhole } = await http.readText(response, largestAnswer)
  if (!isWhole) {
    throw new WordPressError(`WordPress sent more than ${Math.round(largestAnswer / 1024 / 1024)} MB for one page.`)
  }
  // Without the byte order mark that some plugins leave before it.
  const text = sent.trimStart()
  return { status, headers, json: parse(text), isWebPage: text.startsWith('<'), isWarning: PHP_WARNING.test(text) }
}

/** A message of PHP at the start of an answer, with or without markup. */
const PHP_WARNING =
  /^(<br\s*\/?>\s*)?(<b>)?(PHP )?(Warning|Notice|Deprecated|Strict Standards|(Fatal|Parse) error)(<\/b>)?:/i

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws WordPressError when a redirect leads to another host, or from https to http */
function sameHost(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  const isUpgrade = from.protocol === 'http:' && to?.protocol === 'https:' && from.port === '' && to.port === ''
  if (to && to.hostname === from.hostname && (to.origin === from.origin || isUpgrade)) return to
  throw new WordPressError(
    `WordPress redirects to another host (${to?.host ?? 'an address that is none'}), which we do not follow. If that is the right one, set WORDPRESS_URL to it.`,
  )
}

function asWordPressError(cause: http.HttpError, { deadline }: Limits): WordPressError {
  if (cause.reason === 'redirect_loop') return new WordPressError('WordPress redirects in a loop.', { cause })
  const isLate = cause.reason === 'timeout'
  const message = isLate
    ? `WordPress did not answer in full within ${deadline / SECOND} seconds.`
    : `WordPress could not be reached: ${cause.detail}.`
  return new WordPressError(message, { isTemporary: true, cause })
}
