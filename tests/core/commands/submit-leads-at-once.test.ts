import { afterEach, describe, expect, it } from 'vitest'
import { type SubmittedLead, submitLeads } from '../../../core/commands/leads/submit-leads.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { CHAIN_KEY } from '../../support/env.ts'
import { createProvider, leadForm } from '../../support/factories.ts'
import { count, submission, submitOne } from './submissions.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

describe('submit, 50 times at once', () => {
  it.each([
    ['with one key', () => 'same-key'],
    ['with a key each', (n: number) => `key-${n}`],
    ['without a key', () => undefined],
  ])('stores one lead and one set of jobs (%s)', async (_, key) => {
    const { id: providerId } = await createProvider(database.db)
    const lead = leadForm()
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const stored = await Promise.all(
      Array.from({ length: 50 }, (_, n) => submitOne(database, submission({ lead, match, idempotencyKey: key(n) }))),
    )

    expect(new Set(stored.map(({ id, receipt }) => `${id} ${receipt.providerId}`)).size).toBe(1)
    expect(await count(database)).toEqual({ leads: 1, consents: 1, jobs: 3 })
  })

  it('stores every lead of 50 people', async () => {
    const stored = await Promise.all(Array.from({ length: 50 }, () => submitOne(database, submission())))

    expect(new Set(stored.map(({ id }) => id)).size).toBe(50)
    expect(new Set(stored.map(({ receipt }) => receipt.id)).size).toBe(50)
    expect(await count(database)).toEqual({ leads: 50, consents: 50, jobs: 100 })
  })
})

it('submit, with overlapping batches at once stores everybody once, in whatever order they come', async () => {
  for (let round = 0; round < 10; round++) {
    const people = Array.from({ length: 30 }, () => submission())
    const batches = [people, people.toReversed(), people.slice(10), people.slice(0, 20).toReversed()]
    const receipts = await Promise.all(batches.map((batch) => submitLeads(database.db, batch, CHAIN_KEY)))

    const ids = receipts.map((stored) => stored.map((one) => (one as SubmittedLead).leadId))
    expect(new Set(ids.flat()).size).toBe(30)
    expect(ids[1]).toEqual(ids[0]?.toReversed())
    expect(await count(database)).toEqual({
      leads: (round + 1) * 30,
      consents: (round + 1) * 30,
      jobs: (round + 1) * 60,
    })
  }
})

describe('submit, many at once', () => {
  it('stores many at once, each with its own receipt, consent and jobs', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const

    const all = [submission({ match }), submission(), submission({ match })]
    const receipts = await submitLeads(database.db, all, CHAIN_KEY)

    expect(receipts).toMatchObject([
      { leadId: expect.any(Number), receipt: { id: expect.any(Number), providerId } },
      { leadId: expect.any(Number), receipt: { id: expect.any(Number) } },
      { leadId: expect.any(Number), receipt: { id: expect.any(Number), providerId } },
    ])
    expect(await count(database)).toEqual({ leads: 3, consents: 3, jobs: 3 + 2 + 3 })
  })

  it('makes one lead of copies that come together, and refuses a key that two different forms share', async () => {
    const lead = leadForm()
    const copies = [
      submission({ lead, idempotencyKey: 'k-1' }),
      submission({ lead, idempotencyKey: 'k-2' }),
      submission({ idempotencyKey: 'k-1' }),
    ]
    const receipts = await submitLeads(database.db, copies, CHAIN_KEY)

    expect(receipts[1]).toMatchObject({ leadId: (receipts[0] as SubmittedLead).leadId })
    expect(receipts[2]).toMatchObject({ code: 'invalid' })
    expect(await count(database)).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })
})
