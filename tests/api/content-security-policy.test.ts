import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { createProvider } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'

const database = useDatabase()
let api: ApiServer

beforeAll(async () => {
  const buildProblem = inject('buildProblem')
  if (buildProblem) throw new Error(buildProblem)
  api = await startApiServer(database.db)
})
afterAll(() => api.close())

it('allows the hosts of advertising on the pages of a clinic that measures it, and on no other', async () => {
  const both = await createProvider(database.db, { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' })
  const google = await createProvider(database.db, { google_ads_id: 'AW-123456789' })
  const none = await createProvider(database.db, { google_ads_id: 'not an id' })

  const tags = ['https://www.googletagmanager.com', 'https://bat.bing.com']
  expect(await scriptSources(`/?providerId=${both.id}`)).toEqual(expect.arrayContaining(tags))
  expect(await scriptSources(`/?providerId=${google.id}`)).toContain(tags[0])
  expect(await policy(`/?providerId=${google.id}`)).not.toContain('bing')
  for (const path of ['/', '/start', '/homev2', '/terms', '/admin', `/?providerId=${none.id}`, '/no/such/page']) {
    expect(await policy(path), path).not.toMatch(/google|bing/)
  }
})

async function policy(path: string): Promise<string> {
  const { headers } = await rawRequest(api.url, { path, headers: { accept: 'text/html' } })
  return String(headers['content-security-policy'])
}

async function scriptSources(path: string): Promise<string[] | undefined> {
  return /script-src ([^;]*)/.exec(await policy(path))?.[1]?.split(' ')
}
