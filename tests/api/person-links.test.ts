import { describe, expect, it } from 'vitest'
import { LinkCandidates } from '../../core/contract/person-links.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const roleHeaders = async (role: StaffRole) => staffHeaders(database.db, (await createStaff(database.db, { role })).id)
const link = (id: number, leadId: unknown, headers: Record<string, string> = staff) =>
  api.call('POST', `/api/leads/${id}/same-person`, { leadId }, headers)
const unlink = (id: number, leadId: number, headers: Record<string, string> = staff) =>
  api.call('DELETE', `/api/leads/${id}/same-person/${leadId}`, undefined, headers)
const get = async (path: string, headers: Record<string, string> = staff) =>
  (await api.call('GET', path, undefined, headers)).body

describe('linking two requests', () => {
  it('shows each with the other, tells who did it, and can be undone', async () => {
    const [a, b] = [await createLead(database.db), await createLead(database.db)]
    const agent = await roleHeaders('agent')
    expect(await link(b, a, agent)).toMatchObject({ status: 200, body: { success: true } })
    expect((await link(a, b, agent)).status).toBe(200)

    const details = await get(`/api/leads/${b}`)
    expect(details).toMatchObject({ requests: { number: 2, total: 2 }, samePerson: [{ id: a, linked: true }] })
    const { leads } = await get('/api/leads?repeat=true')
    expect(leads).toMatchObject([{ id: b, requests: { number: 2, total: 2 } }])
    expect((await get('/api/leads?repeat=false')).leads).toMatchObject([{ id: a }])
    for (const [id, other_lead] of [
      [a, b],
      [b, a],
    ]) {
      expect((await get(`/api/leads/${id}/jobs`)).acts).toMatchObject([{ action: 'link-person', other_lead }])
    }

    expect(await unlink(a, b, agent)).toMatchObject({ status: 200, body: { success: true } })
    expect(await get(`/api/leads/${b}`)).toMatchObject({ requests: { number: 1, total: 1 }, samePerson: [] })
    const { lines } = await get('/api/audit-log?entity=lead')
    expect(lines.map(({ action, entity_id }: Record<string, string>) => `${action} ${entity_id}`)).toEqual([
      ...[`unlink-person ${b}`, `unlink-person ${a}`, `link-person ${a}`, `link-person ${b}`],
    ])
    expect((await unlink(a, b, agent)).body).toMatchObject({ code: 'conflict' })
  })

  it('is refused for what makes no sense', async () => {
    const email = 'jordan@visitors.example'
    const id = await createLead(database.db, { form: { email } })
    const known = await createLead(database.db, { form: { email, phone: '5125550199' } })
    expect(await link(id, id)).toMatchObject({ status: 422, body: { error: expect.stringContaining('itself') } })
    expect((await link(id, 999_999)).status).toBe(404)
    expect((await link(999_999, id)).status).toBe(404)
    expect(await link(id, undefined)).toMatchObject({ status: 422, body: { fields: { leadId: 'Choose a request' } } })
    expect(await link(id, known)).toMatchObject({ status: 409, body: { error: expect.stringContaining(`#${known}`) } })
    expect(await database.db('person_links')).toEqual([])
  })

  it('happens once when two members of staff do it at the same time', async () => {
    const [a, b] = [await createLead(database.db), await createLead(database.db)]
    const answers = await Promise.all([link(a, b), link(b, a), link(a, b), link(b, a)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await database.db('person_links')).toHaveLength(1)
  })

  it('is for agents and managers; a viewer sees the result and no contact data', async () => {
    const [a, b] = [await createLead(database.db), await createLead(database.db)]
    const viewer = await roleHeaders('viewer')
    expect((await link(a, b, viewer)).status).toBe(403)
    expect((await unlink(a, b, viewer)).status).toBe(403)
    expect((await api.call('GET', `/api/leads/${a}/same-person`, undefined, viewer)).status).toBe(403)
    expect((await api.call('GET', `/api/leads/${a}/same-person`)).status).toBe(401)

    await link(a, b)
    const { samePerson } = await get(`/api/leads/${a}`, viewer)
    expect(Object.keys(samePerson[0]).toSorted()).toEqual([
      ...['created_at', 'held_reason', 'id', 'linked', 'outcome', 'provider_id', 'provider_name'],
    ])
  })
})

describe('the requests that can be linked', () => {
  it('are searched, and whoever looks is in the log', async () => {
    const [a, b] = [await createLead(database.db), await createLead(database.db, { form: { first_name: 'Rosa' } })]
    const agent = await roleHeaders('agent')
    const body = await get(`/api/leads/${a}/same-person?q=rosa`, agent)
    expect(LinkCandidates.parse(body)).toEqual(body)
    expect(body.candidates).toMatchObject([{ id: b, first_name: 'Rosa', provider_name: null }])
    await api.writeReadings()
    expect(await database.db('access_log').pluck('row_ids')).toContainEqual([a, b])
    expect((await get('/api/leads/999999/same-person')).code).toBe('not_found')
  })
})
