import { beforeAll, describe, expect, it } from 'vitest'
import { eraseLead } from '../../core/leads/change-lead.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { only } from '../../core/platform/db.ts'
import { optOutLink, personHashes } from '../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { changeLeads } from '../support/bulk.ts'
import { emptyDatabase } from '../support/database.ts'
import { PERSON_KEY, testEnv } from '../support/env.ts'
import {
  applicationForm,
  createLead,
  createProvider,
  deliverAll,
  idOf,
  jobsOf,
  leadForm,
  signedInStaff,
  staffHeaders,
} from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'

const { api, database } = useApi()
const staff = useStaff(database)
const REASON = { because: 'The person asked for it on the phone' }

const post = (path: string, body?: unknown, headers: Record<string, string> = staff) =>
  api.call('POST', path, body, headers)

const get = async (path: string) => (await api.call('GET', path, undefined, staff)).body
const active = () => database.db('suppressions').whereNull('lifted_at').orderBy('id')
const optOutOf = async (id: number) => (await get(`/api/leads/${id}`)).opt_out
const purposesOf = (leadId: number) => jobsOf(database.db, leadId).orderBy('purpose').pluck('purpose')

async function deliveredLead() {
  const form = leadForm()
  const id = await createLead(database.db, { form, providerId: (await createProvider(database.db)).id })
  await deliverAll(database.db, id)
  return { id, form }
}

