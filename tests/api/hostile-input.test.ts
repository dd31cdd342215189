import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { CALLS } from '../../api/routes/openapi.ts'
import type { Call } from '../../core/contract/call.ts'
import { queryRows } from '../../core/platform/db.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi } from '../support/api-server.ts'
import {
  applicationForm,
  createApplication,
  createLead,
  createProvider,
  createStaff,
  createSyncRun,
  jobsOf,
  leadForm,
  staffHeaders,
} from '../support/factories.ts'
import { found } from '../support/found.ts'
import { type RawAnswer, rawRequest } from '../support/raw-http.ts'
import { expectProblem } from '../support/refusals.ts'
import { checkRows } from '../support/rows.ts'
import { sampleOf } from '../support/schema-samples.ts'

const { api, database } = useApi()
// Calls that wait for a delivery answer at once.
beforeAll(() => api.stop())
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
afterAll(() => agent.destroy())

/** What a field may be made to hold, as JSON: no object of ours has some of it. */
const VALUES: Record<string, string> = {
  null: 'null',
  true: 'true',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '0.5',
  'more than a 32-bit integer': '2147483648',
  'more than a safe integer': '9007199254740993',
  'a number beyond numbers': '1e999',
  'an empty text': '""',
  'a blank text': '" \\t\\u00a0"',
  'a long text': JSON.stringify('x'.repeat(10_001)),
  'many combining characters': JSON.stringify('e\u0301'.repeat(3000)),
  'a NUL': '"a\\u0000b@visitors.example"',
  'an escape sequence': '"a\\u001b[31mb"',
  'a header injection': '"Jordan\\r\\nBcc: evil@evil.example"',
  'a line separator': '"a\\u2028b"',
  'a lone high surrogate': '"a\\ud800b"',
  'a lone low surrogate': '"a\\udc00b"',
  SQL: `"' or 1=1; drop table leads --"`,
  HTML: '"</script><script>alert(1)</script>"',
  'a template': '"{{7*7}}%s"',
  'a path': '"../../../etc/passwd"',
  'the name of a prototype': '"__proto__"',
  'the name of a constructor': '"constructor"',
  'a day that does not exist': '"2026-02-30"',
  'a day after the last': '"275760-09-13T00:00:00Z"',
  'a time before the first': '"-271821-04-20T00:00:00Z"',
  'an empty list': '[]',
  'a list of lists': '[[null], [[]]]',
  'a list of texts': '["a", "a"]',
  'an object': '{"a":{"b":{"c":[]}}}',
  'an object with a prototype': '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  'an object that pretends to be a text': '{"length":{"valueOf":null,"toString":null}}',
}
const BODIES: [what: string, body: string, type?: string][] = [
  ['an unfinished object', '{"a": '],
  ['two objects', '{}{}'],
  ['null instead of an object', 'null'],
  ['a text instead of an object', '"text"'],
  ['a list instead of an object', '[{}]'],
  ['a deep list', '['.repeat(15_000)],
  ['a body of 40 KB', `{"a":"${'x'.repeat(40_000)}"}`],
  ['XML', '<lead/>', 'application/xml'],
  ['text', 'hello', 'text/plain'],
  ['an upload', '--x--', 'multipart/form-data; boundary=x'],
  ['UTF-16', '{}', 'application/json; charset=utf-16'],
]

type Input = { params: Record<string, string>; query: [string, string][]; body?: string; type?: string }
type Case = { what: string; input: Input; isInvalid: boolean }
type Headers = Record<string, string>

/** Calls that may end the session with which they are made. */
const ENDS_SESSIONS = /session|staff|password|second-factor|clinic/

// The stream of events takes nothing.
const TRIED_CALLS = CALLS.filter(({ type }) => type !== 'text/event-stream')
const nameOf = ({ method, path }: Call) => `${method} ${path}`

it('each call refuses what it cannot take with a sentence and changes nothing', async () => {
  const samples = await createOneOfEach()
  const sessions = new Map<string, Headers[]>()
  for (const [access, signIns] of Object.entries(SIGN_INS)) {
    sessions.set(access, await Promise.all(signIns.map((signIn) => signIn())))
  }
  let before = await fingerprint()
  await checkRows(TRIED_CALLS, nameOf, async (call) => {
    const signedIn = found(sessions.get(call.access))
    const refused = casesOf(call, samples).filter(({ isInvalid }) => isInvalid)
    const answers = await Promise.all(
      refused.map(({ input }, turn) => send(call, input, signedIn[turn % signedIn.length] ?? {})),
    )
    const after = await fingerprint()
    const isUnchanged = after === before
    before = after
    const wrong = refused.flatMap(({ what }, turn) => problemOf(what, () => expectRefusal(found(answers[turn]))))
    expect({ wrong, isUnchanged }).toEqual({ wrong: [], isUnchanged: true })
  })
})

