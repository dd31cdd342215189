import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { expiryOf, markOf } from '../../core/leads/rules/request-links.ts'
import { stopContactOfLead } from '../../core/privacy/stop-contact.ts'
import { startApiServer, useApi, useStaff } from '../support/api-server.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createClinicPerson, createProvider, jobsOf } from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'
import { clinicSession, createRequest, LINK_KEY, requestPath } from '../support/requests.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })
const staff = useStaff(database)
beforeAll(requireBuild)

/** Each test comes from an address of its own, because the limit lasts a minute. */
let address = ''
let tests = 0
beforeEach(() => {
  tests += 1
  address = `198.51.100.${tests}`
})

const open = (path: string, method = 'GET') =>
  api.call(method, path, undefined, { accept: 'text/html', 'x-forwarded-for': address })
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.call('POST', path, new URLSearchParams(fields).toString(), {
    ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    ...headers,
  })
const outcomesOf = (leadId: number) =>
  database
    .db('lead_outcomes')
    .where('lead_id', leadId)
    .orderBy('id')
    .select('kind', 'reason', 'booked_for', 'note', 'source', 'actor')
const kindsOf = async (leadId: number) => (await outcomesOf(leadId)).map(({ kind }) => kind)
/** The text of a page, without the elements and comments between its words. */
const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')

const PERSON = { first_name: 'Jordan', last_name: 'Avery', phone: '5125550117', email: 'jordan@visitors.example' }
const isSilentAbout = (body: string) => {
  for (const detail of ['Jordan', 'Avery', '0117', 'jordan@', '78702']) expect(body).not.toContain(detail)
}

