import { describe, expect, it } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { AuditLog } from '../../core/staff/contract/audit-log.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createStaff, signedInStaff } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const read = async (query = '') => {
  const { status, body } = await api.call('GET', `/api/audit-log${query}`, undefined, staff)
  expect(status).toBe(200)
  return AuditLog.parse(body)
}
const record = (entry: Partial<auditLog.AuditEntry> = {}) =>
  auditLog.record(database.db, { actor: 'staff', action: 'release', entity: 'lead', entityId: 1, ...entry })
const failToSignIn = (body = {}) => api.call('POST', '/api/session', { password: 'wrong', ...body })

describe('GET /api/audit-log', () => {
  it('names who did what, by their current name', async () => {
    const { id, email, headers } = await signedInStaff(database.db, { name: 'Ada Park' })
    const lead = await createLead(database.db)
    await api.call('POST', `/api/leads/${lead}/retry-email`, undefined, headers)
    await api.call('PATCH', `/api/staff/${id}`, { role: 'viewer' }, staff)

    const { lines, total } = await read()
    expect(total).toBe(2)
    expect(lines).toMatchObject([
      { actor: 'staff', actor_name: null, action: 'change', entity: 'staff', entity_name: 'Ada Park' },
      { actor: email, actor_name: 'Ada Park', action: 'retry-email', entity: 'lead', entity_id: `${lead}` },
    ])
    expect(lines[1]?.entity_name).toBe('Jordan Avery')
    await api.call('DELETE', `/api/leads/${lead}`, undefined, staff)
    expect((await read()).lines.map(({ entity_name }) => entity_name)).toEqual([null, 'Ada Park', null])
    expect(lines[0]).toMatchObject({ details: { from: 'manager', to: 'viewer' }, at: expect.any(String) })
  })

  it('shows the address and session of each act, also of wrong passwords', async () => {
    const { id, headers } = await signedInStaff(database.db)
    const session = await database.db('staff_sessions').where('account_id', id).first('id')
    const lead = await createLead(database.db)
    await api.call('POST', `/api/leads/${lead}/retry-email`, undefined, headers)
    await failToSignIn()
    await record({ action: 'sync', entity: 'provider' })

    expect((await read()).lines).toMatchObject([
      { action: 'sync', ip: null, session_id: null },
      { action: 'sign-in-failed', ip: '127.0.0.1', session_id: null },
      { action: 'retry-email', ip: '127.0.0.1', session_id: session?.id },
    ])
  })

  it('can be narrowed to a person, a kind or a row', async () => {
    await record()
    await record({ actor: 'ada@leadwell.example', entityId: 2 })
    await record({ action: 'delete', entity: 'application' })
    const totals = ['actor=ada@leadwell.example', 'entity=lead&entityId=1', 'actor=nobody'].map(
      async (query) => (await read(`?${query}`)).total,
    )
    expect(await Promise.all(totals)).toEqual([1, 1, 0])
  })
})

describe('the audit log', () => {
  it('has a line for each sign-in and sign-out', async () => {
    const headers = await api.signIn()
    await api.call('DELETE', '/api/session', undefined, headers)
    await api.call('DELETE', '/api/session', undefined, headers)
    expect((await read()).lines.map(({ actor, action, entity }) => [actor, action, entity])).toEqual([
      ['staff', 'sign-out', 'session'],
      ['staff', 'sign-in', 'session'],
    ])
  })

  it('counts failures to sign in within an hour, in few lines for each account, and keeps nothing that was typed', async () => {
    const { id, email } = await createStaff(database.db)
    for (let n = 0; n < 4; n++) await failToSignIn()
    await failToSignIn({ email, password: 'my secret' })
    await failToSignIn({ email: 'visitor@private.example' })
    await database.db('sign_in_attempts').whereLike('key', 'failed:%').decrement('expire', HOUR)
    await failToSignIn()

    const { lines } = await read()
    expect(lines.map(({ actor, entity_id, details }) => [actor, entity_id, details])).toEqual([
      ['unknown', 'shared', { count: 1 }],
      ['unknown', 'unknown', { count: 1 }],
      ['unknown', String(id), { count: 1 }],
      ['unknown', 'shared', { count: 3 }],
      ['unknown', 'shared', { count: 1 }],
    ])
    expect(JSON.stringify(lines)).not.toMatch(/secret|private\.example/)
  })
})
