import { expect } from 'vitest'
import { ErrorAnswer } from '../../core/contract/call.ts'
import type { Db } from '../../core/platform/db.ts'
import { leadForm } from './factories.ts'
import { type RawAnswer, rawRequest } from './raw-http.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }

export const formText = (overrides: Record<string, unknown> = {}) => JSON.stringify({ ...leadForm(), ...overrides })

/** Sends bytes to `POST /api/leads` and expects a refusal that a person understands, and that nothing was stored. */
export async function expectLeadRefused(
  { url, db }: { url: string; db: Db },
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): Promise<ErrorAnswer & { status: number }> {
  const before = await storedRows(db)
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const answer = await rawRequest(url, {
    method: 'POST',
    path: '/api/leads',
    body,
    headers: { ...length, ...headers },
  })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  const problem = expectProblem(answer)
  expect(await storedRows(db)).toEqual(before)
  return { ...problem, status: answer.status }
}

/** Expects an error in the form of the contract, in words for a person. */
export function expectProblem({ text }: RawAnswer): ErrorAnswer {
  const problem = ErrorAnswer.strict().parse(JSON.parse(text))
  for (const sentence of [problem.error, ...Object.values(problem.fields ?? {})]) expectSentence(sentence)
  return problem
}

/** Words for a person: no names of types, parsers or databases. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z].*\w/)
  expect(text).not.toMatch(
    /expected \w+, received|undefined|NaN|\bnull\b|regex|pattern|SQL|syntax|unexpected|stack|Invalid input|Too big|Too small/i,
  )
}

/** Number of rows that sent leads have made. */
export async function storedRows(db: Db): Promise<{ leads: number; consents: number; jobs: number }> {
  const { rows } = await db.raw(
    `select (select count(*)::integer from leads) as leads, (select count(*)::integer from consents) as consents,
      (select count(*)::integer from jobs) as jobs`,
  )
  return rows[0]
}