describe('the page of a clinic for a request', () => {
  it('shows what the clinic needs to call', async () => {
    const { id, path } = await createRequest(database.db, { form: PERSON })
    const { status, body } = await open(path)
    expect(status).toBe(200)
    const words = wordsOf(body)
    for (const fact of [
      `Request no. ${id} for Lamar Men’s Health`,
      'Jordan Avery',
      'Asked for a consultation just now',
      'Call (512) 555-0117',
      'jordan@visitors.example',
      'Austin, TX 78702, about 2 miles from your clinic',
      'in these words: “',
    ]) {
      expect(words).toContain(fact)
    }
    expect(words).toMatch(/It is \d{1,2}:\d\d [AP]M in Austin\. Call between 8 AM and 8 PM there\./)
    expect(words).toMatch(/Received [^.]+ [AP]M CT/)
    expect(body).toContain('href="tel:+15125550117"')
    expect(body).toContain('href="mailto:jordan@visitors.example"')
  })

  it('keeps its address from caches, search engines and other sites', async () => {
    const { path } = await createRequest(database.db)
    for (const answer of [await open(path), await open(path, 'HEAD'), await send(path, {}), await open('/r/none')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('x-robots-tag')).toBe('noindex')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const { body } = await open(path)
    expect(body).toContain('<meta name="robots" content="noindex"/>')
    // No page and no script of it repeats the token.
    expect(body).not.toContain(path)
    expect(/<title>(.*?)<\/title>/.exec(body)?.[1]).not.toContain('Jordan')
  })

  it('records that it was opened, once, and nothing for a HEAD or before that', async () => {
    const { id, path } = await createRequest(database.db)
    await open(path, 'HEAD')
    expect(await kindsOf(id)).toEqual([])
    await open(`${path}?answer=booked`)
    await open(path)
    expect(await outcomesOf(id)).toMatchObject([{ kind: 'opened', source: 'clinic', actor: 'clinic' }])
    await send(path, { answer: 'reached' })
    await open(path)
    expect(await kindsOf(id)).toEqual(['opened', 'reached'])
  })

  it('is logged like the reading of staff, by the name of the clinic', async () => {
    const { id, path, providerId } = await createRequest(database.db)
    // A process of its own, which has not noted a lead of this number before.
    const other = await startApiServer(database.app)
    for (const method of ['HEAD', 'GET', 'GET']) await other.call(method, path)
    await other.close()
    const { body } = await api.call('GET', `/api/access-log?entity=lead&rowId=${id}`, undefined, staff)
    expect(body.lines).toMatchObject([
      { actor: `clinic ${providerId}`, actor_name: 'Lamar Men’s Health', call: 'GET /r/:token', row_ids: [id] },
    ])
  })
})

describe('an answer of the clinic', () => {
  it.each([
    [{ answer: 'reached' }, { kind: 'reached' }, 'choose “Booked”'],
    [{ answer: 'booked', booked_for: '2026-12-01' }, { kind: 'booked' }, 'Booked for Dec 1, 2026'],
    [{ answer: 'booked', booked_for: '' }, { kind: 'booked', booked_for: null }, 'say here whether they came'],
    [{ answer: 'attended' }, { kind: 'attended' }, 'Nothing else is needed'],
    [{ answer: 'no_answer', note: ' Voicemail. ' }, { kind: 'no_answer', note: 'Voicemail.' }, 'Please try again'],
    [{ answer: 'wrong_number' }, { kind: 'wrong_number' }, 'We are asking the person by email for the right number'],
    [{ answer: 'declined', reason: 'no_capacity' }, { kind: 'declined', reason: 'no_capacity' }, 'You need not call'],
    // A browser without JavaScript also sends the fields of the other answers.
    [{ answer: 'reached', reason: 'price', booked_for: '2026-12-01' }, { reason: null, booked_for: null }, 'Thank you'],
  ])('%j is recorded, and the page says what happens now', async (fields, recorded, words) => {
    const { id, path } = await createRequest(database.db)
    const { status, headers } = await send(`${path}?answer=stop`, fields as Record<string, string>)
    expect([status, headers.get('location')]).toEqual([303, path])
    expect(await outcomesOf(id)).toMatchObject([{ ...recorded, source: 'clinic', actor: 'clinic' }])
    const page = wordsOf((await open(path)).body)
    expect(page).toContain(words)
    expect(page).toContain('Call (512) 555-')
  })

  it('can be changed, and every one is kept and shown', async () => {
    const { id, path } = await createRequest(database.db)
    await send(path, { answer: 'no_answer', note: 'Voicemail.' })
    await send(path, { answer: 'booked', booked_for: '2026-12-01' })
    await send(path, { answer: 'booked', booked_for: '2026-12-03' })
    expect(await kindsOf(id)).toEqual(['no_answer', 'booked', 'booked'])
    const words = wordsOf((await open(path)).body)
    expect(words).toContain('After the appointment Your answer They came They did not come New day')
    expect(words.indexOf('Booked for Dec 3')).toBeLessThan(words.indexOf('Booked for Dec 1'))
    expect(words).toContain('Voicemail.')
  })

  it.each([
    [{}, 'Choose an answer'],
    [{ answer: 'opened' }, 'Choose an answer'],
    [{ answer: 'declined', reason: '' }, 'Choose a reason'],
    [{ answer: 'booked', booked_for: 'tomorrow' }, 'Choose a day'],
    [{ answer: 'reached', note: 'x'.repeat(501) }, 'A note must be 500 characters or fewer'],
  ])('%j is refused with a sentence, and what was typed stays', async (fields, message) => {
    const { id, path } = await createRequest(database.db)
    const { status, body } = await send(path, fields as Record<string, string>)
    expect(status).toBe(422)
    expect(body).toContain(message)
    expect(body).toContain('Your answer was not saved')
    if ('note' in fields) expect(body).toContain(`${fields.note}</textarea>`)
    expect(await kindsOf(id)).toEqual([])
  })
})

it('the chosen answer stands first, and the deadline under the name is that of the clinic’s zone', async () => {
  const { id, path } = await createRequest(database.db, { form: PERSON })
  await database.db('answer_clocks').where('lead_id', id).update({ due_at: '2099-11-30T23:00:00Z' })
  const words = wordsOf((await open(`${path}?answer=declined`)).body)
  expect(words).toMatch(/Jordan Avery Asked for a consultation [^.]+\. Please answer by Mon, Nov 30, 5:00 PM CT\./)
  expect(words).toMatch(/You say Your answer Cannot help Reason .* Send the answer Something else, or a note/)
  await database.db('answer_clocks').where('lead_id', id).update({ due_at: '2026-01-05T23:00:00Z' })
  expect(wordsOf((await open(path)).body)).toContain('Late since Mon, Jan 5, 5:00 PM CT.')
})

it('gives the day of a booking as a calendar file, with neither the whole name nor a treatment', async () => {
  const { id, path } = await createRequest(database.db, { form: PERSON })
  expect((await open(`${path}?calendar=1`)).headers.get('content-type')).toContain('text/html')
  await send(path, { answer: 'booked', booked_for: '2026-12-01' })
  expect((await open(path)).body).toContain('href="?calendar=1"')
  const { headers, body } = await open(`${path}?calendar=1`)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(headers.get('content-disposition')).toBe(`attachment; filename="appointment-${id}.ics"`)
  expect(body).toContain(`SUMMARY:Appointment: Jordan A. (request no. ${id})\r\n`)
  expect(body).not.toMatch(/Avery|0117|jordan@|\/r\//)
})

it('after an answer leads to the next request: at once for a signed-in clinic, and by a sign-in with a forwarded link', async () => {
  const { path, providerId } = await createRequest(database.db, { form: PERSON })
  const others = [1, 2].map(() => createRequest(database.db, { providerId, form: { first_name: 'Hidden' } }))
  await Promise.all(others)
  expect((await open(path)).body).not.toContain('wait: next')
  await send(path, { answer: 'reached' })
  const next = async (headers = {}) => {
    const { body } = await api.call('GET', path, undefined, { 'x-forwarded-for': address, ...headers })
    expect(body).not.toContain('Hidden')
    expect(wordsOf(body)).toContain('2 more wait: next')
    return /href="([^"]+)"[^>]*>2/.exec(body)?.[1] ?? ''
  }
  expect(await next()).toBe('/clinic?tab=requests')
  expect(await next(await clinicSession(database.db, (await createProvider(database.db)).id))).toBe(
    '/clinic?tab=requests',
  )
  const url = await next(await clinicSession(database.db, providerId))
  expect(url).toMatch(/^\/r\/[\w.-]+$/)
  expect(wordsOf((await open(url)).body)).toContain('Hidden')
})

