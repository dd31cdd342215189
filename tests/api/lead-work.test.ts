import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { JobState } from '../../core/deliveries/contract/jobs.ts'
import type { LeadByPhone } from '../../core/leads/contract/lead-changes.ts'
import { type LeadFilterValues, LeadWork } from '../../core/leads/contract/leads.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createStaff, deliverAll, jobsOf, leadForm, signedInStaff } from '../support/factories.ts'

const { api, database } = useApi()
const manager = useStaff(database)
type Headers = Record<string, string>
const signedIn = (role: StaffRole, name = 'Ada Park') => signedInStaff(database.db, { role, name })
const change = (id: number, body: object, headers: Headers = manager) =>
  api.call('PATCH', `/api/leads/${id}/work`, body, headers)
const note = (id: number, body: object, headers: Headers = manager) =>
  api.call('POST', `/api/leads/${id}/notes`, body, headers)
const removeNote = (id: number, noteId: number, headers: Headers = manager) =>
  api.call('DELETE', `/api/leads/${id}/notes/${noteId}`, undefined, headers)
const get = async (path: string, headers: Headers = manager) => (await api.call('GET', path, undefined, headers)).body
const work = (id: number, headers?: Headers) => get(`/api/leads/${id}`, headers)
const acts = async (id: number) => (await get(`/api/leads/${id}/jobs`)).acts

describe('the work on a lead', () => {
  it('is set by agents, in parts, and stands in the list and the timeline', async () => {
    const id = await createLead(database.db)
    const other = await createLead(database.db)
    const ada = await signedIn('agent')
    expect(await change(id, { owner_id: ada.id, tags: [' VIP ', 'call  back', 'vip'] }, ada.headers)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await change(id, { next_action: 'Call again', next_action_on: '2027-01-05' }, ada.headers)).status).toBe(
      200,
    )

    const owner = { id: ada.id, name: 'Ada Park' }
    const tags = ['call back', 'vip']
    expect(await work(id)).toMatchObject({ owner, tags, next_action: 'Call again', next_action_on: '2027-01-05' })
    const { leads } = await get('/api/leads?sort=created_at')
    expect(leads).toMatchObject([
      { id, owner, tags, next_action_on: '2027-01-05' },
      { id: other, owner: null, tags: [], next_action_on: null },
    ])
    expect(await acts(id)).toMatchObject([
      { action: 'change-work', actor: ada.email, fields: ['owner_id', 'tags'], owner: 'Ada Park' },
      { action: 'change-work', fields: ['next_action', 'next_action_on'], owner: null },
    ])

    await change(id, { owner_id: null, next_action: null, tags: ['vip'] })
    expect(await work(id)).toMatchObject({
      owner: null,
      tags: ['vip'],
      next_action: null,
      next_action_on: '2027-01-05',
    })
  })

  it('keeps its words out of the audit log', async () => {
    const id = await createLead(database.db)
    await change(id, { next_action: 'Call Jordan at 512', tags: ['jordan'] })
    await note(id, { body: 'Jordan prefers mornings' })
    expect(JSON.stringify(await database.db('audit_log'))).not.toMatch(/jordan/i)
  })

  it('refuses an owner who has left, too many tags, and a lead that is not there', async () => {
    const id = await createLead(database.db)
    const left = await createStaff(database.db, { disabled_at: new Date() })
    expect(await change(id, { owner_id: left.id })).toMatchObject({
      status: 422,
      body: { fields: { owner_id: expect.stringContaining('no longer has an account') } },
    })
    expect((await change(id, { owner_id: 999_999 })).status).toBe(422)
    expect((await change(id, { tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) })).status).toBe(422)
    expect((await change(999_999, { tags: [] })).status).toBe(404)
    expect((await note(999_999, { body: 'Hello' })).status).toBe(404)
  })

  it('offers colleagues with an enabled account, and the tags in use', async () => {
    const [a, b] = [await createLead(database.db), await createLead(database.db)]
    const ada = await signedIn('viewer', 'Zoe Ada')
    const left = await createStaff(database.db, { name: 'Gone Person', disabled_at: new Date() })
    await change(a, { tags: ['rare', 'vip'] })
    await change(b, { tags: ['vip'] })
    const options: LeadFilterValues = await get('/api/leads/filter-values', ada.headers)
    expect(options.tags).toEqual(['vip', 'rare'])
    expect(options.staff).toContainEqual({ id: ada.id, name: 'Zoe Ada' })
    expect(options.staff.map(({ id }) => id)).not.toContain(left.id)
  })
})

