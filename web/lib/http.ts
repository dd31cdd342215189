import type { z } from 'zod'
import { ErrorAnswer } from '../../core/contract/call.ts'

const MAX_TEXT_LENGTH = 300

/** The readable part of an error. That of a proxy may have an `error` without one of our codes. */
const Refusal = ErrorAnswer.extend({
  code: ErrorAnswer.shape.code.optional().catch(undefined),
  fields: ErrorAnswer.shape.fields.catch(undefined),
})

type Failure = { status: number; statusText: string; answer?: z.output<typeof Refusal>; text?: string }

/** An error answer. The message is `<status>: <text of the answer>`. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly statusText: string
  /** Absent if the answer came from a proxy instead of our API. */
  readonly code?: ErrorAnswer['code']
  readonly fields?: ErrorAnswer['fields']

  /** The `error` of the answer, without the status. */
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

/** A missing answer. The message is empty, so that the caller says what failed, unless the browser was offline. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'

  constructor(cause: unknown, message = '') {
    super(message, { cause })
  }
}

/** Returns the words for an error without the status code: those for a field if there are any, or the sentence. */
export function sentenceOf(error: Error, field?: string): string {
  const { sentence, fields } = error instanceof HttpError ? error : {}
  const ofField = field === undefined ? undefined : fields?.[field]
  return (ofField ?? sentence ?? error.message) || 'The server is not responding. Please try again.'
}

/** Returns the error of an answer whose status is not a success. */
export function refusal({ status, statusText }: Pick<Response, 'status' | 'statusText'>, text: string): HttpError {
  const answer = Refusal.safeParse(parseJson(text))
  if (answer.success) return new HttpError({ status, statusText, answer: answer.data })

  // The error page of a proxy is not a sentence.
  const isMarkup = text.trimStart().startsWith('<')
  return new HttpError({ status, statusText, text: isMarkup ? undefined : text.trim().slice(0, MAX_TEXT_LENGTH) })
}

/** Parses JSON. Returns undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