it('“Wrong number” stops no contact, ends the clock, and asks the visitor once for each number', async () => {
  const { id, path } = await createRequest(database.db, { form: PERSON })
  for (const answer of ['wrong_number', 'reached', 'wrong_number']) await send(path, { answer })
  expect(await kindsOf(id)).toEqual(['wrong_number', 'reached', 'wrong_number'])
  expect(await database.db('suppressions')).toEqual([])
  expect(await database.db('answer_clocks').where('lead_id', id).first()).toMatchObject({
    ...{ answered_at: expect.any(Date), step_at: null },
  })
  const jobs = await jobsOf(database.db, id, { state: 'waiting' }).orderBy('name')
  expect(jobs.map(({ purpose }) => purpose)).toEqual(['wrong_number', 'outcome'])
  expect((await open(path)).status).toBe(200)
})

describe('“Wrong person” and “They do not want to be contacted”', () => {
  const suppressed = () => database.db('suppressions').whereNull('lifted_at').orderBy('id')

  it('says what it does and asks once more before anything happens', async () => {
    const { id, path } = await createRequest(database.db, { form: PERSON })
    const { status, body } = await send(path, { answer: 'stop', note: 'He <said> so.' })
    expect(status).toBe(200)
    expect(wordsOf(body)).toContain('We stop all emails to this person')
    const other = await send(path, { answer: 'wrong_person' })
    expect(wordsOf(other.body)).toContain('We ask every clinic and system that has this number to stop')
    expect(body).toContain('value="He &lt;said&gt; so."')
    expect(await kindsOf(id)).toEqual([])
    expect(await suppressed()).toEqual([])
  })

  it('stops contact by everybody, tells the CRM once, and needs no further confirmation of this clinic', async () => {
    const { id, path, providerId } = await createRequest(database.db, { form: PERSON })
    const other = await createRequest(database.db, { form: { ...PERSON, zip_code: '78701' } })
    const stop = { answer: 'stop', confirmed: 'yes', note: 'At work.' }
    expect((await send(path, stop)).status).toBe(303)

    const said = { kind: 'opted_out', reason: 'asked_to_stop', source: 'clinic', actor: 'clinic' }
    expect(await outcomesOf(id)).toMatchObject([{ ...said, note: 'At work.' }])
    expect(await outcomesOf(other.id)).toMatchObject([{ ...said, note: null }])
    expect(await suppressed()).toMatchObject([
      { kind: 'email', reason: 'clinic', lead_id: id },
      { kind: 'phone', reason: 'clinic', lead_id: id },
    ])
    const jobs = await database.db('jobs').where({ state: 'waiting' }).orderBy(['subject_id', 'name'])
    expect(jobs.map(({ subject_id, name, purpose }) => [subject_id, name, purpose])).toEqual([
      [id, 'sync-crm', 'opted_out'],
      [other.id, 'send-email', 'opted_out'],
      [other.id, 'sync-crm', 'opted_out'],
    ])
    const asked = await database.db('opt_outs').orderBy('lead_id')
    expect(asked).toMatchObject([
      { lead_id: id, provider_id: providerId, confirmed_by: 'clinic' },
      { lead_id: other.id, provider_id: other.providerId, confirmed_by: null },
    ])

    for (const ended of [path, other.path]) {
      const page = await open(ended)
      expect(page.status).toBe(410)
      expect(page.body).toContain('has asked not to be contacted')
      isSilentAbout(page.body)
    }
  })

  it('of another person stops the phone number alone, so that a form with the right one is not held', async () => {
    const { id, path } = await createRequest(database.db, { form: PERSON })
    const sameNumber = await createRequest(database.db, { form: { phone: PERSON.phone } })
    const sameMailbox = await createRequest(database.db, { form: { email: PERSON.email, phone: '5125550118' } })
    await send(path, { answer: 'wrong_person', confirmed: 'yes', note: 'Another man.' })

    const said = { kind: 'opted_out', reason: 'wrong_person', source: 'clinic' }
    expect(await outcomesOf(id)).toMatchObject([{ ...said, note: 'Another man.' }])
    expect(await outcomesOf(sameNumber.id)).toMatchObject([{ ...said, note: null }])
    expect(await outcomesOf(sameMailbox.id)).toEqual([])
    expect(await suppressed()).toMatchObject([{ kind: 'phone', reason: 'clinic', lead_id: id }])
    const page = await open(path)
    expect(page.status).toBe(410)
    expect(page.body).toContain('Please do not call this number')
    expect(page.body).not.toContain('has asked not to be contacted')
    isSilentAbout(page.body)
    expect((await open(sameMailbox.path)).status).toBe(200)
    const { body } = await api.call('GET', `/api/leads/${id}`, undefined, staff)
    expect(body.opt_out.since.kind).toBe('phone')
  })
})

