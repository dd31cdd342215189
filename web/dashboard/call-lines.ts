import type { Call, InputOf, OutputOf } from '../../core/contract/call.ts'
import { urlOf } from '../lib/call.ts'
import { NoAnswerError, refusal } from '../lib/http.ts'

/**
 * Makes a call that answers with lines of JSON (NDJSON), and passes on each line when it arrives. @throws HttpError if
 * the server refuses the call, NoAnswerError if it does not answer or the answer breaks off
 */
export async function callLines<C extends Call & { type: 'application/x-ndjson' }>(
  to: C,
  input: InputOf<C> & { body?: unknown },
  onLine: (line: OutputOf<C>) => void,
): Promise<void> {
  const response = await fetch(urlOf<Call>(to, input), {
    method: to.method,
    credentials: 'include',
    headers: { accept: to.type, 'content-type': 'application/json' },
    body: JSON.stringify(input.body),
  }).catch((cause) => {
    throw new NoAnswerError(cause)
  })
  if (!response.ok) throw refusal(response, await response.text())

  for await (const text of linesOf(response)) onLine(to.output.parse(JSON.parse(text)) as OutputOf<C>)
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