describe('staff stop contact with the person of a lead', () => {
  it('and see since when, who noted it, and by when the clinic confirms', async () => {
    const { id } = await deliveredLead()
    expect(await optOutOf(id)).toEqual({ since: null, clinics: [] })
    const { headers: agent } = await signedInStaff(database.db, { role: 'agent' })
    expect(await post('/api/opt-outs', { lead_id: id }, agent)).toMatchObject({
      status: 200,
      body: { success: true },
    })

    const { since, clinics } = await optOutOf(id)
    expect(since).toMatchObject({ reason: 'staff', lead_id: id, actor: expect.stringContaining('@'), lifted_at: null })
    expect(clinics).toMatchObject([{ lead_id: id, confirmed_at: null }])
    expect(Date.parse(clinics[0].due_at)).toBeGreaterThan(Date.now())
    const acts = (await get(`/api/leads/${id}/jobs`)).acts.map(({ action }: { action: string }) => action)
    expect(acts).toEqual(['opt-out'])
  })

  it('and see it wherever they could call from: in the list, in the lead, and in an export', async () => {
    const { id, form } = await deliveredLead()
    const other = await deliveredLead()
    await post('/api/opt-outs', { lead_id: id })
    const { leads } = await get('/api/leads')
    expect(leads.map((lead: { id: number; do_not_contact?: true }) => [lead.id, lead.do_not_contact])).toEqual([
      [other.id, undefined],
      [id, true],
    ])
    expect(await get(`/api/leads/${id}`)).toMatchObject({ do_not_contact: true })
    expect(await get(`/api/leads/${other.id}`)).not.toHaveProperty('do_not_contact')
    const csv: string = await get('/api/leads.csv')
    const marks = csv.split('\r\n').filter((line) => line.includes('@visitors.example'))
    expect(marks.map((line) => [line.includes(form.email), line.endsWith(',true')])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('and allow it again, with a reason, which leaves a trace', async () => {
    const { id } = await deliveredLead()
    await post('/api/opt-outs', { lead_id: id })
    expect((await post('/api/opt-outs/lift', { lead_id: id })).status).toBe(422)
    expect((await post('/api/opt-outs/lift', { lead_id: id, ...REASON })).status).toBe(200)
    expect(await optOutOf(id)).toEqual({ since: null, clinics: [] })
    const { recent } = await get('/api/opt-outs')
    expect(recent).toMatchObject([{ lifted_because: REASON.because }, { lifted_because: REASON.because }])
    expect((await post('/api/opt-outs/lift', { lead_id: id, ...REASON })).status).toBe(409)
  })
})

it('a STOP that staff enter is kept also where there is no lead, without the address', async () => {
  const email = 'unknown.person@visitors.example'
  expect((await post('/api/opt-outs', { email, phone: '' })).body).toEqual({ success: true, leads: 0 })
  expect((await get('/api/opt-outs')).recent).toMatchObject([
    { kind: 'email', reason: 'stop', lead_id: null, actor: 'staff' },
  ])
  const kept = JSON.stringify([await active(), await database.db('audit_log').select()])
  expect(kept).not.toContain('unknown.person')

  const { id } = only(await active())
  expect((await post('/api/opt-outs/lift', { suppression_id: id, ...REASON })).status).toBe(200)
  expect((await post('/api/opt-outs/lift', { suppression_id: id, ...REASON })).status).toBe(409)
  expect(await active()).toEqual([])
})

describe('a new form of a person who asked not to be contacted', () => {
  const held = async (form: object) => idOf(database.db, (await api.call('POST', '/api/leads', form)).body)

  it.each(['email', 'phone'] as const)(
    'is stored with its consent and held, and its sender is told what everybody is told: by the %s',
    async (known) => {
      const contact = { [known]: leadForm()[known] }
      const { id: providerId } = await createProvider(database.db)
      await post('/api/opt-outs', contact)
      const { status, body } = await api.call('POST', '/api/leads', leadForm(contact))
      expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(Number), providerId } })
      const id = await idOf(database.db, body)
      expect(await database.db('leads').where({ id }).first()).toMatchObject({ held_reason: 'do_not_contact' })
      expect(await database.db('consents').where({ lead_id: id })).toHaveLength(1)
      // The owner of a mailbox that is not on the list may have typed the number of somebody else.
      expect(await purposesOf(id)).toEqual(known === 'email' ? ['team'] : ['team', 'visitor'])
    },
  )

  it('is delivered once staff release it, which takes the person off the list', async () => {
    const { id: before, form } = await deliveredLead()
    await post('/api/opt-outs', { lead_id: before })
    const id = await held({ ...form, zip_code: '78701' })
    expect((await post(`/api/leads/${id}/release`)).status).toBe(200)

    expect(await active()).toEqual([])
    expect((await database.db('suppressions').first())?.lifted_because).toBe('The new request was released.')
    expect(await purposesOf(id)).toEqual(expect.arrayContaining(['provider', 'visitor', 'created']))
    expect((await optOutOf(before)).clinics).toEqual([])
  })

  it('is not released with others, nor by a match: staff must have said that they allow contact', async () => {
    const { phone } = leadForm()
    const { id: providerId } = await createProvider(database.db)
    await post('/api/opt-outs', { phone })
    const id = await held(leadForm({ phone }))
    expect((await api.call('PATCH', `/api/leads/${id}/provider`, { providerId }, staff)).status).toBe(409)
    const { failures } = await changeLeads({ api, database }, { action: 'release', ids: [id] }, staff)
    expect(failures[0]?.error).toContain('asked not to be contacted')
    expect(await active()).toHaveLength(1)
    expect(await purposesOf(id)).toEqual(['team', 'visitor'])
  })

  it('is held as an application as well, until it is released', async () => {
    const form = applicationForm()
    await post('/api/opt-outs', { email: form.email })
    const { body } = await api.call('POST', '/api/provider-applications', form)
    const id = await idOf(database.db, body, 'provider_applications')
    expect(await database.db('provider_applications').first()).toMatchObject({ held_reason: 'do_not_contact' })
    expect(await database.db('jobs').pluck('purpose')).toEqual(['team'])

    expect((await post(`/api/provider-applications/${id}/release`)).status).toBe(200)
    expect(await active()).toEqual([])
    expect(await database.db('jobs').where({ purpose: 'applicant' })).toHaveLength(1)
  })
})