it.each(TRIED_CALLS.map((call) => [nameOf(call), call] as const))(
  '%s answers hostile values that its schema takes as the contract says, or refuses them',
  async (_, call) => {
    const taken = casesOf(call, await createOneOfEach()).filter(({ isInvalid }) => !isInvalid)
    const signIns = SIGN_INS[call.access]
    const sessions = await Promise.all(signIns.map((signIn) => signIn()))
    const wrong: unknown[] = []
    for (const [turn, { what, input }] of taken.entries()) {
      const place = turn % signIns.length
      const answer = await send(call, input, sessions[place] ?? {})
      const check = () => {
        if (answer.status >= 400) expectRefusal(answer)
        else if (!call.type) call.output.parse(JSON.parse(answer.text))
      }
      wrong.push(...problemOf(what, check))
      // Some calls end the session that they are made with.
      if (ENDS_SESSIONS.test(call.path)) sessions[place] = (await signIns[place]?.()) ?? {}
    }
    expect(wrong).toEqual([])
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  },
)

/** What a check says of a case, if anything. */
function problemOf(what: string, check: () => void): { what: string; problem: string }[] {
  try {
    check()
    return []
  } catch (error) {
    return [{ what, problem: (error as Error).message.slice(0, 500) }]
  }
}

function expectRefusal(answer: RawAnswer): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(answer.status, answer.text).toBeLessThan(500)
  expectProblem(answer)
}

let turns = 0

/**
 * One call with one thing wrong in each: every field of its parts with two hostile values that its schema takes and one that
 * it refuses, because that shows that the server asks the schema, and bodies that are none. Each field gets other ones.
 */
function casesOf(call: Call, samples: Samples): Case[] {
  const { params, query, body } = call.input ?? {}
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const whole = body && samples.body(call)
  const right = {
    params: Object.fromEntries(names.map((name) => [name, samples.param(call.path, name)])),
    query: [] as [string, string][],
    body: whole && JSON.stringify(whole),
  }
  if (body) expect(body.safeParse(whole).error?.issues).toBeUndefined()
  const cases: Case[] = [{ what: 'as it should be', input: right, isInvalid: false }]
  const add = (what: string, change: Partial<Input>, isInvalid: boolean) =>
    // The signature of a webhook is asked for before anything else.
    cases.push({ what, input: { ...right, ...change }, isInvalid: isInvalid && !call.isWebhook })

  for (const name of names) {
    eachValue((what, json) => {
      const values = { ...right.params, [name]: wellFormed(textOf(json)) || 'x' }
      return [`${name}: ${what}`, { params: values }, !parses(params, values)]
    })
  }
  for (const name of Object.keys(query?.shape ?? {})) {
    eachValue((what, json) => {
      const text = wellFormed(textOf(json))
      return [`?${name}: ${what}`, { query: [[name, text]] }, !parses(query, { [name]: text })]
    })
    const twice: [string, string][] = ['1', '2'].map((value) => [name, value])
    add(`?${name} twice`, { query: twice }, !parses(query, { [name]: ['1', '2'] }))
  }
  for (const path of pathsOf(whole, Object.keys(body?.shape ?? {}))) {
    const left = JSON.stringify(withValue(whole, path, undefined))
    add(`${path.join('.')} left out`, { body: left }, !parses(body, JSON.parse(left)))
    eachValue((what, json) => {
      // As text: JavaScript would not write all of it.
      const text = JSON.stringify(withValue(whole, path, MARK)).replace(JSON.stringify(MARK), () => json)
      return [`${path.join('.')}: ${what}`, { body: text }, !parses(body, JSON.parse(text))]
    })
  }
  if (whole) {
    const more = { ...whole, nobody_asked: 1 }
    add('a field that the call does not have', { body: JSON.stringify(more) }, !parses(body, more))
  }
  if (body) for (const [what, text, type] of next(BODIES, 3)) add(what, { body: text, type }, true)
  return cases

  function eachValue(caseOf: (what: string, json: string) => Parameters<typeof add>) {
    const all = Object.entries(VALUES).map(([what, json]) => caseOf(what, json))
    const [refused, taken] = [true, false].map((isRefused) => all.filter(([, , isInvalid]) => isInvalid === isRefused))
    for (const each of [...next(refused, 1), ...next(taken, 2)]) add(...each)
  }
}

/** Some of a list, the next ones each time. */
function next<Item>(list: Item[] = [], count: number): Item[] {
  turns += count
  return list.slice(0, count).map((_, n) => list[(turns + n) % list.length] as Item)
}

type Samples = { param(path: string, name: string): string; body(call: Call): Record<string, unknown> }

/** A provider, a lead, an application and a sync, each the first of its table, and samples of input about them. */
async function createOneOfEach(): Promise<Samples> {
  const { db } = database
  const { id: providerId } = await createProvider(db)
  const id = await createLead(db, { providerId })
  await createApplication(db)
  await createSyncRun(db)
  const { id: job } = found(await jobsOf(db, id, { name: 'send-email' }).first())
  return {
    param(path, name) {
      if (name === 'jobId') return job
      if (name === 'zip') return '78701'
      if (name === 'hostname') return 'clinic.example'
      if (name === 'integration') return 'crm'
      return /^\/api\/(bulk|exports)\//.test(path) ? randomUUID() : '1'
    },
    body({ path, input }) {
      if (path === '/api/leads') return { ...leadForm(), attribution: { last: { source: 'x', landing_page: '/' } } }
      if (path === '/api/provider-applications') return { ...applicationForm() }
      return { ...sampleOf(input?.body as z.ZodObject), ...BODY_OF[path] }
    },
  }
}