/** Checks that a link shows and records nothing, but says why. */
const ended = async (path: string, status: number, words: string) => {
  for (const answer of [await open(path), await send(path, { answer: 'reached' })]) {
    expect(answer.status).toBe(status)
    expect(wordsOf(answer.body)).toContain(words)
    isSilentAbout(answer.body)
  }
}

describe('a link that shows no request', () => {
  it.each([
    ['no token', () => '/r/x'],
    ['another character', (path: string) => path.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))],
    ['half a token', (path: string) => path.slice(0, 25)],
  ])('is invalid, with the same page for each: %s', async (_, altered) => {
    const { id, path } = await createRequest(database.db, { form: PERSON })
    await ended(altered(path), 404, 'This link is not complete')
    expect((await open(altered(path))).body).toBe((await open('/r/none')).body)
    expect(await kindsOf(id)).toEqual([])
  })

  it('belongs to a clinic whose request was passed on, also while it is on its page', async () => {
    const { id, path } = await createRequest(database.db, { form: PERSON })
    const { id: next } = await createProvider(database.db)
    await assignProvider(database.db, id, next, { actor: 'staff' })
    await ended(path, 410, 'This request was passed to another clinic. Please do not call.')
    expect((await open(await requestPath(database.db, id))).status).toBe(200)
    expect(await kindsOf(id)).toEqual(['opened'])
  })

  type Request = Awaited<ReturnType<typeof createRequest>>
  const change =
    (columns: object) =>
    ({ id }: Request) =>
      database.db('leads').where({ id }).update(columns)
  const UNMATCHED = { provider_id: null, matched_at: null, match_kind: null, match_distance_miles: null }
  const EXPIRED = { expiresOn: expiryOf(new Date(Date.now() - 61 * DAY).toISOString()) }
  const STAFF = { actor: 'staff' }
  const stop = { key: PERSON_KEY, timeZone: 'UTC' }

  it.each<[what: string, status: number, words: string, act: (request: Request) => Promise<unknown>]>([
    ['is that of a visitor', 404, 'is not complete', ({ id }) => requestPath(database.db, id, { of: 'visitor' })],
    ['has expired', 410, 'This link is too old', ({ id }) => requestPath(database.db, id, EXPIRED)],
    ['is of a request that came again', 410, 'There is a newer email', change({ matched_at: '2026-01-01T00:00:00Z' })],
    ['is of a request that the clinic lost', 410, 'This request was taken back', change(UNMATCHED)],
    ['is of a deleted request', 410, 'This request was deleted', ({ id }) => deleteLead(database.db, id, STAFF)],
    ['is of a held request', 404, 'We are checking this request', change({ held_reason: 'honeypot' })],
    [
      ...(['is of a person who asked not to be contacted', 410, 'This person has asked not to be contacted'] as const),
      ({ id }) => stopContactOfLead(database.db, id, STAFF, stop),
    ],
  ])('%s', async (_, status, words, act) => {
    const request = await createRequest(database.db, { form: PERSON })
    const path = await act(request)
    await ended(typeof path === 'string' ? path : request.path, status, words)
  })
})