const SPELLINGS = [
  ...['(512) 555-0142', '512-555-0142 ext. 12', '512.555.0142 x7', '001 512 555 0142', '+1 512 555 0142'],
  ...['(305) 555-0188 / (512) 555-0142', '５１２－５５５－０１４２', '٥١٢٥٥٥٠١٤٢'],
]

it('a STOP for a number reaches the leads with that number, however each of them is written', async () => {
  for (const typed of SPELLINGS.filter((_, n) => n % 3 === 0)) {
    const ids = await Promise.all(SPELLINGS.map((phone) => createLead(database.db, { form: { phone } })))
    const other = await createLead(database.db, { form: { phone: '(512) 555-0143 ext. 12' } })
    expect((await post('/api/opt-outs', { phone: typed })).body, typed).toMatchObject({ leads: ids.length })
    const { leads } = await get('/api/leads?limit=100')
    const stopped = leads.filter((lead: { do_not_contact?: true }) => lead.do_not_contact)
    expect(stopped.map(({ id }: { id: number }) => id).toSorted(), typed).toEqual(ids.toSorted())
    expect(stopped).not.toContainEqual(expect.objectContaining({ id: other }))
    await emptyDatabase(database.db)
    Object.assign(staff, await staffHeaders(database.db))
  }
})

beforeAll(requireBuild)

const { DATA_KEY } = testEnv()
const LINK_KEY = deriveKey(DATA_KEY, 'opt-out-link')
const suppressed = () => database.db('suppressions').whereNull('lifted_at').orderBy('id')

/** A lead whose clinic and visitor were told, with the address of the link in the visitor's email. */
async function notifiedLead() {
  const form = leadForm()
  const id = await createLead(database.db, { form, providerId: (await createProvider(database.db)).id })
  await deliverAll(database.db, id)
  const hashes = personHashes(PERSON_KEY, form)
  return { id, form, path: `/do-not-contact?t=${optOutLink.sign(LINK_KEY, { of: 'person', leadId: id, hashes })}` }
}

const open = (path: string) => api.call('GET', path, undefined, { accept: 'text/html' })

const press = (path: string, headers: Record<string, string> = {}, body?: string) =>
  api.call('POST', path, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })

