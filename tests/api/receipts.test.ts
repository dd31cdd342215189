import { beforeEach, describe, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { allowContactAt } from '../../core/privacy/stop-contact.ts'
import { useApi } from '../support/api-server.ts'
import { applicationForm, createProvider, jobsOf, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi({ VISITOR_LEADS_PER_HOUR: '3', TRUST_PROXY_HOPS: '1' })

let austin: number
const send = (form: object, headers: Record<string, string> = {}, path = '/api/leads') =>
  api.call('POST', path, form, headers)
const jobsOfLast = async () => {
  const id = Math.max(...(await database.db('leads').pluck('id')))
  return jobsOf(database.db, id).orderBy('purpose').pluck('purpose')
}

async function sendPlain(form: NewLead) {
  const fields = Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const body = new URLSearchParams(fields).toString()
  const { status, headers } = await api.call('POST', '/api/leads', body, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  return { status, location: headers.get('location') }
}

async function suppress(contact: { email?: string; phone?: string }) {
  const { status } = await api.call('POST', '/api/opt-outs', contact, await staffHeaders(database.db))
  expect(status).toBe(200)
}

beforeEach(async () => {
  austin = (await createProvider(database.db)).id
  await createProvider(database.db, { zip_code: '10001' })
})

/** People of whom something is known, by the details that a stranger types. */
const KNOWN: [name: string, prepare: (person: NewLead) => Promise<unknown>][] = [
  ['nobody', async () => {}],
  ['somebody who asked elsewhere', (person) => send({ ...person, zip_code: '10001' })],
  [
    'somebody whom the clinic declined',
    async (person) => {
      await send(person)
      const id = Math.max(...(await database.db('leads').pluck('id')))
      const declined = { kind: 'declined', reason: 'no_capacity', source: 'clinic', actor: 'clinic' } as const
      await recordOutcome(database.db, id, declined)
    },
  ],
  ['somebody on the list', ({ email, phone }) => suppress({ email, phone })],
]

describe.each(KNOWN)('the answer to a form that names %s', (_, prepare) => {
  const forms: [typed: string, form: (person: NewLead) => NewLead][] = [
    ['all details', (person) => ({ ...person, acceptance_message: 'Another text.', consent_version: undefined })],
    ['the email address', ({ email }) => leadForm({ email, zip_code: '78701' })],
    [
      'name and phone number',
      ({ first_name, last_name, phone }) => leadForm({ first_name, last_name, phone, zip_code: '78701' }),
    ],
  ]

  it.each(forms)('is the same as for anybody: %s', async (_typed, form) => {
    const person = leadForm({ zip_code: '78701', phone: '(512) 555-0142' })
    await prepare(person)
    expect(await send(form(person))).toMatchObject({
      status: 201,
      body: { id: expect.any(Number), providerId: austin },
    })
    expect(Object.keys((await send(form({ ...person, last_name: 'Other' }))).body)).toEqual(['id', 'providerId'])
  })

  it.each(forms)('is the same page without JavaScript: %s', async (_typed, form) => {
    const person = leadForm({ zip_code: '78701', phone: '(512) 555-0142' })
    await prepare(person)
    expect(await sendPlain(form(person))).toEqual({ status: 303, location: `/success?providerId=${austin}` })
  })

  it('to the sender of a phone number of somebody else, the email is the usual one', async () => {
    const { phone } = leadForm({ phone: '(512) 555-0142' })
    await prepare(leadForm({ phone, zip_code: '78701' }))
    await send(leadForm({ phone, zip_code: '78701' }))
    expect(await jobsOfLast()).toContain('visitor')
    expect((await database.db('leads').orderBy('id', 'desc').first())?.match_kind).toBe('nearest')
  })
})

describe('a person on the list', () => {
  it('reaches the cap of a mailbox like anybody', async () => {
    const answers: Record<string, object[]> = {}
    for (const email of ['listed@visitors.example', 'nobody@visitors.example']) {
      if (email.startsWith('listed')) await suppress({ email })
      const forms = [...Array(5).keys()].map((n) => leadForm({ email, first_name: `${'ABCDE'[n]}nn` }))
      answers[email] = []
      // The last one is one of the first again.
      for (const form of [...forms, forms[0], { ...forms[1], topic: 'x' }, forms[1]]) {
        const { id, ...told } = (await send(form as object)).body
        answers[email].push(told)
      }
    }
    const [listed, other] = Object.values(answers)
    expect(listed).toEqual(other)
    expect(listed?.slice(2, 4)).toEqual([{ providerId: austin }, { inReview: true }])
  })

  it('gets the same receipt with the same idempotency key, and as an applicant the usual email', async () => {
    const { phone } = leadForm({ phone: '(512) 555-0142' })
    await suppress({ phone })
    const form = leadForm({ phone })
    const first = await send(form, { 'idempotency-key': 'k-1' })
    expect((await send(form, { 'idempotency-key': 'k-1' })).body).toEqual(first.body)
    expect((await send({ ...form, last_name: 'Other' }, { 'idempotency-key': 'k-1' })).status).toBe(422)

    await send(applicationForm({ phone }), {}, '/api/provider-applications')
    const jobs = database.db('jobs').where('subject_kind', 'application').orderBy('purpose').pluck('purpose')
    expect(await jobs).toEqual(['applicant', 'team'])
    expect((await database.db('provider_applications').first())?.held_reason).toBe('do_not_contact')
  })

  it.each([
    ['lead', '/api/leads', leadForm],
    ['application', '/api/provider-applications', applicationForm],
  ] as const)('is not found by a second %s with the same idempotency key', async (_, path, form) => {
    await suppress({ phone: '(512) 555-0142' })
    const key = (name: string) => ({ 'idempotency-key': name })
    for (const phone of ['(512) 555-0142', '(512) 555-0177']) {
      const first = form({ email: `spy${phone.slice(-4)}@visitors.example`, phone: '(512) 555-0199' })
      expect((await send(first, key(phone.slice(-4)), path)).status).toBe(201)
      expect((await send({ ...first, phone }, key(phone.slice(-4)), path)).status, phone).toBe(422)
    }
  })

  it.each(['vic.tim@gmail.com', 'victim@gmail.com', 'V.ictim+new@googlemail.com'])(
    'is held by each spelling of the mailbox (%s), until staff lift one row',
    async (email) => {
      await suppress({ email: 'vic.tim@gmail.com' })
      await send(leadForm({ email }))
      expect((await database.db('leads').first())?.held_reason).toBe('do_not_contact')
      expect(await jobsOfLast()).toEqual(['team'])

      const { id } = (await database.db('suppressions').first('id')) as { id: number }
      await allowContactAt(database.db, id, { actor: 'staff', because: 'They asked us to call.' })
      await send(leadForm({ email, last_name: 'Again' }))
      expect((await database.db('leads').orderBy('id', 'desc').first())?.held_reason).toBeNull()
    },
  )
})
