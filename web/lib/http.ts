import type { z } from 'zod'
import { ErrorAnswer } from '../../core/contract/errors.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { SECOND } from './time.ts'

/** In milliseconds. Longer than most calls take, so that a dead connection ends as an error and not as a spinner. */
const DEADLINE = 30 * SECOND
const MAX_TEXT_LENGTH = 300

/** What is read of a refusal. A proxy's may have an `error` without a code of ours. */
const Refusal = ErrorAnswer.extend({
  code: ErrorAnswer.shape.code.optional().catch(undefined),
  fields: ErrorAnswer.shape.fields.catch(undefined),
})

type Failure = { status: number; statusText: string; answer?: z.output<typeof Refusal>; text?: string }

/** An answer that is not a success. The message is the status code, a colon, a space, and what the server said. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly statusText: string
  /** Absent when the answer did not come from our API, but from something in between. */
  readonly code?: ErrorAnswer['code']
  readonly fields?: ErrorAnswer['fields']

  /** What the answer has as its `error`, without the status code in front. */
  readonly sentence?: string

  constructor({ status, statusText, answer, text }: Failure) {
    super(`${status}: ${answer?.error || text || statusText || 'The request failed.'}`)
    this.sentence = answer?.error
    this.status = status
    this.statusText = statusText
    this.code = answer?.code
    this.fields = answer?.fields
  }
}

/** No answer came at all. It has no message, so that the caller says what did not work. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'

  constructor(cause: unknown) {
    super('', { cause })
  }
}

type Call<Answer extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
  /** In milliseconds, for what takes longer than most. */
  deadline?: number
  /** The shape that the answer must have. */
  answer: Answer
}

/**
 * Makes one call and returns its checked answer. A call that needs the person to confirm who they are goes on once they
 * have.
 * @throws HttpError when the server refuses, NoAnswerError when nobody answers, Error when the answer is empty or not
 * what `answer` describes
 */
export async function call<Answer extends z.ZodType>(
  url: string,
  { method = 'GET', body, headers, deadline = DEADLINE, answer }: Call<Answer>,
): Promise<z.output<Answer>> {
  const { response, text } = await send(url, {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(deadline),
  })
  if (!response.ok) {
    const error = refusal(response, text)
    if (error.code !== 'confirm_identity' || !(await confirmIdentity())) throw error
    return call(url, { method, body, headers, deadline, answer })
  }

  const data = parseJson(text)
  if (data === null || (data === undefined && text.trim() === '')) throw new Error('No data received from server')

  const checked = answer.safeParse(data)
  if (!checked.success) {
    throw new Error('The server answered something unexpected. Please reload the page.', { cause: checked.error })
  }
  return checked.data
}

async function send(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    throw new NoAnswerError(cause)
  }
}

/** The error that an answer stands for that is not a success. */
export function refusal({ status, statusText }: Pick<Response, 'status' | 'statusText'>, text: string): HttpError {
  const answer = Refusal.safeParse(parseJson(text))
  if (answer.success) return new HttpError({ status, statusText, answer: answer.data })

  // A proxy's error page is no sentence.
  const isMarkup = text.trimStart().startsWith('<')
  return new HttpError({ status, statusText, text: isMarkup ? undefined : text.trim().slice(0, MAX_TEXT_LENGTH) })
}

/** Returns undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