describe('a note', () => {
  it('says who wrote it', async () => {
    const id = await createLead(database.db)
    const ada = await signedIn('agent', 'Ada Park')
    const body = 'Spoke to her.\nCall again.'
    expect((await note(id, { body }, ada.headers)).status).toBe(200)
    expect(LeadWork.parse(await work(id)).notes).toMatchObject([{ body, author: ada.email, author_name: 'Ada Park' }])
    expect(await acts(id)).toMatchObject([{ action: 'add-note', actor_name: 'Ada Park' }])
  })

  it('is deleted by its author and by managers', async () => {
    const id = await createLead(database.db)
    const [ada, ben] = [await signedIn('agent', 'Ada Park'), await signedIn('agent', 'Ben Ito')]
    for (const body of ['One', 'Two']) await note(id, { body }, ada.headers)
    const [first = 0, second = 0] = LeadWork.parse(await work(id)).notes.map((each) => each.id)
    expect(await removeNote(id, first, ben.headers)).toMatchObject({
      status: 403,
      body: { error: 'You can delete your own notes. Managers can delete all.' },
    })
    expect((await removeNote(await createLead(database.db), first, ada.headers)).status).toBe(404)
    expect((await removeNote(id, first, ada.headers)).status).toBe(200)
    expect((await removeNote(id, second)).status).toBe(200)
    expect((await removeNote(id, second)).status).toBe(404)
    expect((await work(id)).notes).toEqual([])
  })
})

const edit = (id: number, body: object, headers: Headers = manager) =>
  api.call('PATCH', `/api/leads/${id}`, body, headers)
const post = (path: string, headers: Headers = manager, body?: object) => api.call('POST', path, body, headers)
const purposes = async (id: number, state: JobState = 'waiting') =>
  (await jobsOf(database.db, id, { state }).pluck('purpose')).toSorted()

describe('a correction', () => {
  it('is stored, searched by, told to the CRM, and says what was', async () => {
    const id = await createLead(database.db, { form: { email: 'jordan@typo.example', first_name: 'Jordon' } })
    await deliverAll(database.db, id)
    const ada = await signedIn('agent')
    const change = { email: 'jordan@visitors.example', first_name: 'Jordan' }
    expect(await edit(id, change, ada.headers)).toMatchObject({ status: 200, body: { success: true } })

    expect(await get(`/api/leads/${id}`)).toMatchObject(change)
    expect((await get('/api/leads?q=jordan@visitors')).total).toBe(1)
    expect((await get('/api/leads?q=typo.example')).total).toBe(0)
    expect(await purposes(id)).toEqual([expect.stringMatching(/^(created|matched)$/)])
    const { acts, edits } = await get(`/api/leads/${id}/jobs`)
    expect(acts).toMatchObject([{ action: 'edit', actor: ada.email }])
    expect(edits).toMatchObject([
      { field: 'first_name', was: 'Jordon', became: 'Jordan', at: acts[0].at, actor_name: 'Ada Park' },
      { field: 'email', was: 'jordan@typo.example', became: 'jordan@visitors.example' },
    ])
    expect(JSON.stringify(await database.db('audit_log'))).not.toContain('typo.example')
  })

  it('gives nobody who asked for no contact another address', async () => {
    const stopped = await createLead(database.db, { form: { email: 'stop@visitors.example', phone: '5125550103' } })
    const other = await createLead(database.db, { form: { email: 'other@visitors.example', phone: '5125550104' } })
    expect((await post('/api/opt-outs', manager, { lead_id: stopped })).status).toBe(200)
    for (const [id, body] of [
      [stopped, { email: 'new@visitors.example' }],
      [other, { email: 'STOP@visitors.example' }],
      [other, { phone: '(512) 555-0103' }],
    ] as const) {
      expect(await edit(id, body)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('asked not to be contacted') },
      })
    }
    expect((await edit(stopped, { first_name: 'Jo' })).status).toBe(200)
    expect((await edit(stopped, { first_name: 'Joe', again: true })).status).toBe(409)
  })
})

