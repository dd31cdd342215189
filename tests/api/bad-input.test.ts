import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ErrorAnswer } from '../../core/contract/errors.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { createLead, leadForm, staffHeaders } from '../support/factories.ts'
import { seededRandom } from '../support/random.ts'
import { rawRequest } from '../support/raw-http.ts'

const database = useDatabase()
let api: ApiServer
beforeAll(async () => {
  api = await startApiServer(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends bytes to `POST /api/leads` and expects a refusal that a person understands, and that nothing was stored. */
async function refused(
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): Promise<ErrorAnswer & { status: number }> {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const answer = await rawRequest(api.url, {
    method: 'POST',
    path: '/api/leads',
    body,
    headers: { ...length, ...headers },
  })
  const problem = ErrorAnswer.strict().parse(JSON.parse(answer.text))

  expect({ status: answer.status, ...problem }).toMatchObject({ status: expect.any(Number) })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  for (const sentence of [problem.error, ...Object.values(problem.fields ?? {})]) expectSentence(sentence)
  expect(await storedRows()).toEqual({ leads: 0, consents: 0, jobs: 0 })
  return { ...problem, status: answer.status }
}

/** Words for a person: no names of types, parsers or databases. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z].*\w/)
  expect(text).not.toMatch(
    /expected|undefined|NaN|\bnull\b|regex|pattern|SQL|syntax|token|stack|Invalid input|Too big|Too small/i,
  )
}

async function storedRows(): Promise<Record<string, number>> {
  const { rows } = await database.db.raw(
    `select (select count(*)::integer from leads) as leads, (select count(*)::integer from consents) as consents,
      (select count(*)::integer from jobs) as jobs`,
  )
  return rows[0]
}

const form = (overrides: Record<string, unknown> = {}) => JSON.stringify({ ...leadForm(), ...overrides })
const without = (field: string) => JSON.stringify({ ...leadForm(), [field]: undefined })

describe('a body that is no form', () => {
  it.each([
    ['an unfinished object', '{"first_name": "Jordan"'],
    ['a trailing comma', '{"first_name": "Jordan",}'],
    ['single quotes', "{'first_name': 'Jordan'}"],
    ['plain words', 'hello'],
    ['a raw line break in a text', '{"first_name": "Jor\ndan"}'],
    ['a raw NUL', '{"first_name": "\u0000"}'],
    ['null', 'null'],
    ['a number', '42'],
    ['a text', '"Jordan"'],
    ['true', 'true'],
    ['nothing but spaces', '   '],
    ['two objects', '{}{}'],
    ['a list', '[]'],
    ['a list with a form in it', `[${form()}]`],
  ])('is refused: %s', async (_, body) => {
    expect((await refused(body)).status).toBe(400)
  })

  it.each(['', '\ufeff'])('is refused: nothing at all (%j)', async (body) => {
    const { status, fields } = await refused(body)
    expect(status).toBe(422)
    expect(fields).toHaveProperty('first_name')
  })

  it('is refused: an empty object, with every field that is missing', async () => {
    const { status, fields } = await refused('{}')
    expect(status).toBe(422)
    expect(Object.keys(fields ?? {}).toSorted()).toEqual([
      'acceptance_consent',
      'email',
      'first_name',
      'last_name',
      'phone',
      'zip_code',
    ])
  })

  it.each([
    ['40 KB', form({ acceptance_message: 'x'.repeat(40_000) })],
    ['40 KB of unknown fields', form({ other: 'x'.repeat(40_000) })],
    ['33 KB of spaces', `${' '.repeat(33_000)}${form()}`],
  ])('is refused as too large: %s', async (_, body) => {
    const { status, code } = await refused(body)
    expect({ status, code }).toEqual({ status: 413, code: 'too_large' })
  })

  it('is refused as too large: a small one that unpacks to a megabyte', async () => {
    const body = gzipSync(form({ acceptance_message: 'x'.repeat(1_000_000) }))
    expect(body.length).toBeLessThan(10_000)
    expect((await refused(body, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(413)
  })

  it.each([
    ['text', 'text/plain', form()],
    ['an upload', 'multipart/form-data; boundary=x', '--x--'],
    ['XML', 'application/xml', '<lead/>'],
    ['nonsense', 'nonsense', form()],
  ])('is refused as not JSON: %s', async (_, type, body) => {
    const { status, code } = await refused(body, { 'content-type': type })
    expect({ status, code }).toEqual({ status: 415, code: 'unsupported_media_type' })
  })

  it('is refused as not JSON: a form, at a call that takes none', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.call('POST', '/api/session', 'password=x', headers)).status).toBe(415)
  })

  it('is refused as not JSON: a body without a type', async () => {
    expect((await refused(form(), {})).status).toBe(415)
  })

  it.each(['utf-16', 'utf-7', 'latin1', 'nonsense'])('is refused in the character set %s', async (charset) => {
    expect((await refused(form(), { 'content-type': `application/json; charset=${charset}` })).status).toBe(415)
  })

  it('is refused when its bytes are not UTF-8', async () => {
    expect((await refused(Buffer.from(form({ first_name: 'Zoë' }), 'latin1'))).fields).toHaveProperty('first_name')
  })

  it.each([
    ['an unknown packing', 'zstd-nonsense', Buffer.from(form()), 415],
    ['a broken packing', 'gzip', Buffer.from('not gzip at all'), 400],
    ['half a packing', 'gzip', gzipSync(form()).subarray(0, 30), 400],
  ])('is refused in %s', async (_, encoding, body, expected) => {
    expect((await refused(body, { ...JSON_TYPE, 'content-encoding': encoding })).status).toBe(expected)
  })

  it('is refused when it reaches for prototypes', async () => {
    await refused(`{"__proto__": {"acceptance_consent": true}, "first_name": "Jordan"}`)
    await refused(form().replace('{', '{"__proto__": {"isAdmin": true},'))
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  it('is refused when it is nested 15,000 deep', async () => {
    await refused(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)
    await refused(`{"first_name":${'['.repeat(15_000)}${']'.repeat(15_000)}}`)
  })

  it('is refused when a field only pretends to be a text', async () => {
    await refused(form({ first_name: { length: { valueOf: null, toString: null } } }))
    await refused(form({ first_name: { length: 5, trim: 1, toString: null } }))
  })
})

describe('a field', () => {
  const fields = ['first_name', 'last_name', 'email', 'phone', 'zip_code', 'acceptance_consent', 'acceptance_message']
  const wrong: Record<string, unknown> = { null: null, number: 78702, list: ['78702'], object: { a: 1 }, text: 'true' }
  const cases = fields.flatMap((field) =>
    Object.entries(wrong)
      .filter(([type]) => type !== 'text' || field === 'acceptance_consent')
      .map(([type, value]) => ({ field, type, value })),
  )

  it.each(cases)('$field is refused as $type', async ({ field, value }) => {
    const answer = await refused(form({ [field]: value }))
    expect(answer).toMatchObject({ status: 422, code: 'invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  it.each(fields.filter((field) => field !== 'acceptance_message'))(
    '%s is refused when it is missing',
    async (field) => {
      expect(Object.keys((await refused(without(field))).fields ?? {})).toEqual([field])
    },
  )

  it.each(['first_name', 'last_name', 'email', 'phone', 'zip_code'])(
    '%s is refused when it is blank',
    async (field) => {
      for (const blank of ['', '   ', '\t', '\u00a0']) {
        expect(Object.keys((await refused(form({ [field]: blank }))).fields ?? {})).toEqual([field])
      }
    },
  )

  it('acceptance_consent is refused when it is not given', async () => {
    const { error, fields: problems } = await refused(form({ acceptance_consent: false }))
    expect(error).toBe('You must agree to receive communications to continue.')
    expect(problems).toEqual({ acceptance_consent: error })
  })

  const UNUSABLE: [string, string][] = [
    ['NUL', 'a\u0000b'],
    ['an escape', 'a\u001b[31mb'],
    ['a delete', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['a line break', 'a\nb'],
    ['a header injection', 'Jordan\r\nBcc: evil@evil.example'],
    ['a bare carriage return', 'Jordan\rBcc: evil@evil.example'],
    ['a line separator', 'a\u2028b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', 'a\udc00b'],
  ]
  it.each(
    ['first_name', 'last_name', 'phone', 'email'].flatMap((field) =>
      UNUSABLE.map(([what, value]) => ({
        field,
        what,
        value: field === 'email' ? `${value}@visitors.example` : value,
      })),
    ),
  )('$field is refused with $what', async ({ field, value }) => {
    expect(Object.keys((await refused(form({ [field]: value }))).fields ?? {})).toEqual([field])
  })

  it.each([
    ['NUL', 'a\u0000b'],
    ['an escape', 'a\u001bb'],
    ['a lone surrogate', 'a\ud800b'],
    ['more than 2000 characters', 'x'.repeat(2001)],
  ])('acceptance_message is refused with %s', async (_, acceptance_message) => {
    expect((await refused(form({ acceptance_message }))).fields).toHaveProperty('acceptance_message')
  })

  it.each([
    ['first_name', 'x'.repeat(101)],
    ['first_name', '𝕏'.repeat(5000)],
    ['last_name', 'e\u0301\u0327'.repeat(3000)],
    ['phone', '5'.repeat(41)],
    ['email', `${'x'.repeat(250)}@visitors.example`],
  ])('%s is refused when it is too long', async (field, value) => {
    const { fields: problems = {} } = await refused(form({ [field]: value }))
    expect(problems[field]).toMatch(/characters or fewer/)
  })

  it.each([
    'a@b.co, evil@x.com',
    'a@b.co;evil@x.com',
    'a@b.co evil@x.com',
    'a@b.co\r\nRCPT TO:<evil@x.com>',
    '<a@b.co>',
    'Jordan <a@b.co>',
    '"a b"@b.co',
    'a@b',
    'a@',
    '@b.co',
    'a@@b.co',
    'a..b@b.co',
    'a@b..co',
    'a@[127.0.0.1]',
    'a@b.co\u0000',
    'mailto:a@b.co',
    'a\u202e@b.co',
    'ａ@b.co',
  ])('email is refused: %j', async (email) => {
    expect((await refused(form({ email }))).fields).toEqual({ email: 'Invalid email format' })
  })

  it.each([
    '00000',
    '00500',
    '99951',
    '99999',
    '1234',
    '123456',
    '78702-1234',
    'ABCDE',
    '7870a',
    '-7870',
    '+7870',
    '7 702',
    '1e4',
    '７８７０２',
    '٧٨٧٠٢',
    '78702\n78703',
    '787%2',
  ])('zip_code is refused: %j', async (zip_code) => {
    expect((await refused(form({ zip_code }))).fields).toEqual({ zip_code: 'Please enter a valid 5-digit zip code' })
  })
})

describe('fields that nobody asked for', () => {
  it('are ignored and never stored', async () => {
    const extra = {
      id: 4242,
      provider_id: 1,
      crm_sync_status: 'success',
      acceptance_ip: '6.6.6.6',
      match_kind: 'staff',
      request_hash: 'x',
      created_at: '1999-01-01T00:00:00Z',
      constructor: { prototype: { isAdmin: true } },
      'first_name; drop table leads': 'c4n4ry',
      treatment: 'c4n4ry',
    }
    const { status, body } = await api.call('POST', '/api/leads', { ...leadForm(), ...extra })

    expect(status).toBe(201)
    expect(body.id).not.toBe(4242)
    const lead = await database.db('leads').first()
    expect(lead).toMatchObject({
      provider_id: null,
      crm_sync_status: 'pending',
      acceptance_ip: '127.0.0.1',
      match_kind: null,
    })
    expect(lead.created_at.getFullYear()).toBeGreaterThan(1999)
    expect(JSON.stringify([lead, await database.db('consents'), await database.db('jobs')])).not.toContain('c4n4ry')
  })
})

describe('the Idempotency-Key', () => {
  it.each([
    ['a space', 'one two'],
    ['201 characters', 'x'.repeat(201)],
    ['an umlaut', 'schlüssel'],
    ['a tab', 'one\ttwo'],
  ])('is refused with %s', async (_, key) => {
    const { status, error } = await refused(form(), { ...JSON_TYPE, 'idempotency-key': key })
    expect(status).toBe(422)
    expect(error).toContain('Idempotency-Key')
  })

  it('counts as absent when it is empty', async () => {
    expect((await api.call('POST', '/api/leads', leadForm(), { 'idempotency-key': '' })).status).toBe(201)
  })
})

describe('headers of the visit', () => {
  it('never cost a lead, whatever they hold', async () => {
    const headers = { 'user-agent': '\u00e9'.repeat(3000), referer: `https://x.example/${'\u00ff'.repeat(3000)}` }
    expect(
      (
        await rawRequest(api.url, {
          method: 'POST',
          path: '/api/leads',
          body: form(),
          headers: { ...JSON_TYPE, ...headers },
        })
      ).status,
    ).toBe(201)
    const consent = await database.db('consents').first()
    expect(consent.user_agent.length).toBeLessThanOrEqual(500)
    expect(consent.page_url.length).toBeLessThanOrEqual(1000)
  })
})

describe('an address that makes no sense', () => {
  const NOT_FOUND = 404
  const INVALID = 422
  it.each([
    ['GET', '/api/leads/abc/jobs', INVALID],
    ['GET', '/api/leads/1.5/jobs', INVALID],
    ['GET', '/api/leads/-1/jobs', INVALID],
    ['GET', '/api/leads/2147483648/jobs', INVALID],
    ['GET', '/api/leads/9999999999999999999999/jobs', INVALID],
    ['GET', '/api/leads/%00/jobs', INVALID],
    ['GET', '/api/leads/%/jobs', INVALID],
    ['GET', '/api/leads/%E0%A4%A/jobs', INVALID],
    ['GET', '/api/leads/2147483647/jobs', NOT_FOUND],
    ['POST', '/api/leads/0/retry-email', INVALID],
    ['DELETE', '/api/leads/x', INVALID],
    ['GET', '/api/providers/abc', INVALID],
    ['GET', '/api/providers/%', INVALID],
    ['GET', '/api/providers/%C3%28', INVALID],
    ['GET', '/api/providers/2147483647', NOT_FOUND],
    ['GET', '/api/providers?status=deleted', INVALID],
    ['GET', '/api/providers?status=active&status=inactive', INVALID],
    ['GET', '/api/providers/domain/%00', INVALID],
    ['GET', '/api/providers/domain/a%00b.example', INVALID],
    ['GET', `/api/providers/domain/${'x'.repeat(300)}`, INVALID],
    ['GET', '/api/providers/domain/%E0%A4%A', NOT_FOUND],
    ['GET', '/api/nothing', NOT_FOUND],
    ['GET', '/api/', NOT_FOUND],
    ['POST', '/api/nothing', NOT_FOUND],
    ['POST', '/nothing', NOT_FOUND],
    ['GET', '/api/leads/1/jobs/2', NOT_FOUND],
    ['GET', '/api/%00', 400],
    ['GET', '/api/%E0%A4%A', 400],
    ['GET', '/..%2f..%2f..%2fetc%2fpasswd', NOT_FOUND],
    ['GET', '/assets/..%2f..%2fpackage.json', NOT_FOUND],
    ['GET', '/%2e%2e/package.json', NOT_FOUND],
    ['GET', '/assets/nothing.js', NOT_FOUND],
    ['GET', `/api/${'x'.repeat(6000)}`, NOT_FOUND],
  ])('%s %s is refused', async (method, path, expected) => {
    const answer = await rawRequest(api.url, { method, path, headers: await staffHeaders(database.db) })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: expected })
    const problem = ErrorAnswer.strict().parse(JSON.parse(answer.text))
    for (const sentence of [problem.error, ...Object.values(problem.fields ?? {})]) expectSentence(sentence)
  })

  it.each([
    ['PUT', '/api/leads'],
    ['DELETE', '/api/leads'],
    ['PUT', '/api/leads/1'],
    ['POST', '/api/leads/1'],
    ['GET', '/api/leads/1/retry-sync'],
    ['PUT', '/api/leads/1/provider'],
    ['POST', '/api/providers'],
    ['DELETE', '/api/providers/1'],
    ['GET', '/api/sync'],
    ['PUT', '/api/session'],
    ['PROPFIND', '/api/leads'],
  ])('%s %s is not that kind of call', async (method, path) => {
    const { status, text } = await rawRequest(api.url, { method, path })
    expect(status).toBe(405)
    expect(ErrorAnswer.parse(JSON.parse(text)).code).toBe('method_not_allowed')
  })

  it.each([
    ['PUT', '/api/leads', ['GET', 'HEAD', 'POST']],
    ['POST', '/api/leads/1', ['DELETE', 'GET', 'HEAD']],
    ['GET', '/api/sync', ['POST']],
    ['PROPFIND', '/api/leads', ['GET', 'HEAD', 'POST']],
  ])('%s %s is told what is allowed', async (method, path, allowed) => {
    const { headers } = await rawRequest(api.url, { method, path })
    expect(String(headers.allow).split(', ').toSorted()).toEqual(allowed)
  })
})

describe('other calls with a body', () => {
  it.each([
    ['no body', ''],
    ['an empty object', '{}'],
    ['a text', '{"providerId":"1"}'],
    ['null', '{"providerId":null}'],
    ['a fraction', '{"providerId":1.5}'],
    ['zero', '{"providerId":0}'],
    ['too large a number', '{"providerId":2147483648}'],
    ['a number beyond numbers', '{"providerId":1e999}'],
  ])('PATCH …/provider refuses %s', async (_, body) => {
    const id = await createLead(database.db)
    const headers = { ...JSON_TYPE, ...(await staffHeaders(database.db)) }
    const { status, text } = await rawRequest(api.url, {
      method: 'PATCH',
      path: `/api/leads/${id}/provider`,
      body,
      headers,
    })
    const problem = ErrorAnswer.parse(JSON.parse(text))

    expect(status).toBe(422)
    expectSentence(problem.error)
    expect(problem.fields).toHaveProperty('providerId')
  })
})

describe('a few hundred random bodies', () => {
  it('never make the server fail, and never leave half a lead', async () => {
    const random = seededRandom(5)
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
    const text = () =>
      String.fromCodePoint(
        ...Array.from({ length: Math.floor(random() * 40) }, () =>
          Math.floor(random() * pick([0x80, 0x800, 0xffff, 0x10ffff])),
        ),
      )
    const value = (depth = 0): unknown =>
      pick([
        () => text(),
        () => text().repeat(50),
        () => (random() - 0.5) * 10 ** Math.floor(random() * 20),
        () => null,
        () => random() < 0.5,
        () => (depth > 3 ? [] : Array.from({ length: 3 }, () => value(depth + 1))),
        () => (depth > 3 ? {} : { [text()]: value(depth + 1), toString: value(depth + 1), length: value(depth + 1) }),
      ])()
    const fields = [...Object.keys(leadForm()), 'attribution']

    const statuses = new Map<number, number>()
    for (let n = 0; n < 400; n++) {
      const body: Record<string, unknown> = leadForm()
      for (let change = 0; change < 1 + random() * 3; change++) body[pick(fields)] = value()
      let sent = JSON.stringify(body)
      if (random() < 0.2) sent = sent.slice(0, Math.floor(random() * sent.length))
      const headers = { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(sent)) }
      const { status, text: answer } = await rawRequest(api.url, {
        method: 'POST',
        path: '/api/leads',
        body: sent,
        headers,
      })

      expect({ n, sent, status: status < 500 }).toEqual({ n, sent, status: true })
      if (status !== 201) expectSentence(ErrorAnswer.strict().parse(JSON.parse(answer)).error)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }

    const { leads, consents, jobs } = await storedRows()
    expect(leads).toBe(statuses.get(201) ?? 0)
    expect({ consents, jobs }).toEqual({ consents: leads, jobs: Number(leads) * 2 })
    expect(statuses.get(422)).toBeGreaterThan(100)
  })
})
