import type { z } from 'zod'
import type { ActionAnswer, Call, InputOf } from '../../core/contract/call.ts'
import { SECOND } from '../../core/contract/time.ts'
import { NoAnswerError, parseJson, refusal } from './http.ts'

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Registers the dialog that asks for a confirmation of identity. Returns a function that unregisters it. */
export function whenToConfirmIdentity(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Asks for a confirmation of identity, once for all waiting calls. Resolves to false if the person cancels. */
export async function confirmIdentity(): Promise<boolean> {
  if (!ask) return false
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

/** In milliseconds. Longer than most calls take, so that a dead connection ends as an error and not as a spinner. */
const CALL_TIMEOUT = 30 * SECOND

const OFFLINE = 'You are offline. Nothing was sent.'

type Options<Output extends z.ZodType> = {
  /** In milliseconds, for a call that takes longer than most. */
  timeout?: number
  /** For a public form: the same for every attempt to send it. */
  idempotencyKey?: string
  /** The schema of the answer, where it depends on the query or on the role of the caller. */
  output?: Output
}

/** The second argument of a call. It may be omitted if the call requires no input. */
type Rest<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]

/**
 * Makes a call of the API and returns its checked answer. Repeats a call that needs a confirmed identity, after the
 * confirmation.
 * @throws HttpError when the server refuses, NoAnswerError when no answer comes, Error when the answer is empty or does
 * not match the schema
 */
export async function call<C extends Call, Output extends z.ZodType = C['output']>(
  to: C,
  ...[input]: Rest<InputOf<C> & Options<Output>>
): Promise<z.output<Output>> {
  const { timeout = CALL_TIMEOUT, output = to.output, ...sent }: Sent & Options<Output | C['output']> = input ?? {}
  const { response, text } = await send(to, sent, timeout)
  if (!response.ok) {
    const error = refusal(response, text)
    if (error.code !== 'confirm_identity' || !(await confirmIdentity())) throw error
    return call(to, ...([input] as Rest<InputOf<C> & Options<Output>>))
  }

  const data = parseJson(text)
  if (data === null || (data === undefined && text.trim() === '')) throw new Error('No data received from server')

  const checked = output.safeParse(data)
  if (!checked.success) {
    throw new Error('The server answered something unexpected. Please reload the page.', { cause: checked.error })
  }
  return checked.data as z.output<Output>
}

/** @throws as `call` does, and Error with the server's reason when the answer says that it failed */
export async function act<C extends Call & { output: typeof ActionAnswer }>(
  to: C,
  ...input: Rest<InputOf<C>>
): Promise<void> {
  const { success, error } = await call<C, typeof ActionAnswer>(to, ...(input as never))
  if (!success) throw new Error(error)
}

export function urlOf<C extends Call>(to: C, ...[input]: Rest<Omit<InputOf<C>, 'body'>>): string {
  return address(to, input ?? {})
}

type Sent = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}

function address({ path }: Call, { params = {}, query = {} }: Sent): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])))
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name]))) + (search && `?${search}`)
}

async function send(to: Call, { body, idempotencyKey, ...sent }: Sent, timeout: number) {
  // Only a call that starts offline has surely not been sent. It is tried all the same, because a local server can be reached.
  const isOffline = globalThis.navigator?.onLine === false
  try {
    const response = await fetch(address(to, sent), {
      method: to.method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    })
    return { response, text: await response.text() }
  } catch (cause) {
    throw new NoAnswerError(cause, isOffline && to.method !== 'GET' ? OFFLINE : '')
  }
}
