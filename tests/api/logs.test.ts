import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { apiClient } from '../support/api-client.ts'
import { useDatabase } from '../support/database.ts'
import { rawEnv, STAFF_PASSWORD } from '../support/env.ts'
import { createProvider, idOf, leadForm } from '../support/factories.ts'
import { startProcess } from '../support/processes.ts'
import { waitFor } from '../support/wait.ts'

const database = useDatabase()

/** What a visitor types; none of it may ever be in a log. */
const SECRETS = {
  first_name: 'Canaryfirst',
  last_name: 'Canarylast',
  email: 'canary@secret.example',
  phone: '(512) 555-0187',
}
const FORBIDDEN = /canary|secret\.example|555-0187|5550187/i

/** A real API process, and everything that it has printed. */
async function startApi() {
  const port = await freePort()
  const api = await startProcess('api', rawEnv({ DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'debug' }))
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  return { ...apiClient(`http://127.0.0.1:${port}`), output: api.output }
}

it('the log of the API holds one JSON line for each call, and nothing about the visitor, whatever goes wrong', async () => {
  const { db } = database
  await createProvider(db, { email: 'canary-clinic@secret.example' })
  const api = await startApi()
  const form = leadForm(SECRETS)
  const send = (body: unknown, path = '/api/leads', headers = {}) => api.call('POST', path, body, headers)

  const stored = await send(form)
  expect(stored.status).toBe(201)
  const refused = await send({ ...form, first_name: '' })
  expect(refused.status).toBe(422)
  expect((await send({ ...form, first_name: 'Canary\u0000' })).status).toBe(422)
  expect((await send(JSON.stringify(form).slice(0, -1))).status).toBe(400)
  expect((await send(form, '/api/leads?email=canary@secret.example')).status).toBe(201)
  expect((await send({ password: 'canary-password' }, '/api/session')).status).toBe(401)
  const { cookie } = await api.signIn()
  expect((await api.call('GET', '/api/leads?sort=canary', undefined, { cookie })).status).toBe(422)
  expect((await api.call('GET', '/api/leads', undefined, { cookie, referer: 'https://canary.example' })).status).toBe(
    200,
  )

  expect((await api.call('GET', '/api/leads/canary@secret.example/jobs', undefined, { cookie })).status).toBe(422)
  expect((await api.call('GET', '/api/canary@secret.example')).status).toBe(404)

  // Faults of ours: the statement that failed held everything about the visitor, and so does what PostgreSQL says.
  await db.raw(`alter table all_leads add constraint fault check (first_name <> 'Canaryfirst') not valid`)
  const { status, body } = await send({ ...form, email: 'canary2@secret.example' })
  expect(status).toBe(500)
  expect(JSON.stringify(body)).not.toMatch(FORBIDDEN)
  await db.raw('alter table all_leads drop constraint fault')

  await db.raw('alter table providers rename column location to place')
  expect((await send({ ...form, email: 'canary3@secret.example' })).status).toBe(201)
  await db.raw('alter table providers rename column place to location')

  // In another case it is no call, and still in the log.
  expect((await api.call('GET', '/API/leads?q=canary', undefined, { cookie })).status).toBe(404)

  await waitFor('the line of the last call', () => api.output().split('"request"}').length > 14)
  const lines = api.output().trim().split('\n')
  expect(api.output()).not.toMatch(FORBIDDEN)
  expect(api.output()).not.toContain(STAFF_PASSWORD)
  for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(requests).toHaveLength(14)
  // By its id a request is found from its answer, and by the lead's what its jobs wrote later.
  const leadId = await idOf(db, stored.body)
  const lead = { method: 'POST', path: '/api/leads', ms: expect.any(Number) }
  const requestIdOf = ({ headers }: typeof stored) => headers.get('x-request-id')
  expect(requests[0]).toMatchObject({ ...lead, status: 201, requestId: requestIdOf(stored), leadId })
  expect(requests[1]).toMatchObject({ ...lead, status: 422, requestId: requestIdOf(refused) })
  expect(requests[1]).not.toHaveProperty('leadId')
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(14)
  expect(requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/leads/:id/jobs', '/api/…']))
  expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'unexpected error')).toHaveLength(1)
})
