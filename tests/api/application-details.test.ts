import { beforeEach, describe, expect, it } from 'vitest'
import { ApplicationDetails } from '../../core/contract/application-details.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createApplication, createLead, createStaff, staffHeaders } from '../support/factories.ts'

const CALL = '/api/provider-applications'

const { api, database } = useApi()
const staff = useStaff(database)

const asStaff = (method: string, path: string, body?: unknown) => api.call(method, CALL + path, body, staff)
const detailsOf = async (id: number): Promise<ApplicationDetails> => (await asStaff('GET', `/${id}`)).body
const audit = () => database.db('audit_log').where('entity', 'application').orderBy('id')

beforeEach(async () => {
  for (const table of ['leads', 'providers', 'provider_applications']) await database.db(table).delete()
})

it('GET /api/provider-applications/:id has the place, the stages with their persons, and the promise', async () => {
  const id = await createApplication(database.db)
  await asStaff('PATCH', `/${id}`, { status: 'contacted' })
  await asStaff('PATCH', `/${id}`, { status: 'training' })
  const { status, body } = await asStaff('GET', `/${id}`)
  expect(status).toBe(200)
  expect(ApplicationDetails.strict().parse(body)).toEqual(body)
  expect(body.place).toEqual({ city: 'Austin', state: 'TX' })
  expect(body.stages).toMatchObject([
    { status: 'new', actor: null },
    { status: 'contacted', actor: 'staff' },
    { status: 'training', actor: 'staff' },
  ])
  expect(body).toMatchObject({ promised_at: body.created_at, reviewed_at: body.stages[1].at })
  expect((await asStaff('GET', '/2000000')).status).toBe(404)
})

describe('what staff note', () => {
  it('gives an application to an account, which the list names', async () => {
    const id = await createApplication(database.db)
    const owner = await createStaff(database.db, { name: 'Ada Park' })
    expect((await asStaff('PATCH', `/${id}/owner`, { owner_id: owner.id })).body).toEqual({ success: true })
    expect((await asStaff('GET', '')).body.applications).toMatchObject([{ owner_id: owner.id, owner_name: 'Ada Park' }])
    await asStaff('PATCH', `/${id}/owner`, { owner_id: owner.id })
    await asStaff('PATCH', `/${id}/owner`, { owner_id: null })
    expect(await detailsOf(id)).toMatchObject({ owner_id: null, owner_name: null })
    expect((await audit()).map(({ action, details }) => [action, details.to])).toEqual([
      ['application-owner', owner.id],
      ['application-owner', null],
    ])
  })

  it('adds notes, which the audit log does not repeat and viewers see masked', async () => {
    const id = await createApplication(database.db)
    const agent = await createStaff(database.db, { role: 'agent', name: 'Ben Ito' })
    const as = await staffHeaders(database.db, agent.id)
    const text = 'Spoke to ines@clinics.example, call (512) 555-0199 on Monday.'
    expect((await api.call('POST', `${CALL}/${id}/notes`, { text: ` ${text}\n` }, as)).status).toBe(200)
    expect((await detailsOf(id)).notes).toMatchObject([{ text, actor: agent.email, actor_name: 'Ben Ito' }])
    expect(await audit()).toMatchObject([{ action: 'application-note', details: {} }])
    for (const wrong of [{ text: ' ' }, {}, { text: 'x'.repeat(2001) }]) {
      expect((await asStaff('POST', `/${id}/notes`, wrong)).status).toBe(422)
    }

    const viewer = await staffHeaders(database.db, (await createStaff(database.db, { role: 'viewer' })).id)
    const seen = (await api.call('GET', `${CALL}/${id}`, undefined, viewer)).body
    expect(seen.email).toContain('•••')
    expect(seen.notes[0].text).not.toMatch(/ines@|555-0199/)
    expect((await api.call('POST', `${CALL}/${id}/notes`, { text }, viewer)).status).toBe(403)
  })

  it('is deleted with the application, and is part of everything about its person', async () => {
    const id = await createApplication(database.db, { form: { email: 'ines@clinics.example' } })
    await asStaff('POST', `/${id}/notes`, { text: 'Two urologists.' })
    const person = await api.call('POST', '/api/privacy/find', { contact: 'ines@clinics.example' }, staff)
    expect(person.body.forms[0].fields.notes).toMatchObject([{ author: 'staff', text: 'Two urologists.' }])

    expect((await asStaff('DELETE', `/${id}`)).body).toEqual({ success: true })
    expect(await database.db('application_notes')).toEqual([])
  })
})

describe('POST /api/provider-applications/:id/certify', () => {
  const certify = (id: number, body: object) => asStaff('POST', `/${id}/certify`, body)
  const providers = () => database.db('providers').orderBy('id')

  it('makes an active provider that takes the waiting leads nearby, and certifies the application', async () => {
    const id = await createApplication(database.db, { form: { practice_name: 'Calloway Clinic' } })
    const near = await createLead(database.db)
    await database.db('jobs').where('lead_id', near).update({ state: 'done', finished_at: new Date() })
    expect((await certify(id, { active: true, match_waiting: true })).body).toEqual({ success: true })

    const [provider] = await providers()
    expect(provider).toMatchObject({
      ...{ practice_name: 'Calloway Clinic', name: 'Dr. Ines Calloway', zip_code: '78701' },
      ...{ status: 't', hidden: false, wordpress_id: null },
    })
    expect(await detailsOf(id)).toMatchObject({ status: 'certified', provider: { id: provider?.id, status: 'active' } })
    const matching = await database.db('jobs').where({ lead_id: near, name: 'match-lead', state: 'waiting' })
    expect(matching).toHaveLength(1)
    expect((await audit()).map(({ action, details }) => [action, details])).toEqual([
      ['set-status', { from: 'new', to: 'certified' }],
      ['certify', { provider: provider?.id, active: true }],
    ])
    expect((await certify(id, { active: true })).status).toBe(409)
    expect(await providers()).toHaveLength(1)
  })

  it('refuses a held application', async () => {
    const id = await createApplication(database.db, { heldReason: 'too_fast' })
    expect((await certify(id, { active: true })).status).toBe(409)
    expect(await providers()).toEqual([])
  })
})
