import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { leadForm, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { expectLeadRefused, expectProblem, formText, JSON_TYPE } from '../support/refusals.ts'
import { checkRows } from '../support/rows.ts'

// What a field of a call may hold is tried with every call in tests/api/hostile-input.test.ts.
const { api, database } = useApi()

const refused = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
  expectLeadRefused({ url: api.url, db: database.db }, body, headers)

describe('a body that is no form', () => {
  it('is refused as too large: a small one that unpacks to a megabyte', async () => {
    const body = gzipSync(formText({ acceptance_message: 'x'.repeat(1_000_000) }))
    expect(body.length).toBeLessThan(10_000)
    expect((await refused(body, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(413)
  })

  it('is refused when it cannot be unpacked', async () => {
    const bodies = [
      ['an unknown packing', 'zstd-nonsense', Buffer.from(formText()), 415],
      ['a broken packing', 'gzip', Buffer.from('not gzip at all'), 400],
      ['half a packing', 'gzip', gzipSync(formText()).subarray(0, 30), 400],
    ] as const
    await checkRows(
      bodies,
      ([what]) => what,
      async ([, encoding, body, expected]) => {
        expect((await refused(body, { ...JSON_TYPE, 'content-encoding': encoding })).status).toBe(expected)
      },
    )
  })
})

it('fields that nobody asked for are ignored and never stored', async () => {
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
  const lead = await database.db('leads').first()
  expect(lead?.id).not.toBe(4242)
  expect(lead).toMatchObject({
    reference: String(body.id),
    provider_id: null,
    crm_sync_status: 'pending',
    match_kind: null,
  })
  expect(lead?.created_at.getFullYear()).toBeGreaterThan(1999)
  expect(JSON.stringify([lead, await database.db('consents'), await database.db('jobs')])).not.toMatch(
    /c4n4ry|6\.6\.6\.6/,
  )
})

it('the Idempotency-Key is refused when it is no key', async () => {
  const keys = [
    ['a space', 'one two'],
    ['201 characters', 'x'.repeat(201)],
    ['an umlaut', 'schlüssel'],
    ['a tab', 'one\ttwo'],
  ] as const
  await checkRows(
    keys,
    ([what]) => what,
    async ([, key]) => {
      const { status, error } = await refused(formText(), { ...JSON_TYPE, 'idempotency-key': key })
      expect({ status, error }).toEqual({ status: 422, error: expect.stringContaining('Idempotency-Key') })
    },
  )
})

it('headers of the visit never cost a lead, whatever they hold', async () => {
  const headers = { 'user-agent': '\u00e9'.repeat(3000), referer: `https://x.example/${'\u00ff'.repeat(3000)}` }
  expect(
    (
      await rawRequest(api.url, {
        method: 'POST',
        path: '/api/leads',
        body: formText(),
        headers: { ...JSON_TYPE, ...headers },
      })
    ).status,
  ).toBe(201)
  const consent = await database.db('consents').first()
  expect(consent?.user_agent?.length).toBeLessThanOrEqual(500)
  expect(consent?.page_url?.length).toBeLessThanOrEqual(1000)
})

describe('an address that makes no sense', () => {
  const NOT_FOUND = 404
  const INVALID = 422

  it('is refused', async () => {
    const staff = await staffHeaders(database.db)
    const addresses = [
      ['GET', '/api/leads/%00/jobs', INVALID],
      ['GET', '/api/leads/%/jobs', INVALID],
      ['GET', '/api/leads/%E0%A4%A/jobs', INVALID],
      ['GET', '/api/providers/%', INVALID],
      ['GET', '/api/providers/%C3%28', INVALID],
      ['GET', '/api/providers/domain/%00', INVALID],
      ['GET', '/api/providers/domain/%E0%A4%A', NOT_FOUND],
      ['GET', '/api/nothing', NOT_FOUND],
      ['GET', '/api/', NOT_FOUND],
      ['GET', '/API/leads', NOT_FOUND],
      ['GET', '/api/Leads', NOT_FOUND],
      ['GET', '/api/leads/', NOT_FOUND],
      ['POST', '/Api/session', NOT_FOUND],
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
    ] as const
    await checkRows(
      addresses,
      ([method, path]) => `${method} ${path}`,
      async ([method, path, expected]) => {
        const answer = await rawRequest(api.url, { method, path, headers: staff })
        expect(answer.status).toBe(expected)
        expectProblem(answer)
      },
    )
  })

  it('answers 405 with the methods that are allowed', async () => {
    const calls = [
      ['PUT', '/api/leads', ['GET', 'HEAD', 'POST']],
      ['POST', '/api/leads/1', ['DELETE', 'GET', 'HEAD', 'PATCH']],
      ['GET', '/api/sync', ['POST']],
      ['PROPFIND', '/api/leads', ['GET', 'HEAD', 'POST']],
    ] as const
    await checkRows(
      calls,
      ([method, path]) => `${method} ${path}`,
      async ([method, path, allowed]) => {
        const { status, headers, text } = await rawRequest(api.url, { method, path })
        expect({ status, code: JSON.parse(text).code }).toEqual({ status: 405, code: 'method_not_allowed' })
        expect(String(headers.allow).split(', ').toSorted()).toEqual(allowed)
      },
    )
  })
})
