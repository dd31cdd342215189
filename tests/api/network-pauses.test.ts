import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../core/contract/time.ts'
import { useApi } from '../support/api-server.ts'
import { createLead, createProvider, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const call = async (method: string, path = '/api/network-pauses', body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))
const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const THANKSGIVING = () => ({ starts_at: later(HOUR), ends_at: later(2 * DAY), reason: 'Thanksgiving' })

describe('pauses of the network', () => {
  it('are added and listed, and every open clock is worked out again', async () => {
    const id = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
    await database.db('answer_clocks').where('lead_id', id).update({ step: 'remind' })
    const { body: pause } = await call('POST', undefined, THANKSGIVING())
    expect(pause).toMatchObject({ reason: 'Thanksgiving', created_by: 'staff' })
    const { pauses, holidays } = (await call('GET')).body
    expect(pauses).toEqual([pause])
    expect(holidays).toHaveLength(11)
    expect(await database.db('answer_clocks').first()).toMatchObject({ is_stale: true, step: 'remind' })
    expect(await database.db('audit_log').first()).toMatchObject({ action: 'pause-network', entity: 'network' })
  })

  it('end now when they have begun, and are gone when they have not', async () => {
    const { body: future } = await call('POST', undefined, THANKSGIVING())
    const { body: running } = await call('POST', undefined, { ...THANKSGIVING(), starts_at: later(-HOUR) })
    for (const { id } of [future, running]) expect((await call('DELETE', `/api/network-pauses/${id}`)).status).toBe(200)
    expect((await call('GET')).body.pauses).toEqual([])
    const [left, ...others] = await database.db('network_pauses')
    expect(others).toEqual([])
    expect(left?.id).toBe(running.id)
    expect(Number(left?.ends_at)).toBeLessThanOrEqual(Date.now() + HOUR)
    expect(await call('DELETE', `/api/network-pauses/${running.id}`)).toMatchObject({
      status: 404,
      body: { error: 'This pause has ended.' },
    })
  })
})
