import { HttpResponse, http, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import type { z } from 'zod'
import { CALLS } from '../../api/routes/openapi.ts'
import type { Call, ErrorAnswer } from '../../core/contract/call.ts'

/** `POST /api/leads`, as OpenAPI writes it: `PATCH /api/leads/{id}/provider`. */
export type CallName = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`

/** A call that the page has made, as the contract reads it. */
export type MadeCall = {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into calls of every shape
  params: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  query: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any
  headers: Headers
}

/** A success's body, or a whole response. */
type Answer = JsonBodyType | Response
type Answerer = (call: MadeCall) => Answer | Promise<Answer>

const ORIGIN = 'http://localhost:3000'
const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const
const problems: string[] = []
const server = setupServer(
  http.all('*', ({ request }) => {
    problems.push(`nobody expects ${request.method} ${request.url}`)
    return HttpResponse.error()
  }),
)

/** The server that all calls of a page go to. A call that no `answer` expects fails the test. */
export const fakeApi = {
  listen: () => server.listen({ onUnhandledRequest: 'error' }),
  close: () => server.close(),
  /** What was wrong with the calls of this test; forgets its answers. */
  takeProblems(): string[] {
    server.resetHandlers()
    return problems.splice(0)
  },
}

/**
 * Answers a call of the contract from now on, in place of what answered it before. Both sides are held to the contract: a
 * call with an input that the server would refuse, and an answer that it never gives, fail the test.
 * @returns the calls that were made, in their order
 */
export function answer(name: CallName, reply: Answer | Answerer): MadeCall[] {
  const [method, path] = name.replace(/\{(\w+)\}/g, ':$1').split(' ')
  const call = CALLS.find((each) => each.method === method && each.path === path)
  if (!call) throw new Error(`The contract has no call ${name}.`)

  const made: MadeCall[] = []
  server.use(
    http[METHODS[call.method]](`${ORIGIN}${call.path}`, async ({ request, params }) => {
      // A call with this very address comes before one with a parameter in it.
      const { pathname } = new URL(request.url)
      if (pathname !== call.path && CALLS.some((each) => each.method === method && each.path === pathname)) return

      const body = request.body ? await request.json() : undefined
      const query = Object.fromEntries(new URL(request.url).searchParams)
      const checked: MadeCall = {
        params: check(`the address of ${name}`, call.input?.params, params),
        query: check(`the query of ${name}`, call.input?.query, query),
        body: check(`the body of ${name}`, call.input?.body, body),
        headers: request.headers,
      }
      made.push(checked)
      const answered = typeof reply === 'function' ? await reply(checked) : reply
      return answered instanceof Response ? answered : success(name, call, answered)
    }),
  )
  return made
}

export const bodiesOf = (calls: MadeCall[]) => calls.map(({ body }) => body)

/** An answer that is no success, as `api/` gives it. */
export function refusal(status: number, error: Partial<ErrorAnswer> = {}, headers?: Record<string, string>): Response {
  return HttpResponse.json({ error: 'Something was wrong.', code: 'invalid', ...error }, { status, headers })
}

/** What a call looks like that nobody answers. */
export const noAnswer = (): Response => HttpResponse.error()

/** An answer that comes when the test says so. */
export function heldAnswer<Value extends Answer>(value: Value): { answer: () => Promise<Value>; release(): void } {
  let release = () => {}
  const released = new Promise<Value>((resolve) => {
    release = () => resolve(value)
  })
  return { answer: () => released, release }
}

function success(name: CallName, { output, status, type }: Call, body: JsonBodyType): Response {
  check(`the answer of ${name}`, output, body)
  if (type) return new HttpResponse(String(body), { headers: { 'content-type': type } })
  return HttpResponse.json(body, { status })
}

function check(what: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  problems.push(`${what}: ${checked.error.message}`)
  return value
}
