import type { z } from 'zod'
import { ErrorAnswer } from '../../core/contract/errors.ts'

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
