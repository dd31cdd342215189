import { beforeEach, describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createLead } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { checkRows } from '../support/rows.ts'

const { api: open, database } = useApi({ ADMIN_ACCESS: 'open', ADMIN_PASSWORD: '' })
let id: number
beforeEach(async () => {
  id = await createLead(database.db)
})

describe('open access', () => {
  const get = (host: string, path = '/api/leads') => rawRequest(open.url, { path, headers: { host } })

  it('needs no session', async () => {
    expect((await open.call('GET', '/api/leads')).body.total).toBe(1)
    const manager = { authenticated: true, access: 'open', staff: { name: 'Staff', role: 'manager' } }
    expect((await open.call('GET', '/api/session')).body).toMatchObject(manager)
    expect((await open.call('DELETE', '/api/session')).body).toMatchObject(manager)
  })

  it('answers on the names of this machine', async () => {
    const hosts = [
      'localhost',
      'localhost:3000',
      '127.0.0.1',
      '127.0.0.1:3000',
      '[::1]',
      '[::1]:3000',
      'clinic.localhost:3000',
      'LOCALHOST',
    ]
    await checkRows(hosts, String, async (host) => {
      expect((await get(host)).status).toBe(200)
    })
  })

  it('refuses a page that was led here under another name', async () => {
    const hosts = [
      'evil.example',
      'localhost.evil.example',
      'evil.example:3000',
      'good@evil.example',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
      'evillocalhost',
      '0.0.0.0',
      '192.168.1.10',
      '[::ffff:192.168.1.10]',
    ]
    const paths = ['/api/leads', '/api/providers', '/']
    const rows = hosts.flatMap((host) => paths.map((path) => ({ host, path })))
    await checkRows(rows, JSON.stringify, async ({ host, path }) => {
      const { status, text } = await get(host, path)
      expect({ status, namesLeads: text.includes('leads') }).toEqual({ status: 403, namesLeads: false })
    })
  })

  it('refuses changes that another site asks for', async () => {
    const answer = await open.call('DELETE', `/api/leads/${id}`, undefined, { origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
    expect(await database.db('leads')).toHaveLength(1)
  })
})
