import { beforeEach, describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import { MINUTE } from '../../core/contract/time.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import { stopContactOfLead } from '../../core/privacy/stop-contact.ts'
import * as contract from '../../core/providers/contract/clinic.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import { type ApiServer, apiWith, useApi } from '../support/api-server.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createClinicPerson, createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const CLINIC_CALLS = CALLS.filter(({ access }) => access === 'clinic')
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

let own: { id: number; email: string; leadId: number }
let other: typeof own
beforeEach(async () => {
  own = await clinicWithLead('front@austin.example')
  other = await clinicWithLead('desk@boise.example')
})

async function clinicWithLead(email: string) {
  const { id } = await createProvider(database.db, { email })
  return { id, email, leadId: await createLead(database.db, { providerId: id }) }
}

/** Asks for a link and returns the token that its email would have. */
async function tokenOf(email: string, providerId = own.id): Promise<string> {
  await clinicLinks.request(database.db, email)
  const [link] = await database.db('one_time_tokens').where({ provider_id: providerId }).orderBy('requested_at', 'desc')
  const made = await clinicLinks.makeToken(database.db, String(link?.job_id))
  return String(made?.token)
}

/** An API that remembers nothing of other tests: it reuses figures, and logs a reading once an hour. */
async function startedNow(): Promise<ApiServer> {
  const fresh = await apiWith(database.app)
  return fresh
}

async function signIn(email = own.email, providerId = own.id): Promise<{ cookie: string }> {
  const answer = await api.call('POST', '/api/clinic/session', { token: await tokenOf(email, providerId) })
  expect(answer.status).toBe(200)
  return { cookie: String(answer.headers.get('set-cookie')?.split(';')[0]) }
}

describe('the sign-in of a clinic', () => {
  it('mails a link to the address of a clinic, and tells nobody whether there is one', async () => {
    const known = await api.call('POST', '/api/clinic/link', { email: 'FRONT@austin.example' })
    const unknown = await api.call('POST', '/api/clinic/link', { email: 'nobody@austin.example' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const jobs = await database
      .db('jobs')
      .where({ purpose: 'clinic_link' })
      .select('subject_kind', 'subject_id', 'state')
    expect(jobs).toEqual([{ subject_kind: 'provider', subject_id: own.id, state: 'waiting' }])
  })

  it('leads to the part of the pages that was asked for, and to no other address', async () => {
    await api.call('POST', '/api/clinic/link', { email: own.email, page: 'pause' })
    const [link] = await database.db('one_time_tokens').select('job_id', 'page')
    expect(await clinicLinks.makeToken(database.db, String(link?.job_id))).toMatchObject({ page: 'pause' })
    const foreign = { email: own.email, page: '//evil.example' }
    expect((await api.call('POST', '/api/clinic/link', foreign)).status).toBe(422)
  })

  describe('while a stranger asks for links all the time', () => {
    const asked = () => clinicLinks.request(database.db, own.email)
    const links = () => database.db('one_time_tokens').where('provider_id', own.id).orderBy('requested_at')
    const pass = (milliseconds: number) =>
      database.db('one_time_tokens').update({
        requested_at: database.db.raw(`requested_at - ? * interval '1 ms'`, [milliseconds]),
        expires_at: database.db.raw(`expires_at - ? * interval '1 ms'`, [milliseconds]),
      })

    it('the clinic always has a link that works, and gets a dozen emails a day at most', async () => {
      let sent = 0
      for (let quarter = 0; quarter < 96; quarter += 1) {
        await asked()
        const fresh = await database.db('one_time_tokens').where('provider_id', own.id).whereNull('expires_at')
        sent += fresh.length
        for (const { job_id } of fresh) await clinicLinks.makeToken(database.db, String(job_id))
        expect(await links().where('expires_at', '>', database.db.fn.now()), `quarter ${quarter}`).not.toEqual([])
        await pass(15 * MINUTE)
      }
      expect(sent).toBeLessThanOrEqual(12)
    })

    it('a browser in which the address has signed in gets its link, and a forged mark does not', async () => {
      const fresh = await startedNow()
      const answer = await fresh.call('POST', '/api/clinic/session', { token: await tokenOf(own.email) })
      const known = answer.headers
        .getSetCookie()
        .map((set) => String(set.split(';')[0]))
        .find((set) => set.startsWith('leadwell_clinic_known='))
      const ask = (email: string, cookie: string) => fresh.call('POST', '/api/clinic/link', { email }, { cookie })
      for (let n = 0; n < 3; n++) await ask(own.email, `leadwell_clinic_known=${'a'.repeat(64)}`)
      expect(await links()).toHaveLength(2)
      await ask(own.email.toUpperCase(), String(known))
      expect(await links()).toHaveLength(3)
      for (let n = 0; n < 3; n++) await ask(other.email, String(known))
      expect(await database.db('one_time_tokens').where('provider_id', other.id)).toHaveLength(2)
    })
  })

  it('ends when the clinic leaves the network, and so do its links', async () => {
    const headers = await signIn()
    const token = await tokenOf(own.email)
    await database.db('providers').where({ id: own.id }).update({ status: 'f' })
    expect((await api.call('GET', '/api/clinic/session', undefined, headers)).body.clinic).toBeNull()
    for (const path of ['/api/clinic/requests', '/api/clinic/requests.csv'])
      expect((await api.call('GET', path, undefined, headers)).status, path).toBe(401)
    for (const path of ['/api/clinic/link/look-up', '/api/clinic/session'])
      expect((await api.call('POST', path, { token })).status, path).toBe(404)
    expect(await clinicLinks.request(database.db, own.email)).toBe(0)
  })

  it('opens a session with a cookie that scripts and other sites cannot use', async () => {
    const answer = await api.call('POST', '/api/clinic/session', { token: await tokenOf(own.email) })
    expect(answer.body.clinic).toMatchObject({ id: own.id, email: own.email })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^leadwell_clinic=[\w-]{43}; .*samesite=strict; httponly/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('works once, for four hours, and not for an address that was removed meanwhile', async () => {
    const token = await tokenOf(own.email)
    expect((await api.call('POST', '/api/clinic/session', { token })).status).toBe(200)
    expect((await api.call('POST', '/api/clinic/session', { token })).status).toBe(404)

    const late = await tokenOf(own.email)
    await database.db('one_time_tokens').update({ expires_at: database.db.fn.now() })
    expect((await api.call('POST', '/api/clinic/session', { token: late })).status).toBe(404)

    const stale = await tokenOf(own.email)
    await database.db('providers').where({ id: own.id }).update({ email: 'new@austin.example' })
    const refused = await api.call('POST', '/api/clinic/session', { token: stale })
    expect(refused.body.error).toContain('no longer valid')
    expect(await database.db('clinic_sessions').where('provider_id', own.id)).toHaveLength(1)
  })

  it('ends by signing out, after 12 hours, and when the address may no longer sign in', async () => {
    const isIn = async (headers: { cookie: string }) =>
      (await api.call('GET', '/api/clinic/session', undefined, headers)).body.clinic !== null
    const first = await signIn()
    expect(await isIn(first)).toBe(true)
    await api.call('DELETE', '/api/clinic/session', undefined, first)
    expect(await isIn(first)).toBe(false)

    const second = await signIn()
    await database.db('clinic_sessions').update({ expires_at: database.db.fn.now() })
    expect(await isIn(second)).toBe(false)

    const third = await signIn()
    await database.db('providers').where({ id: own.id }).update({ email: 'new@austin.example' })
    expect(await isIn(third)).toBe(false)
  })
})

describe('the calls of a clinic', () => {
  const send = (call: (typeof CLINIC_CALLS)[number], id: number, headers: Record<string, string>) =>
    api.call(call.method, call.path.replace(':id', String(id)), bodyOf(call), headers)
  const bodyOf = ({ method }: { method: string }) =>
    ({ POST: { email: 'more@austin.example' }, PATCH: { gets: 'late' } })[method]

  it.each(CLINIC_CALLS.map((call) => [nameOf(call), call] as const))(
    '%s needs a session of a clinic',
    async (_, call) => {
      const manager = await staffHeaders(database.db, (await createStaff(database.db)).id)
      for (const headers of [{}, { cookie: 'leadwell_clinic=forged' }, manager] as Record<string, string>[]) {
        const { status, body } = await send(call, own.leadId, headers)
        expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthorized' })
      }
      expect(await outcomes.list(database.db, own.leadId)).toEqual([])
    },
  )

  it('a session of a clinic opens nothing of the staff’s', async () => {
    const headers = await signIn()
    for (const call of CALLS.filter(({ access }) => access !== 'public' && access !== 'clinic')) {
      const { status } = await api.call(call.method, call.path.replace(/:\w+/g, String(own.leadId)), undefined, headers)
      expect({ call: nameOf(call), status }).toEqual({ call: nameOf(call), status: 401 })
    }
  })

  it.each(CLINIC_CALLS.map((call) => [nameOf(call), call] as const))(
    '%s shows nothing of another clinic',
    async (_, call) => {
      const headers = await signIn()
      const [person] = await database
        .db('clinic_people')
        .insert({ provider_id: other.id, email: 'second@boise.example', added_by: other.email })
        .returning('id')
      const secret = await database.db('leads').where({ id: other.leadId }).first('email', 'phone', 'last_name')
      for (const id of [other.leadId, Number(person?.id), other.id]) {
        if (id === own.leadId) continue
        const answer = await send(call, id, headers)
        if (call.path.includes(':id')) expect(answer.status).toBe(404)
        const text = JSON.stringify(answer.body)
        for (const value of [secret?.email, secret?.phone, other.email, 'second@boise.example'])
          expect(text).not.toContain(value)
      }
      expect(await outcomes.list(database.db, other.leadId)).toEqual([])
      expect(await database.db('clinic_people').where({ provider_id: other.id, removed_at: null })).toHaveLength(1)
    },
  )

  it('list the requests that the clinic has now, and log who saw them', async () => {
    const headers = await signIn()
    const fresh = await startedNow()
    await createLead(database.db, { providerId: own.id, heldReason: 'honeypot' })
    const { body } = await fresh.call('GET', '/api/clinic/requests', undefined, headers)
    const list = contract.ClinicRequests.parse(body)
    expect(list).toMatchObject({
      total: 1,
      open: 1,
      requests: [{ id: own.leadId, first_name: 'Jordan', outcome: null }],
    })
    expect(list.requests[0]).toMatchObject({ answer: { answered_at: null }, miles: 1.5, city: 'Austin', state: 'TX' })

    await fresh.writeReadings()
    const lines = await database.db('access_log').select('actor', 'row_ids', 'call')
    expect(lines).toEqual([{ actor: `clinic ${own.id}`, row_ids: [own.leadId], call: 'GET /api/clinic/requests' }])
    await database.db('leads').where({ id: own.leadId }).update({ provider_id: other.id })
    expect((await api.call('GET', '/api/clinic/requests', undefined, headers)).body.total).toBe(0)
  })

  it('list where a request is answered, and the answer decides under what it is listed', async () => {
    const headers = await signIn()
    const shown = async (show: string) =>
      (await api.call('GET', `/api/clinic/requests?show=${show}`, undefined, headers)).body.requests
    const [{ url }] = await shown('open')
    const answer = { answer: 'booked', booked_for: '2026-12-03', note: 'At nine.' }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.call('POST', url, new URLSearchParams(answer).toString(), type)).status).toBe(303)
    expect(await shown('open')).toEqual([])
    expect(await shown('reached')).toEqual([])
    expect(await shown('answered')).toMatchObject([{ outcome: 'booked', booked_for: '2026-12-03', note: 'At nine.' }])
    expect(await shown('booked')).toHaveLength(1)
    const { figures } = (await api.call('GET', '/api/clinic/settings', undefined, headers)).body
    expect(figures.months).toMatchObject([{ requests: 1, reached: 1, booked: 1, came: 0 }])
    expect(await outcomes.list(database.db, own.leadId)).toMatchObject([{ kind: 'booked', source: 'clinic' }])
  })

  it('export the requests, and the audit log has it', async () => {
    const headers = await signIn()
    const { body: text } = await api.call('GET', '/api/clinic/requests.csv', undefined, headers)
    const [head, first, end] = text.replace('\ufeff', '').split('\r\n')
    expect(head).toBe(
      'id,received_at,first_name,last_name,email,phone,zip_code,city,state,outcome,outcome_at,reason,booked_for,note',
    )
    expect(first).toContain(`${own.leadId},`)
    expect(end).toBe('')
    expect(await database.db('audit_log').where({ action: 'export' }).first('actor', 'entity_id', 'details')).toEqual({
      actor: 'clinic',
      entity_id: String(own.id),
      details: { by: own.email, rows: 1 },
    })
  })

  it('let people in and out: each signs in by a link, may get the requests, and the clinic’s own address stays', async () => {
    const headers = await signIn()
    const people = async (as = headers) => (await api.call('GET', '/api/clinic/settings', undefined, as)).body.people
    for (const email of ['nurse@austin.example', 'Nurse@austin.example', own.email]) {
      expect((await api.call('POST', '/api/clinic/people', { email }, headers)).status).toBe(200)
    }
    const [mine, added, ...rest] = await people()
    expect([mine, added, rest]).toMatchObject([
      { id: null, email: own.email, gets: 'requests' },
      { email: 'nurse@austin.example', added_by: own.email, confirmed_at: null, gets: null },
      [],
    ])
    expect(
      await database.db('jobs').where({ purpose: 'address_changed', subject_kind: 'provider', subject_id: own.id }),
    ).toHaveLength(1)
    const give = (gets: string | null, as = headers, id = added.id) =>
      api.call('PATCH', `/api/clinic/people/${id}`, { gets }, as)
    expect((await give('requests')).status).toBe(409)

    const nurse = await signIn('nurse@austin.example')
    expect((await api.call('GET', '/api/clinic/requests', undefined, nurse)).body.total).toBe(1)
    expect((await give('requests', await signIn(other.email, other.id))).status).toBe(404)
    expect((await give('requests')).status).toBe(200)
    expect(await people()).toMatchObject([{ gets: null }, { gets: 'requests', confirmed_at: expect.any(String) }])
    const listed = (await api.call('GET', '/api/providers', undefined, await staffHeaders(database.db))).body
    expect(listed.find(({ id }: { id: number }) => id === own.id)).toMatchObject({
      ...{ email: own.email, requestEmail: 'nurse@austin.example' },
    })

    await api.call('DELETE', `/api/clinic/people/${added.id}`, undefined, headers)
    expect((await api.call('GET', '/api/clinic/requests', undefined, nurse)).status).toBe(401)
    expect(await clinicLinks.request(database.db, 'nurse@austin.example')).toBe(0)
    expect(await people()).toMatchObject([{ email: own.email, gets: 'requests' }])
  })

  it('redirect requests only within an hour of a sign-in', async () => {
    const headers = await signIn()
    const id = await createClinicPerson(database.db, { provider_id: own.id, email: 'nurse@austin.example' })
    await database
      .db('providers')
      .where({ id: own.id })
      .update({ new_email: 'new@austin.example', new_email_at: new Date() })
    await database.db('clinic_sessions').update({ created_at: database.db.raw(`now() - interval '61 minutes'`) })
    const give = (gets: string | null, as = headers) => api.call('PATCH', `/api/clinic/people/${id}`, { gets }, as)
    const confirm = (email: string, as: typeof headers) => api.call('POST', '/api/clinic/email', { email }, as)
    for (const { status, body } of [await give('requests'), await confirm('new@austin.example', headers)]) {
      expect([status, body.error]).toEqual([403, expect.stringContaining('sign in again')])
    }
    expect((await give(null)).status).toBe(200)
    const fresh = await signIn()
    expect((await api.call('GET', '/api/clinic/settings', undefined, fresh)).body.new_email).toBe('new@austin.example')
    expect((await confirm('other@austin.example', fresh)).status).toBe(409)
    expect((await confirm('new@austin.example', fresh)).status).toBe(200)
    expect(await database.db('providers').where({ id: own.id }).first('email')).toEqual({ email: 'new@austin.example' })
    // The address before it is no longer the clinic's.
    expect((await give('requests', fresh)).status).toBe(401)
  })

  it('show neither the notes of others nor the contact of a person who asked for no contact', async () => {
    const headers = await signIn()
    const shown = async () => (await api.call('GET', '/api/clinic/requests', undefined, headers)).body.requests[0]
    const said = { kind: 'booked', source: 'staff', actor: 'ada@leadwell.example' } as const
    await recordOutcome(database.db, own.leadId, { ...said, note: 'The clinic is slow.' })
    expect(await shown()).toMatchObject({ outcome: 'booked', note: null, do_not_contact: false })

    await stopContactOfLead(database.db, own.leadId, { actor: 'staff' }, { key: PERSON_KEY, timeZone: 'UTC' })
    expect(await shown()).toMatchObject({ outcome: 'opted_out', email: '', phone: '', do_not_contact: true })
    const { body: file } = await api.call('GET', '/api/clinic/requests.csv', undefined, headers)
    const lead = await database.db('leads').where({ id: own.leadId }).first('email')
    expect(file).not.toContain(lead?.email)
  })

  it('give and change what the clinic decides itself, and no other rule', async () => {
    const headers = await signIn()
    const rules = { provider_id: own.id, updated_by: 'ada@leadwell.example', priority: -1 }
    await database.db('provider_rules').insert(rules)
    const change = { daily_cap: 5, priority: 1 }
    const { status, body } = await api.call('PATCH', '/api/clinic/settings', change, headers)
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['figures', 'new_email', 'people', 'rules', 'used'])
    expect(Object.keys(body.rules).toSorted()).toEqual([
      ...[
        'daily_cap',
        'hours',
        'is_paused',
        'monthly_cap',
        'paused_because',
        'paused_until',
        'time_zone',
        'weekly_cap',
      ],
    ])
    expect((await api.call('GET', '/api/clinic/settings', undefined, headers)).body).toEqual(body)
    const stored = await database.db('provider_rules').where({ provider_id: own.id }).first()
    expect(stored).toMatchObject({ daily_cap: 5, priority: -1 })
  })
})
