import { HttpError } from '../../lib/http.ts'

/** Returns what to say about an error at a field: what the server said, without the status code in front. */
export function sentenceOf(error: Error): string {
  const { sentence } = error instanceof HttpError ? error : {}
  return (sentence ?? error.message) || 'The server is not responding. Please try again.'
}