describe('the link in an email to a visitor', () => {
  it('asks, and changes nothing when a program that scans mail opens it', async () => {
    const { path } = await notifiedLead()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers, body } = await api.call(method, path)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      if (method === 'GET') expect(body).toContain('Stop all contact?')
    }
    expect(await suppressed()).toEqual([])
  })

  // Source: RFC 8058, sections 3.2 and 8.2, in both forms that mail programs use.
  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('stops contact by one POST of a mail program, without a cookie and from anywhere: %s', async (type, body) => {
    const { id, path } = await notifiedLead()
    const foreign = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site', 'content-type': type }
    const answer = await press(path, foreign, body)

    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.body).toContain('We have stopped')
    expect(await suppressed()).toMatchObject([{ kind: 'email', reason: 'link', lead_id: id, actor: 'visitor' }])
    const jobs = await jobsOf(database.db, id, { purpose: 'opted_out' }).orderBy('name').pluck('name')
    expect(jobs).toEqual(['send-email', 'sync-crm'])
    expect(await database.db('audit_log').first()).toMatchObject({ actor: 'visitor', action: 'opt-out' })
  })

  it('stops contact by the button of its page, and says at the second time that it was done', async () => {
    const { path } = await notifiedLead()
    expect((await press(path)).body).toContain('We have stopped')
    expect((await press(path)).body).toContain('This is already done')
    expect((await open(path)).body).toContain('This is already done')
    expect(await suppressed()).toHaveLength(1)
    expect(await database.db('audit_log').where({ action: 'opt-out' })).toHaveLength(1)
  })

  it('stops nothing for the phone number of the form, which may be somebody else’s', async () => {
    const victim = await notifiedLead()
    const { phone } = victim.form
    const mailbox = leadForm({ phone })
    const id = await createLead(database.db, { form: mailbox })
    const hashes = personHashes(PERSON_KEY, mailbox)
    const token = optOutLink.sign(LINK_KEY, { of: 'person', leadId: id, hashes })
    expect((await press(`/do-not-contact?t=${token}`)).body).toContain('We have stopped')

    expect(await suppressed()).toMatchObject([{ kind: 'email', lead_id: id }])
    expect(await database.db('leads').where('id', victim.id).first()).toMatchObject({ outcome: null })
    expect(await jobsOf(database.db, victim.id, { purpose: 'opted_out' })).toEqual([])
    await api.call('POST', '/api/leads', { ...victim.form, last_name: 'Again' })
    expect(await database.db('leads').orderBy('id', 'desc').first()).toMatchObject({ held_reason: null })
  })

  it('works after the lead is deleted, and after it is permanently deleted', async () => {
    const [deleted, purged] = [await notifiedLead(), await notifiedLead()]
    for (const { id } of [deleted, purged]) await database.db.transaction((trx) => leadChanges.setAside(trx, id))
    const erasing = { reason: 'request', personKey: PERSON_KEY, requestId: 1 } as const
    await database.db('erasure_requests').insert({ actor: 'staff' })
    await database.db.transaction((trx) => eraseLead(trx, purged.id, erasing))

    for (const { path } of [deleted, purged]) expect((await press(path)).body).toContain('We have stopped')
    expect(await suppressed()).toHaveLength(2)
    await api.call('POST', '/api/leads', { ...purged.form, zip_code: '10001' })
    expect(await database.db('leads').pluck('held_reason')).toEqual(['do_not_contact'])
  })

  it.each([
    ['another character', (path: string) => path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['another lead', (path: string) => path.replace(/person\.\d+/, 'person.999')],
    ['a clinic’s token', () => `/do-not-contact?t=${optOutLink.sign(LINK_KEY, { of: 'clinic', optOutId: 1 })}`],
    ['no token', () => '/do-not-contact'],
    ['two tokens', (path: string) => `/do-not-contact?t=x&${path.split('?')[1]}`],
  ])('does nothing with %s', async (_, altered) => {
    const { path } = await notifiedLead()
    for (const answer of [await open(altered(path)), await press(altered(path))]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toContain('This link is not complete')
    }
    expect(await suppressed()).toEqual([])
  })
})

describe('the link in the email to a clinic', () => {
  async function askedClinic() {
    const { id, path } = await notifiedLead()
    await press(path)
    const [asked] = await suppressions.find(database.db, { lead_id: id })
    const token = optOutLink.sign(LINK_KEY, { of: 'clinic', optOutId: Number(asked?.id) })
    return { id, path: `/do-not-contact/clinic?t=${token}` }
  }
  const confirmed = async (lead_id: number) => (await suppressions.find(database.db, { lead_id }))[0]?.confirmed_by

  it('asks, confirms by the button, and says afterwards that it was confirmed', async () => {
    const { id, path } = await askedClinic()
    const page = await open(path)
    expect(page.body).toContain('Has contact stopped?')
    expect(page.body).toMatch(new RegExp(`Request no\\. (<!-- -->)?${id}<`))
    expect(await confirmed(id)).toBeNull()

    expect((await press(path)).body).toContain('Your confirmation is recorded')
    expect(await confirmed(id)).toBe('clinic')
    expect((await press(path)).body).toContain('This is already confirmed')
    expect(await database.db('audit_log').where({ action: 'confirm-opt-out', actor: 'clinic' })).toHaveLength(1)
  })

  it('is of no use once the person may be contacted again, nor in place of a visitor’s', async () => {
    const { id, path } = await askedClinic()
    expect((await press(path.replace('/clinic', ''))).status).toBe(404)
    await database.db('opt_outs').where({ lead_id: id }).update({ withdrawn_at: database.db.fn.now() })
    expect((await press(path)).body).toContain('There is nothing to confirm')
  })
})

// The last one: the limit lasts a minute.
it('a flood from one address is stopped', async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => press('/do-not-contact')))
  expect(answers.map(({ status }) => status)).toContain(429)
})
