import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { applicationForm, createProvider, leadForm } from '../support/factories.ts'

const { api, database } = useApi({ VISITOR_LEADS_PER_HOUR: '2', CLINIC_LEADS_PER_HOUR: '4', LEADS_PER_HOUR: '6' })

const send = (overrides: Parameters<typeof leadForm>[0] = {}) => api.call('POST', '/api/leads', leadForm(overrides))
const reasons = () => database.db('leads').orderBy('id').pluck('held_reason')
/** How often each mail is owed. */
async function mails(): Promise<Record<string, number>> {
  const rows = await database.db('jobs').where('name', 'send-email').select('purpose').count().groupBy('purpose')
  return Object.fromEntries(rows.map(({ purpose, count }) => [purpose, Number(count)]))
}

describe('a flood of forms', () => {
  it('sends a stranger two mails and no more, with whatever phone and spelling of the address', async () => {
    await createProvider(database.db)
    for (const tag of ['', '+a', '+b', '+c', '+d']) {
      const { status, body } = await send({ email: `Bomb.Victim${tag}@visitors.example` })
      expect(status).toBe(201)
      if (['+b', '+c', '+d'].includes(tag)) expect(body.inReview).toBe(true)
    }
    expect(await reasons()).toEqual([null, null, 'many_to_visitor', 'many_to_visitor', 'many_to_visitor'])
    // One mail to the team about all that is held.
    expect(await mails()).toEqual({ visitor: 2, provider: 2, team: 1 })
  })

  it('counts forms that come at once, too', async () => {
    await createProvider(database.db)
    await Promise.all(Array.from({ length: 12 }, () => send({ email: 'bomb.victim@visitors.example' })))
    expect((await reasons()).filter((reason) => reason === null)).toHaveLength(2)
    expect(await mails()).toEqual({ visitor: 2, provider: 2, team: 1 })
  })

  it('sends a clinic its cap, while other clinics get theirs, until the cap of all is reached', async () => {
    await createProvider(database.db)
    await createProvider(database.db, { zip_code: '10001' })
    for (const zip_code of ['78701', '78701', '78701', '78701', '78701', '10001', '10001', '10001'])
      await send({ zip_code })
    expect(await reasons()).toEqual([null, null, null, null, 'many_to_clinic', null, null, 'many_in_all'])
    expect(await mails()).toMatchObject({ provider: 6, team: 2 })
  })

  it('is let through again after an hour, and for one address after a day', async () => {
    await createProvider(database.db)
    const email = 'regular@visitors.example'
    const past = (hours: number) =>
      database.db.raw("update leads set created_at = created_at - ? * interval '1 hour'", [hours])
    for (const hours of [0, 1, 1, 0, 1, 0, 24]) {
      await past(hours)
      await send({ email })
    }
    // Four in a day, at most two of them in an hour.
    expect(await reasons()).toEqual([null, null, null, null, 'many_to_visitor', 'many_to_visitor', null])
  })

  it('makes nothing of a form that comes again when its caps are reached, by its key or by its content', async () => {
    const { id: providerId } = await createProvider(database.db)
    const email = 'regular@visitors.example'
    await send({ email })
    const form = leadForm({ email })
    const headers = { 'idempotency-key': 'one-form' }
    const first = await api.call('POST', '/api/leads', form, headers)
    expect(first.body).toMatchObject({ providerId })
    expect((await api.call('POST', '/api/leads', form, headers)).body).toEqual(first.body)
    // As a new form would be: a copied one tells nothing about the first.
    expect((await api.call('POST', '/api/leads', form)).body).toEqual({ id: expect.any(Number), inReview: true })

    // The key also counts after the ten minutes of the content.
    await database.db.raw("update leads set repeat_window = 'empty'")
    expect((await api.call('POST', '/api/leads', form, headers)).body).toEqual(first.body)
    expect(await reasons()).toEqual([null, null])
    expect(await mails()).toEqual({ visitor: 2, provider: 2 })
  })
})

describe('a flood from one network', () => {
  const { api, database } = useApi({
    ...{ ADDRESS_LEADS_PER_HOUR: '3', CLINIC_LEADS_PER_HOUR: '5', LEADS_PER_HOUR: '8', TRUST_PROXY_HOPS: '1' },
  })
  const from = (ip: string, path = '/api/leads', form: object = leadForm()) =>
    api.call('POST', path, form, { 'x-forwarded-for': ip })
  const reasons = () => database.db('leads').orderBy('id').pluck('held_reason')

  it.each([
    ['an address', (_: number) => '203.0.113.7'],
    ['a /48', (n: number) => `2001:db8:7:${n}::${n}`],
  ])('is held before it fills the caps of a clinic and of all: %s', async (_, address) => {
    await createProvider(database.db)
    for (let n = 1; n <= 9; n++) {
      const { body } = await from(address(n))
      expect(body.inReview ?? false).toBe(n > 3)
    }
    await from('198.51.100.1')
    await from('2001:db8:8::1')
    const flood = Array(6).fill('many_from_address')
    expect(await reasons()).toEqual([null, null, null, ...flood, null, null])
    // One email to the team about all of them.
    expect(await database.db('jobs').where('purpose', 'team').pluck('purpose')).toHaveLength(1)
  })

  it('is counted with applications, and without what is sent again', async () => {
    const form = leadForm()
    for (let n = 0; n < 5; n++) await from('203.0.113.8', '/api/leads', form)
    const applications = Array.from({ length: 4 }, () =>
      from('203.0.113.8', '/api/provider-applications', applicationForm()),
    )
    await Promise.all(applications)
    expect(await reasons()).toEqual([null])
    const ofApplications = await database.db('provider_applications').orderBy('id').pluck('held_reason')
    expect(ofApplications).toEqual([null, null, 'many_from_address', 'many_from_address'])
    expect(await database.db('jobs').where('subject_kind', 'application').orderBy('id').pluck('purpose')).toEqual([
      ...['team', 'applicant', 'team', 'applicant', 'team'],
    ])
  })

  it('cannot come through this machine itself, which hides its visitors', async () => {
    for (let n = 0; n < 5; n++) await api.call('POST', '/api/leads', leadForm())
    expect(await reasons()).toEqual([null, null, null, null, null])
  })
})

it('a flood of applications shares the caps with leads: of a mailbox, in any spelling of Gmail, and of all', async () => {
  const mailbox = ['v.ictim@gmail.com', 'vic.tim@googlemail.com', 'V.I.C.T.I.M+1@gmail.com']
  await send({ email: mailbox[0] })
  for (const email of mailbox) await api.call('POST', '/api/provider-applications', applicationForm({ email }))
  const held = () => database.db('provider_applications').orderBy('id').pluck('held_reason')
  expect(await held()).toEqual([null, 'many_to_visitor', 'many_to_visitor'])
  await send({ email: mailbox[2] })
  expect(await reasons()).toEqual([null, 'many_to_visitor'])

  for (let n = 0; n < 6; n++) await api.call('POST', '/api/provider-applications', applicationForm())
  expect((await held()).slice(3)).toEqual([null, null, null, null, 'many_in_all', 'many_in_all'])
  await send()
  expect((await reasons()).at(-1)).toBe('many_in_all')
})
