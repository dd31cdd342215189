import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../core/platform/passwords.ts'
import { SessionList } from '../../core/staff/contract/session.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import { apiWith, useApi } from '../support/api-server.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import { signedInStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

type Headers = { cookie: string }
const list = async (headers: Headers) => {
  const { status, body } = await api.call('GET', '/api/sessions', undefined, headers)
  expect(status).toBe(200)
  return SessionList.parse(body).sessions
}
const end = (id: number, headers: Headers) => api.call('DELETE', `/api/sessions/${id}`, undefined, headers)
const isOpen = async (headers: Headers) =>
  (await api.call('GET', '/api/session', undefined, headers)).body.authenticated
const signedIn = (role: StaffRole) => signedInStaff(database.db, { role })

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

describe('one’s own sessions', () => {
  const idOf = async (headers: Headers) => (await list(headers)).find(({ current }) => current)?.id ?? 0

  it('are listed, and end at once', async () => {
    const { id, email, headers } = await signedIn('viewer')
    const elsewhere = await staffHeaders(database.db, id)
    await signedIn('viewer')
    await staffHeaders(database.db)
    expect((await list(headers)).map(({ current }) => current).toSorted()).toEqual([false, true])

    const ended = await idOf(elsewhere)
    expect(await end(ended, headers)).toMatchObject({ status: 200, body: { success: true } })
    expect(await Promise.all([isOpen(headers), isOpen(elsewhere)])).toEqual([true, false])
    expect((await end(ended, headers)).status).toBe(404)
    expect(await database.db('audit_log')).toMatchObject([
      { actor: email, action: 'end-session', entity_id: String(ended) },
    ])
  })

  it('are the only ones that one can end, also for managers', async () => {
    const [viewer, manager, shared] = [
      await signedIn('viewer'),
      await signedIn('manager'),
      await staffHeaders(database.db),
    ]
    for (const [mine, theirs] of [
      [viewer.headers, manager.headers],
      [manager.headers, viewer.headers],
      [manager.headers, shared],
      [shared, manager.headers],
    ] as const) {
      expect((await end(await idOf(theirs), mine)).status).toBe(404)
      expect(await isOpen(theirs)).toBe(true)
    }
    expect(await list(shared)).toHaveLength(1)
  })
})

it('sessions of the shared password end when it is changed; those of accounts go on', async () => {
  const [shared, { headers }] = [await staffHeaders(database.db), await signedIn('viewer')]
  const changed = await apiWith(database.app, { ADMIN_PASSWORD: 'another shared one' })
  const status = async (who: Headers) => (await changed.call('GET', '/api/leads', undefined, who)).status
  expect(await Promise.all([status(shared), status(headers)])).toEqual([401, 200])
})
