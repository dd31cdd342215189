import { beforeAll, describe, expect, it } from 'vitest'
import { eraseLead } from '../../core/leads/change-lead.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { optOutLink, personHashes } from '../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { useApi } from '../support/api-server.ts'
import { PERSON_KEY, testEnv } from '../support/env.ts'
import { createLead, createProvider, deliverAll, jobsOf, leadForm } from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'

const { api, database } = useApi()
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
