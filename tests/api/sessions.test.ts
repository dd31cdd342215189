import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../core/platform/passwords.ts'
import { SessionList } from '../../core/staff/contract/session.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import { apiWith, useApi } from '../support/api-server.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

type Headers = { cookie: string }
const list = async (headers: Headers, of = '') => {
  const { status, body } = await api.call('GET', `/api/sessions${of && `?of=${of}`}`, undefined, headers)
  expect(status).toBe(200)
  return SessionList.parse(body).sessions
}
const end = (id: number, headers: Headers) => api.call('DELETE', `/api/sessions/${id}`, undefined, headers)
const isOpen = async (headers: Headers) =>
  (await api.call('GET', '/api/session', undefined, headers)).body.authenticated
const signedIn = async (role: StaffRole) => {
  const account = await createStaff(database.db, { role })
  return { ...account, headers: await staffHeaders(database.db, account.id) }
}

describe('many sign-ins', () => {
  it('end the oldest sessions of an account beyond twenty, and nobody else’s', async () => {
    const [one, other] = [await signedIn('viewer'), await signedIn('viewer')]
    const second = await staffHeaders(database.db, one.id)
    for (let n = 0; n < 19; n++) await staffHeaders(database.db, one.id)
    expect(await isOpen(one.headers)).toBe(false)
    expect(await isOpen(second)).toBe(true)
    expect(await isOpen(other.headers)).toBe(true)
    expect(await list(second)).toHaveLength(20)
  })

  it('end those of the shared password at one address, and none at another', async () => {
    const sharedFingerprint = await fingerprint(STAFF_PASSWORD)
    const open = async (ip: string) => ({
      cookie: `leadwell_session=${(await staffSessions.open(database.db, { sharedFingerprint }, { device: { ip, userAgent: '' } })).token}`,
    })
    const [first, elsewhere] = [await open('198.51.100.9'), await open('203.0.113.1')]
    for (let n = 0; n < 20; n++) await open('198.51.100.9')
    expect(await isOpen(first)).toBe(false)
    expect(await isOpen(elsewhere)).toBe(true)
  })
})

describe('GET /api/sessions', () => {
  it('lists the browsers in which one is signed in, and says which is this one', async () => {
    const one = await signedIn('viewer')
    await staffHeaders(database.db, one.id)
    await signedIn('viewer')

    const sessions = await list(one.headers)
    expect(sessions.map(({ account }) => account?.id)).toEqual([one.id, one.id])
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
  })

  it('lists those of everybody for managers', async () => {
    const [viewer, manager] = [await signedIn('viewer'), await signedIn('manager')]
    const shared = await staffHeaders(database.db)

    const accounts = (await list(manager.headers, 'everybody')).map(({ account }) => account?.email ?? null)
    expect(accounts.toSorted()).toEqual([viewer.email, manager.email, null].toSorted())
    expect((await list(shared)).map(({ account }) => account)).toEqual([null])
    expect(await api.call('GET', '/api/sessions?of=everybody', undefined, viewer.headers)).toMatchObject({
      status: 403,
      body: { error: 'Only managers may see the sessions of others.' },
    })
  })
})

describe('DELETE /api/sessions/{id}', () => {
  const idOf = async (headers: Headers) => (await list(headers)).find(({ current }) => current)?.id ?? 0

  it('ends a session of one’s own, at once', async () => {
    const { id, headers } = await signedIn('viewer')
    const elsewhere = await staffHeaders(database.db, id)
    const ended = await idOf(elsewhere)

    expect(await end(ended, headers)).toMatchObject({ status: 200, body: { success: true } })
    expect(await Promise.all([isOpen(headers), isOpen(elsewhere)])).toEqual([true, false])
    expect((await end(ended, headers)).status).toBe(404)
  })

  it('ends those of others for managers only', async () => {
    const [viewer, manager, shared] = [
      await signedIn('viewer'),
      await signedIn('manager'),
      await staffHeaders(database.db),
    ]
    for (const others of [manager.headers, shared]) {
      expect((await end(await idOf(others), viewer.headers)).status).toBe(403)
      expect(await isOpen(others)).toBe(true)
    }
    for (const others of [viewer.headers, shared]) {
      expect((await end(await idOf(others), manager.headers)).status).toBe(200)
      expect(await isOpen(others)).toBe(false)
    }
    const lines = await database.db('audit_log').where('action', 'end-session').orderBy('id')
    expect(lines.map(({ actor, details }) => [actor, details])).toEqual([
      [manager.email, { account: viewer.id }],
      [manager.email, { account: 'shared' }],
    ])
  })
})

it('sessions of the shared password end when it is changed; those of accounts go on', async () => {
  const [shared, { headers }] = [await staffHeaders(database.db), await signedIn('viewer')]
  const changed = await apiWith(database.app, { ADMIN_PASSWORD: 'another shared one' })
  const status = async (who: Headers) => (await changed.call('GET', '/api/leads', undefined, who)).status
  expect(await Promise.all([status(shared), status(headers)])).toEqual([401, 200])
})
