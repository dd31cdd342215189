import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { createStaff, signedInStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const switchOff = (headers: { cookie: string }) => api.call('DELETE', '/api/shared-password', undefined, headers)
const enter = () => api.call('POST', '/api/session', { password: STAFF_PASSWORD })
const ways = async () => (await api.call('GET', '/api/session')).body.ways

describe('switching the shared password off', () => {
  it('ends its sessions and opens no new ones, in every process', async () => {
    const [shared, { headers: own }] = [await staffHeaders(database.db), await signedInStaff(database.db)]
    expect((await switchOff(own)).status).toBe(200)

    expect((await api.call('GET', '/api/leads', undefined, shared)).status).toBe(401)
    expect(await enter()).toMatchObject({ status: 401, body: { error: 'Invalid password' } })
    expect(await ways()).toEqual({ account: true, shared: false, single_sign_on: null })
    expect((await api.call('GET', '/api/staff', undefined, own)).body.shared_password).toEqual({
      state: 'off',
      can_switch_off: true,
    })
    const lines = await database.db('audit_log').where('action', 'shared-password-off')
    expect(lines).toMatchObject([{ actor: expect.stringContaining('@'), entity: 'staff', entity_id: 'all' }])
  })

  it.each([
    ['nobody', null],
    ['a viewer', { role: 'viewer' as const }],
    ['a manager who has yet to choose a password', { password_hash: null }],
    ['a disabled manager', { disabled_at: '2026-01-01' }],
  ])('is refused while only %s has an account', async (_, account) => {
    if (account) await createStaff(database.db, account)
    const shared = await staffHeaders(database.db)
    expect((await api.call('GET', '/api/staff', undefined, shared)).body.shared_password).toEqual({
      state: 'on',
      can_switch_off: false,
    })
    expect((await switchOff(shared)).status).toBe(409)
    expect((await enter()).status).toBe(200)
  })
})