const THIEF = 'thief@elsewhere.example'
const mailedTo = (to: string) => ({ recipient: markOf(LINK_KEY, to) })

it('the address to which a link was mailed must be one that the clinic uses', async () => {
  const { id, providerId, path } = await createRequest(database.db, { form: PERSON })
  const leave = () =>
    database.db('clinic_people').update({ gets: null, removed_at: database.db.fn.now(), removed_by: 'owner' })
  await createClinicPerson(database.db, { provider_id: providerId, email: THIEF, gets: 'requests' })
  const stolen = await requestPath(database.db, id, mailedTo(THIEF))
  expect((await open(stolen)).status).toBe(200)
  await leave()
  await ended(stolen, 410, 'This link belongs to another address')
  expect(await kindsOf(id)).toEqual(['opened'])
  expect((await open(path)).status).toBe(200)

  await createClinicPerson(database.db, { provider_id: providerId, email: 'Nurse@quill.example' })
  const nurse = await requestPath(database.db, id, mailedTo('nurse@quill.example'))
  expect((await open(nurse)).status).toBe(200)
  await leave()
  await ended(nurse, 410, 'This link belongs to another address')
  await database.db('providers').where('id', providerId).update({ email: 'new@quill.example' })
  await ended(path, 410, 'This link belongs to another address')
})
