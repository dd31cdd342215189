import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const call = async (method: string, path: string, body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))
const SLACK = { kind: 'slack', name: 'Operations', url: 'https://hooks.example.com/services/T1/B2/secret1234' }

describe('the channels of alerts', () => {
  it('begin with that of the team, which cannot be removed', async () => {
    const { status, body } = await call('GET', '/api/alerts')
    expect(status).toBe(200)
    expect(body).toMatchObject({ checked_at: null, no_lead_hours: 8 })
    expect(body.channels).toMatchObject([{ kind: 'team', target: null, rhythm: 'at_once', last: null }])
    expect(await call('DELETE', `/api/alerts/channels/${body.channels[0].id}`)).toMatchObject({ status: 409 })
  })

  it('are added, changed and removed, and show no secret address', async () => {
    const { body: added } = await call('POST', '/api/alerts/channels', SLACK)
    expect(added.secret).toBeNull()
    const path = `/api/alerts/channels/${added.id}`
    expect((await call('PATCH', path, { daily_hour: 17, rhythm: 'daily' })).status).toBe(200)
    const { body } = await call('GET', '/api/alerts')
    expect(body.channels[1]).toMatchObject({
      ...{ id: added.id, name: 'Operations', daily_hour: 17, target: 'hooks.example.com/…1234' },
      rhythm: 'daily',
    })
    expect(JSON.stringify(body)).not.toContain('secret1234')
    expect((await call('DELETE', path)).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(404)
    const acts = await database.db('audit_log').where('entity', 'channel').orderBy('id').pluck('action')
    expect(acts).toEqual(['add-channel', 'change-channel', 'remove-channel'])
  })

  it('of a webhook answer with their secret once', async () => {
    const { body } = await call('POST', '/api/alerts/channels', { ...SLACK, kind: 'webhook' })
    expect(body.secret).toMatch(/^whsec_.{40,}$/)
    expect(JSON.stringify((await call('GET', '/api/alerts')).body)).not.toContain(body.secret)
  })
})
