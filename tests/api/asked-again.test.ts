import { beforeEach, describe, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { useApi } from '../support/api-server.ts'
import { createProvider, idOf, jobsOf, leadForm } from '../support/factories.ts'

const { api, database } = useApi()

const NEW_YORK = { zip_code: '10001' }
let austin: number
let newYork: number
/** A person of Austin who was given to the clinic there. */
let first: NewLead
let firstId: number

const send = async (form: NewLead, query = '') => {
  const { body } = await api.call('POST', `/api/leads${query}`, form)
  const id = await idOf(database.db, body)
  const lead = await database.db('leads').where({ id }).first()
  return { body, id, lead }
}
/** Sends the form of the same person again, now from New York. */
const sendAgain = (changes: Partial<NewLead> = {}, query = '') => send({ ...first, ...NEW_YORK, ...changes }, query)

beforeEach(async () => {
  austin = (await createProvider(database.db)).id
  newYork = (await createProvider(database.db, NEW_YORK)).id
  first = leadForm()
  firstId = (await send(first)).id
})

describe('a request of a person whom a clinic got within 30 days', () => {
  it('goes to that clinic, and only the email names it', async () => {
    const { body, lead, id } = await sendAgain()
    expect(lead).toMatchObject({ provider_id: austin, match_kind: 'again', repeat_of: firstId, held_reason: null })
    expect(lead?.match_distance_miles).toBeGreaterThan(1000)
    // Its receipt is that of anybody from New York: a stranger may have typed the address.
    expect(body).toEqual({ id: expect.any(Number), providerId: newYork })
    expect(await jobsOf(database.db, id).orderBy('purpose').pluck('purpose')).toEqual([
      ...['created', 'provider', 'visitor'],
    ])
    expect(await database.db('answer_clocks').where('lead_id', id)).toHaveLength(1)
  })

  it.each([
    ['the clinic is inactive', () => database.db('providers').where('id', austin).update({ status: 'f' })],
    [
      'the clinic is paused',
      () => database.db('provider_rules').insert({ provider_id: austin, is_paused: true, updated_by: 'staff' }),
    ],
    [
      'the clinic got it earlier',
      () =>
        database
          .db('leads')
          .where('id', firstId)
          .update({ matched_at: database.db.raw(`now() - interval '31 days'`) }),
    ],
  ])('is matched like a first one when %s', async (_, change) => {
    await change()
    expect((await sendAgain()).lead).toMatchObject({
      provider_id: newYork,
      match_kind: 'nearest',
      repeat_of: firstId,
    })
  })

  it('goes to another clinic than the one that declined', async () => {
    const declined = { kind: 'declined', reason: 'no_capacity', source: 'clinic', actor: 'clinic' } as const
    await recordOutcome(database.db, firstId, declined)
    const waiting = await send({ ...first, zip_code: '78704' })
    expect(waiting.lead).toMatchObject({ provider_id: null, repeat_of: firstId })
    // Otherwise the receipt would tell a stranger which clinic it was.
    expect(waiting.body).toEqual({ id: expect.any(Number), providerId: austin })
    const near = await createProvider(database.db, { zip_code: '78753' })
    const { lead } = await send({ ...first, zip_code: '78705' })
    expect(lead).toMatchObject({ provider_id: near.id, match_kind: 'nearest', repeat_of: waiting.id })
    const chosen = await send({ ...first, zip_code: '78705', last_name: 'Averell' }, `?providerId=${austin}`)
    expect(chosen.lead).toMatchObject({ provider_id: austin, match_kind: 'chosen' })
    expect(chosen.body.providerId).toBe(austin)
  })

  it.each([
    { kind: 'declined', reason: 'no_longer_wanted', source: 'visitor', actor: 'visitor' },
    { kind: 'opted_out', source: 'clinic', actor: 'clinic' },
  ] as const)('goes to the same clinic when it was the person who no longer wanted it: %o', async (outcome) => {
    await recordOutcome(database.db, firstId, outcome)
    expect((await sendAgain()).lead).toMatchObject({ provider_id: austin, match_kind: 'again', repeat_of: firstId })
  })

  it('is among many in one batch', async () => {
    const forms = Array.from({ length: 30 }, (_, position) =>
      position % 3 === 0 ? { ...first, ...NEW_YORK, zip_code: String(10001 + position) } : leadForm(NEW_YORK),
    )
    await Promise.all(forms.map((form) => api.call('POST', '/api/leads', form)))
    const rows = await database.db('leads').whereNot('id', firstId).select('email', 'provider_id', 'match_kind')
    expect(rows).toHaveLength(30)
    for (const { email, provider_id } of rows) expect(provider_id).toBe(email === first.email ? austin : newYork)
  })
})
