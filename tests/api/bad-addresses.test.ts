import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createLead, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { expectProblem, JSON_TYPE } from '../support/refusals.ts'
import { checkRows } from '../support/rows.ts'

const { api, database } = useApi()

describe('an address that makes no sense', () => {
  const NOT_FOUND = 404
  const INVALID = 422
  it('is refused', async () => {
    const staff = await staffHeaders(database.db)
    const addresses = [
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

  it('is no call of that kind', async () => {
    const calls = [
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
    ] as const
    await checkRows(
      calls,
      ([method, path]) => `${method} ${path}`,
      async ([method, path]) => {
        const { status, text } = await rawRequest(api.url, { method, path })
        expect({ status, code: JSON.parse(text).code }).toEqual({ status: 405, code: 'method_not_allowed' })
      },
    )
  })

  it('is told what is allowed', async () => {
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
        const { headers } = await rawRequest(api.url, { method, path })
        expect(String(headers.allow).split(', ').toSorted()).toEqual(allowed)
      },
    )
  })
})

describe('other calls with a body', () => {
  it('refuse what is no provider (PATCH …/provider)', async () => {
    const id = await createLead(database.db)
    const headers = { ...JSON_TYPE, ...(await staffHeaders(database.db)) }
    const bodies = [
      ['no body', ''],
      ['an empty object', '{}'],
      ['a text', '{"providerId":"1"}'],
      ['null', '{"providerId":null}'],
      ['a fraction', '{"providerId":1.5}'],
      ['zero', '{"providerId":0}'],
      ['too large a number', '{"providerId":2147483648}'],
      ['a number beyond numbers', '{"providerId":1e999}'],
    ] as const
    await checkRows(
      bodies,
      ([what]) => what,
      async ([, body]) => {
        const answer = await rawRequest(api.url, { method: 'PATCH', path: `/api/leads/${id}/provider`, body, headers })
        expect(answer.status).toBe(422)
        expect(expectProblem(answer).fields).toHaveProperty('providerId')
      },
    )
    expect(await database.db('leads')).toMatchObject([{ provider_id: null }])
  })
})
