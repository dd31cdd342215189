import { beforeEach, describe, expect, it } from 'vitest'
import { deriveKey } from '../../core/platform/data-key.ts'
import { signAddressLink } from '../../core/rules/address-links.ts'
import * as clinicAddresses from '../../core/stores/clinic-addresses.ts'
import * as clinicLinks from '../../core/stores/clinic-links.ts'
import { useApi } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'
import { createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { purgeOld } from '../support/purges.ts'

const { api, database } = useApi()

const DESK = 'desk@austin.example'
const NEW = 'intake@austin.example'
const KEY = deriveKey(testEnv().DATA_KEY, 'address-link')

let id: number
let headers: { cookie: string }
beforeEach(async () => {
  id = (await createProvider(database.db, { email: DESK, practice_name: 'Quill Clinic' })).id
  headers = await signIn(DESK)
})

async function signIn(email: string): Promise<{ cookie: string }> {
  await clinicLinks.request(database.db, email)
  const link = await database.db('clinic_links').where({ provider_id: id }).orderBy('requested_at', 'desc').first()
  const made = await clinicLinks.makeToken(database.db, String(link?.job_id))
  const answer = await api.call('POST', '/api/clinic/session', { token: made?.token })
  return { cookie: String(answer.headers.get('set-cookie')?.split(';')[0]) }
}
const isIn = async (session: { cookie: string }) =>
  (await api.call('GET', '/api/clinic/session', undefined, session)).body.clinic !== null

const change = (email: string | null, use = 'requests', session = headers) =>
  api.call('POST', '/api/clinic/addresses', { use, email }, session)
const newest = async () => Number((await database.db('clinic_addresses').orderBy('id', 'desc').first('id'))?.id)
const tokenTo = (does: 'confirm' | 'undo', changeId: number) => signAddressLink(KEY, { does, changeId })
const lookUp = (token: string) => api.call('POST', '/api/email-confirmations/look-up', { token })
const follow = (token: string) => api.call('POST', '/api/email-confirmations', { token })
const inUse = () => clinicAddresses.findInUse(database.db, id)
const mails = () =>
  database
    .db('jobs')
    .where({ told_provider_id: id })
    .whereNot({ purpose: 'clinic_link' })
    .orderBy('created_at')
    .pluck('purpose')

/** Asks for an address and confirms it. Returns the id of the change. */
async function changed(email: string, use = 'requests'): Promise<number> {
  expect((await change(email, use)).status).toBe(200)
  const changeId = await newest()
  expect((await follow(tokenTo('confirm', changeId))).status).toBe(200)
  return changeId
}

describe('another address for requests', () => {
  it('is used once its link is confirmed by a POST, and not before', async () => {
    const { body } = await change(NEW)
    expect(body.addresses.requests).toMatchObject({
      ...{ email: DESK, is_own: false, confirmed: null },
      waiting: { email: NEW, asked_by: DESK, asked: 'pending' },
    })
    expect((await mails()).toSorted()).toEqual(['address_changed', 'request_address'])
    const token = tokenTo('confirm', await newest())
    const question = { name: 'Quill Clinic', email: NEW, does: 'requests', asked_by: DESK }
    expect((await lookUp(token)).body).toEqual(question)
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
    expect(await clinicLinks.request(database.db, NEW)).toBe(0)

    expect((await follow(token)).status).toBe(200)
    expect(await inUse()).toMatchObject({ requests: NEW, wordpress: DESK })
    expect(await mails()).toHaveLength(3)
    for (const again of [await follow(token), await lookUp(token)]) expect(again.status).toBe(404)
    const acts = await database.db('audit_log').whereLike('action', '%-address').orderBy('id')
    expect(acts).toMatchObject([
      { action: 'ask-address', actor: 'clinic', details: { from: DESK, to: NEW, by: DESK } },
      { action: 'change-address', actor: 'clinic', details: { from: DESK, to: NEW, by: DESK } },
    ])
  })

  it('may sign in, and so may the address of WordPress, which can put everything back', async () => {
    await changed(NEW)
    const taken = await signIn(NEW)
    expect([await isIn(taken), await isIn(headers)]).toEqual([true, true])
    const { people } = (await api.call('GET', '/api/clinic/people', undefined, headers)).body
    expect(people).toMatchObject([
      { id: null, email: NEW, gets_requests: true },
      { id: null, email: DESK, gets_requests: false },
    ])
    await change(null)
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
    expect([await isIn(taken), await isIn(headers)]).toEqual([false, true])
  })

  it('can be stopped by the notice to the old one, before and after it is used', async () => {
    await change(NEW)
    const first = await newest()
    expect((await lookUp(tokenTo('undo', first))).body).toMatchObject({ does: 'undo', email: DESK, other: NEW })
    await follow(tokenTo('undo', first))
    expect((await follow(tokenTo('confirm', first))).status).toBe(404)

    const second = await changed(NEW)
    expect((await follow(tokenTo('undo', second))).status).toBe(200)
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
    expect((await follow(tokenTo('undo', second))).status).toBe(404)
  })

  it('that replaces another one of the clinic is undone to that one', async () => {
    const first = await changed(NEW)
    const later = await changed('third@austin.example')
    await follow(tokenTo('undo', later))
    expect(await inUse()).toMatchObject({ requests: NEW })
    await follow(tokenTo('undo', first))
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
  })

  it('keeps the record of the one before while it can be undone to that one', async () => {
    const first = await changed(NEW)
    await changed('third@austin.example')
    const asked_at = database.db.raw(`now() - interval '31 days'`)
    await database.db('clinic_addresses').where({ id: first }).update({ asked_at })
    await purgeOld(database.db, 'clinic addresses')
    expect(await database.db('clinic_addresses').where({ id: first })).toHaveLength(1)
  })

  it('that waits is ended when the one in use is undone', async () => {
    const used = await changed(NEW)
    await change('third@austin.example')
    const waits = await newest()
    expect((await follow(tokenTo('undo', used))).status).toBe(200)
    expect((await follow(tokenTo('confirm', waits))).status).toBe(404)
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
  })

  it('replaces one that waits, whose link works no more', async () => {
    await change('wrong@austin.example')
    const wrong = await newest()
    await change(NEW)
    expect((await follow(tokenTo('confirm', wrong))).status).toBe(404)
    const { body } = await change(DESK)
    expect(body.addresses.requests.waiting).toBeNull()
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
  })

  it('cannot be confirmed after seven days, undone after thirty, or by a token of another kind', async () => {
    const age = (days: number) =>
      database.db('clinic_addresses').update({ asked_at: database.db.raw(`now() - ? * interval '1 day'`, [days]) })
    await change(NEW)
    await age(8)
    expect((await follow(tokenTo('confirm', await newest()))).status).toBe(404)
    const later = await changed(NEW)
    await age(31)
    expect((await follow(tokenTo('undo', later))).status).toBe(404)
    const forged = signAddressLink(Buffer.alloc(32), { does: 'undo', changeId: later })
    expect((await follow(forged)).status).toBe(404)
    expect(await inUse()).toMatchObject({ requests: NEW })
  })

  it('is asked for five times a day at most', async () => {
    for (let n = 0; n < 5; n++) expect((await change(`a${n}@austin.example`)).status).toBe(200)
    const { status, body } = await change('a5@austin.example')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(await clinicAddresses.findWaiting(database.db, id, 'requests')).toMatchObject({
      to_email: 'a4@austin.example',
    })
  })

  it('is confirmed once where two try at the same time', async () => {
    await change(NEW)
    const token = tokenTo('confirm', await newest())
    const answers = await Promise.all([follow(token), follow(token), follow(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })
})

describe('the second address', () => {
  it('is told of late answers once it is confirmed, because the notice names a person', async () => {
    const { body } = await change('boss@austin.example', 'late')
    expect(body.addresses.late).toMatchObject({ email: null, waiting: { email: 'boss@austin.example' } })
    expect((await inUse()).late).toBeNull()
    const later = await newest()
    expect((await lookUp(tokenTo('confirm', later))).body.does).toBe('late')
    await follow(tokenTo('confirm', later))
    expect((await inUse()).late).toBe('boss@austin.example')
    expect((await lookUp(tokenTo('undo', later))).body).toMatchObject({ does: 'undo_late', email: null })
    await follow(tokenTo('undo', later))
    expect((await inUse()).late).toBeNull()
  })

  it('is removed at once, also one that staff have set', async () => {
    await database
      .db('provider_rules')
      .insert({ provider_id: id, second_email: 'boss@austin.example', updated_by: 'staff' })
    const { body } = await change(null, 'late')
    expect(body.addresses.late.email).toBeNull()
    expect((await inUse()).late).toBeNull()
  })
})

describe('DELETE /api/providers/{id}/request-address', () => {
  const remove = async (role: 'manager' | 'agent' = 'manager') =>
    api.call(
      'DELETE',
      `/api/providers/${id}/request-address`,
      undefined,
      await staffHeaders(database.db, (await createStaff(database.db, { role })).id),
    )

  it('sends requests to the address of WordPress again, and ends what waits', async () => {
    await changed(NEW)
    await change('third@austin.example')
    expect((await remove('agent')).status).toBe(403)
    expect((await remove()).status).toBe(200)
    expect(await inUse()).toMatchObject({ requests: DESK, own: null })
    expect((await follow(tokenTo('confirm', await newest()))).status).toBe(404)
    expect((await remove()).status).toBe(409)
  })

  it('staff see the address in use and where it comes from', async () => {
    await changed(NEW)
    const staff = await staffHeaders(database.db)
    const [listed] = (await api.call('GET', '/api/providers', undefined, staff)).body
    expect(listed).toMatchObject({ email: DESK, requestEmail: NEW })
    const { body } = await api.call('GET', `/api/providers/${id}/record`, undefined, staff)
    expect(body).toMatchObject({
      address: NEW,
      addresses: { wordpress: DESK, requests: { is_own: true, confirmed: { asked_by: DESK } } },
    })
    const [seen] = (await api.call('GET', '/api/providers')).body
    expect(JSON.stringify(seen)).not.toContain('@austin.example')
  })
})
