import { beforeEach, describe, expect, it } from 'vitest'
import { LeadView } from '../../core/contract/lead-views.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { useApi } from '../support/api-server.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
type Headers = { cookie: string }
let manager: Headers
let viewer: Headers
const signIn = async (role: StaffRole, name?: string) =>
  staffHeaders(database.db, (await createStaff(database.db, { role, ...(name && { name }) })).id)
beforeEach(async () => {
  manager = await signIn('manager', 'Ada Park')
  viewer = await signIn('viewer')
})

const TEXAS = { name: 'Texas, not reached', filter: { state: 'TX', not_reached: true }, sort: 'provider' }
const save = (view: object, staff: Headers) => api.call('POST', '/api/lead-views', view, staff)
const change = (id: number, view: object, staff: Headers) => api.call('PATCH', `/api/lead-views/${id}`, view, staff)
const remove = (id: number, staff: Headers) => api.call('DELETE', `/api/lead-views/${id}`, undefined, staff)
const namesOf = async (staff: Headers) =>
  (await api.call('GET', '/api/lead-views', undefined, staff)).body.views.map(({ name }: LeadView) => name)

describe('a saved view', () => {
  it('is its owner’s alone, also a viewer’s', async () => {
    const { status, body } = await save(TEXAS, viewer)
    expect(status).toBe(201)
    expect(LeadView.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ ...TEXAS, is_shared: false, is_pinned: true, is_own: true })
    expect(await namesOf(viewer)).toEqual([TEXAS.name])
    expect(await namesOf(manager)).toEqual([])
    expect((await change(body.id, { name: 'Mine' }, manager)).status).toBe(404)
    expect((await remove(body.id, manager)).status).toBe(404)
  })

  it('is for all when a manager says so, and then managers alone change it', async () => {
    expect((await save({ ...TEXAS, is_shared: true }, viewer)).status).toBe(403)
    const { body } = await save({ ...TEXAS, is_shared: true }, manager)
    const { views } = (await api.call('GET', '/api/lead-views', undefined, viewer)).body
    expect(views).toMatchObject([{ ...TEXAS, is_own: false, owner_name: 'Ada Park' }])

    expect((await change(body.id, { name: 'Mine' }, viewer)).status).toBe(403)
    expect((await remove(body.id, viewer)).status).toBe(403)
    const other = await signIn('manager')
    expect((await change(body.id, { name: 'Ours', is_pinned: false }, other)).body).toMatchObject({
      ...TEXAS,
      name: 'Ours',
      is_pinned: false,
      is_own: false,
    })
    expect((await change(body.id, { is_shared: false }, manager)).status).toBe(200)
    expect(await namesOf(viewer)).toEqual([])
    expect((await change(body.id, { is_shared: true }, await signIn('agent'))).status).toBe(403)
  })

  it('gets another filter and order, and is deleted', async () => {
    const { body } = await save(TEXAS, viewer)
    const filter = { min_age_days: 3, outcome: 'none' }
    expect((await change(body.id, { filter, sort: '-created_at' }, viewer)).body).toMatchObject({
      name: TEXAS.name,
      filter,
      sort: '-created_at',
    })
    expect((await remove(body.id, viewer)).body).toEqual({ success: true })
    expect(await namesOf(viewer)).toEqual([])
    expect((await remove(body.id, viewer)).status).toBe(404)
  })

  it('has a name of its own among those of its owner', async () => {
    const first = (await save(TEXAS, viewer)).body
    const { status, body } = await save({ ...TEXAS, name: 'TEXAS, not reached' }, viewer)
    expect([status, body.fields]).toEqual([409, { name: 'You have a view with this name. Choose another name.' }])
    const second = (await save({ ...TEXAS, name: 'Other' }, viewer)).body
    expect((await change(second.id, { name: TEXAS.name }, viewer)).status).toBe(409)
    expect((await change(first.id, { name: 'texas, NOT reached' }, viewer)).status).toBe(200)
    expect((await save(TEXAS, manager)).status).toBe(201)
  })

  it('is in the audit log without its name', async () => {
    const { body } = await save({ ...TEXAS, is_shared: true }, manager)
    await change(body.id, { name: 'Ours' }, manager)
    await remove(body.id, manager)
    const lines = await database.db('audit_log').where({ entity: 'view' }).orderBy('id')
    expect(lines.map(({ action, entity_id, details }) => [action, entity_id, details])).toEqual(
      ['save-view', 'change-view', 'delete-view'].map((action) => [action, String(body.id), { is_shared: true }]),
    )
  })
})