/** Calls that ask for one of several fields, or take more than one level of them. */
const BODY_OF: Record<string, Record<string, unknown>> = {
  '/api/leads/bulk': { action: 'delete', ids: [1] },
  '/api/alerts/channels': { addresses: ['team@leadwell.example'] },
  '/api/hooks/crm': { data: { lead: { id: 1 }, outcome: { kind: 'reached' } } },
  '/api/providers/:id/rules': {
    hours: { '1': [['09:00', '17:00']] },
    time_zone: 'America/Chicago',
    extra_zips: ['78702'],
  },
  '/api/opt-outs': { email: 'jordan@visitors.example' },
  '/api/opt-outs/lift': { lead_id: 1 },
  '/api/provider-applications/:id': { status: 'approved' },
  '/api/leads/:id/work': { next_action: 'Call again', tags: ['Late'] },
  '/api/session/confirm': { password: 'text' },
  '/api/session/second-step': { code: '123456' },
}

/** Every field of a body, and up to two levels of what is in it. */
function pathsOf(value: unknown, names = Object.keys(Object(value)), depth = 0): string[][] {
  return names.flatMap((name) => {
    const inner = Reflect.get(Object(value), name)
    const isDeeper = typeof inner === 'object' && inner !== null && depth < 2
    return [[name], ...(isDeeper ? pathsOf(inner, Object.keys(inner), depth + 1).map((rest) => [name, ...rest]) : [])]
  })
}

/** Stands for a value that JSON has and JavaScript has not. */
const MARK = 'the value of this case'

function withValue(whole: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  const copy = structuredClone(whole) as Record<string, unknown>
  copy[name] = rest.length > 0 ? withValue(copy[name], rest, value) : value
  return copy
}

/** Returns whether a schema takes a value, as the server parses it. */
function parses(schema: z.ZodObject | undefined, value: unknown): boolean {
  try {
    return schema?.safeParse(value).success ?? true
  } catch {
    return false
  }
}

/** As it stands in an address. */
const textOf = (json: string) => {
  const value = JSON.parse(json)
  return (typeof value === 'string' ? value : String(JSON.stringify(value))).slice(0, 2000)
}
/** Replaces lone surrogates, which are no characters and can't be part of an address. */
const wellFormed = (text: string) => Buffer.from(text).toString()

function send({ method, path }: Call, input: Input, headers: Headers): Promise<RawAnswer> {
  const query = input.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const address = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(input.params[name] ?? ''))
  const hasBody = input.body !== undefined && { 'content-type': input.type ?? 'application/json' }
  const length = input.body !== undefined && { 'content-length': String(Buffer.byteLength(input.body)) }
  return rawRequest(api.url, {
    agent,
    method,
    path: query ? `${address}?${query}` : address,
    body: input.body,
    headers: { ...headers, ...hasBody, ...length },
  })
}

const AS_STAFF = (role: StaffRole) => async () =>
  staffHeaders(database.db, (await createStaff(database.db, { role })).id)
/** The sign-ins that may make the calls of an access. Each opens a session of its own. */
const SIGN_INS: Record<Call['access'], (() => Promise<Headers>)[]> = {
  public: [async () => ({}), AS_STAFF('manager')],
  clinic: [
    async () => {
      const { id: providerId, email } = found(await database.db('providers').first())
      const owner = { providerId, email: String(email) }
      const device = { ip: '203.0.113.7', userAgent: 'test' }
      return {
        cookie: `leadwell_clinic=${await database.db.transaction((trx) => clinicLinks.open(trx, owner, device))}`,
      }
    },
  ],
  viewer: [AS_STAFF('viewer'), AS_STAFF('agent'), AS_STAFF('manager')],
  agent: [AS_STAFF('agent'), AS_STAFF('manager')],
  manager: [AS_STAFF('manager')],
}

/** What is written by being there, not by what a call says. */
const NOT_COMPARED = ['zip_codes', 'staff_sessions', 'clinic_sessions', 'access_log']

/** A fingerprint of everything that a call could change. */
async function fingerprint(): Promise<string> {
  const { db } = database
  const names: string[] = await db('pg_tables')
    .where('schemaname', 'public')
    .whereNotIn('tablename', NOT_COMPARED)
    .pluck('tablename')
  const rows = names.map((name) => `(select json_agg(row order by row::text) from "${name}" row)`)
  const [result] = await queryRows<{ fingerprint: string }>(
    db,
    `select md5(concat_ws('|', ${rows.join()})) as fingerprint`,
  )
  return found(result).fingerprint
}
