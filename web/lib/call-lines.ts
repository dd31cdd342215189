import type { z } from 'zod'
import { NoAnswerError, refusal } from './http.ts'

type Call<Line extends z.ZodType> = {
  body: unknown
  /** The shape of each line. */
  line: Line
  onLine: (line: z.output<Line>) => void
}

/**
 * Makes a call that answers line by line (NDJSON) while it goes on.
 * @throws HttpError when the server refuses, NoAnswerError when nobody answers or the answer breaks off
 */
export async function callLines<Line extends z.ZodType>(
  url: string,
  { body, line, onLine }: Call<Line>,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'include',
    headers: { accept: 'application/x-ndjson', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause) => {
    throw new NoAnswerError(cause)
  })
  if (!response.ok) throw refusal(response, await response.text())

  for await (const text of linesOf(response)) onLine(line.parse(JSON.parse(text)))
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new NoAnswerError(cause)
    })
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