describe('after a correction that asks for it', () => {
  it('the emails are sent again, although the first ones arrived', async () => {
    const id = await createLead(database.db)
    await deliverAll(database.db, id)
    expect((await edit(id, { phone: '(512) 555-0187', again: true })).status).toBe(200)
    const crm = expect.stringMatching(/^(created|matched)$/)
    expect(await purposes(id)).toEqual([crm, expect.stringMatching(/^(provider|team)$/), 'visitor'])
  })

  it('a lead without a clinic is matched again by its new zip code', async () => {
    const id = await createLead(database.db)
    await deliverAll(database.db, id)
    await database.db('leads').where({ id }).update({ provider_id: null, matched_at: null, match_kind: null })
    expect((await edit(id, { zip_code: '21201', again: true })).status).toBe(200)
    expect(await purposes(id)).toEqual(['created', 'nearest'])
  })
})

describe('a lead that phones', () => {
  const { first_name, last_name, email, phone, zip_code } = leadForm({ email: 'caller@visitors.example' })
  const caller: LeadByPhone = {
    ...{ first_name, last_name, email, phone, zip_code },
    ...{ consent_version: CONSENT.phone.version, agreed: true },
  }
  const enter = (body: object, headers: Headers = manager) => post('/api/phone-leads', headers, body)

  it('is stored like a form, with a consent that says who read it aloud', async () => {
    const ada = await signedIn('agent')
    const { status, body } = await enter(caller, ada.headers)
    expect([status, body]).toEqual([201, { id: expect.any(Number), held: false }])
    const details = await get(`/api/leads/${body.id}`)
    expect(details).toMatchObject({
      email,
      acceptance_consent: true,
      acceptance_ip: null,
      attribution: { first: { utm_source: 'phone' } },
      consent: {
        wording: CONSENT.phone.wording,
        wording_version: CONSENT.phone.version,
        sharing_wording: CONSENT.phone.sharing.wording,
        user_agent: `Read aloud on the phone by ${ada.email}`,
        ip: null,
      },
    })
    const { jobs, acts } = await get(`/api/leads/${body.id}/jobs`)
    expect(acts).toMatchObject([{ action: 'enter', actor: ada.email }])
    expect(jobs.length).toBeGreaterThan(0)
  })

  it('is held only for a person who asked for no contact', async () => {
    const stopped = await createLead(database.db, { form: { email, phone } })
    expect((await enter({ ...caller, first_name: 'www.example.com' })).body.held).toBe(false)
    await post('/api/opt-outs', manager, { lead_id: stopped })
    const { body } = await enter(caller)
    expect(body.held).toBe(true)
    expect(await get(`/api/leads/${body.id}`)).toMatchObject({ held_reason: 'do_not_contact' })
  })

  it('needs the agreement and the wording of now; viewers enter none', async () => {
    expect(await enter({ ...caller, agreed: false })).toMatchObject({
      status: 422,
      body: { fields: { agreed: expect.any(String) } },
    })
    expect((await enter({ ...caller, consent_version: CONSENT.form.version })).status).toBe(422)
    expect((await enter({ ...caller, email: 'nobody' })).status).toBe(422)
    expect((await enter(caller, (await signedIn('viewer')).headers)).status).toBe(403)
    expect(await database.db('leads')).toEqual([])
  })

  it('is a consent that no public form can claim', async () => {
    const body = { ...leadForm(), acceptance_message: '', consent_version: CONSENT.phone.version }
    expect((await api.call('POST', '/api/leads', body)).status).toBe(422)
  })
})
