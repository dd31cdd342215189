import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { createRouter } from '../../api/app.ts'
import { createEventHub } from '../../api/events.ts'
import { createPages } from '../../api/pages.ts'
import { CALLS } from '../../api/routes/openapi.ts'
import { createLog } from '../../core/platform/log.ts'
import { useApi } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'

const { api, database } = useApi({ PUBLIC_URL: 'https://www.leadwell.example' }, { isKept: true })

const document = async () => (await api.call('GET', '/api/openapi.json')).body

describe('the contract', () => {
  it('has an entry for every route of the API, and every entry has a route', () => {
    const queues = { all: [], add: async () => {}, close: async () => {} }
    const log = createLog('test', 'silent')
    const events = createEventHub()
    const { signal: stopping } = new AbortController()
    const readings = { note: async () => {}, noteClinic: async () => {}, noteExport: () => () => {} }
    const services = { env: testEnv(), db: database.db, log, queues, events, readings, stopping }
    const router = createRouter(services, createPages(services, 'nowhere'))
    events.stop()
    const routes = router.stack
      .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
      .filter((route) => / \/api\//.test(route) && !route.startsWith('HEAD') && !route.endsWith('/openapi.json'))

    expect(routes.toSorted()).toEqual(CALLS.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  it('names every parameter of its paths', () => {
    for (const { path, input } of CALLS) {
      expect([...path.matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(Object.keys(input?.params?.shape ?? {}))
    }
  })
})

describe('GET /api/openapi.json', () => {
  it('is a valid OpenAPI document', async () => {
    expect(await new Validator().validate(await document())).toEqual({ valid: true })
  })

  it('describes every call, and says which are for staff', async () => {
    const { paths, servers } = await document()
    expect(servers).toEqual([{ url: 'https://www.leadwell.example' }])
    for (const { method, path, access, input, status = 200 } of CALLS) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(operation, `${method} ${path}`).toMatchObject({ summary: expect.stringMatching(/\.$/) })
      expect(operation.security !== undefined).toBe(access !== 'public')
      expect(operation.requestBody !== undefined).toBe(input?.body !== undefined)
      expect(Object.keys(operation.responses).toSorted()).toEqual([String(status), 'default'])
    }
  })
})
