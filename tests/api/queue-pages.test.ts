import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { checkRows } from '../support/rows.ts'

const { api, database } = useApi()

const asAccount = async (overrides: Record<string, unknown>) =>
  staffHeaders(database.db, (await createStaff(database.db, overrides)).id)

describe('the queue pages', () => {
  const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const QUEUES = '/admin/queues/api/queues'
  const CLEAN = `${QUEUES}/x/clean/done`
  /** Signed in once, and disabled since. */
  const disabled = () => asAccount({ disabled_at: '2026-01-01' })

  it('send a browser to the sign-in, unless it is signed in', async () => {
    await checkRows(['/admin/queues', '/admin/queues/', '/admin/queues/queue/sync-crm'], String, async (path) => {
      for (const other of [{}, await disabled()]) {
        const { status, headers } = await api.call('GET', path, undefined, { ...PAGE, ...other })
        expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/admin' })
      }
      const staff = await staffHeaders(database.db)
      expect((await api.call('GET', path, undefined, { ...PAGE, ...staff })).status).toBe(200)
    })
  })

  it('refuse every other call', async () => {
    const calls: [string, string, Record<string, string>][] = [
      ['GET', QUEUES, PAGE],
      ['GET', QUEUES, {}],
      ['GET', '/admin/queues', { accept: 'application/json' }],
      ['GET', '/admin/queues/static/css/main.css', { accept: 'text/css,*/*;q=0.1' }],
      ['PUT', CLEAN, PAGE],
      ['POST', '/admin/queues', PAGE],
    ]
    await checkRows(calls, JSON.stringify, async ([method, path, accept]) => {
      const call = (staff = {}) => api.call(method, path, method === 'GET' ? undefined : {}, { ...accept, ...staff })
      expect(await call()).toMatchObject({ status: 401, body: { code: 'unauthorized', error: 'Please sign in.' } })
      expect(await call(await disabled())).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    })
  })

  it('let viewers read and managers act', async () => {
    const viewer = await asAccount({ role: 'viewer' })
    expect((await api.call('GET', '/admin/queues', undefined, viewer)).status).toBe(200)
    const clean = (headers: { cookie: string }) => api.call('PUT', CLEAN, {}, headers)
    expect(await clean(viewer)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await clean(await asAccount({ role: 'manager' }))).status).not.toBe(403)
  })

  it('say what the ledger has, lead back to the dashboard, and load nothing from another host', async () => {
    await createLead(database.db, { providerId: (await createProvider(database.db)).id })
    await database
      .db('jobs')
      .where({ name: 'sync-crm' })
      .update({ state: 'failed', attempts: 1, finished_at: new Date(), last_cause: 'refused', last_error: 'No.' })
    const staff = await staffHeaders(database.db)
    for (const path of ['/admin/queues', '/admin/queues/queue/sync-crm']) {
      const { headers, body: text } = await api.call('GET', path, undefined, { ...PAGE, ...staff })
      expect(text).toContain('1 failed permanently in 30 days, 2 open.')
      expect(text).toContain('href="/admin?tab=health"')
      expect(text).toContain('Back to the dashboard')
      expect(text.match(/https?:\/\/[^"\s]+/g)).toBeNull()
      expect(headers.get('content-security-policy')).not.toContain('fonts')
    }
  })

  it('take no change from another site', async () => {
    await checkRows(['https://evil.example', 'null', 'nonsense'], String, async (origin) => {
      for (const staff of [{}, await asAccount({ role: 'manager' })]) {
        const answer = await api.call('PUT', CLEAN, {}, { ...staff, origin })
        expect(answer).toMatchObject({ status: 403, body: { error: 'This request must come from the site itself.' } })
      }
    })
  })
})
