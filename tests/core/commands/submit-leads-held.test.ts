import { describe, expect, it } from 'vitest'
import { type SubmittedLead, submitLeads } from '../../../core/commands/leads/submit-leads.ts'
import { useDatabase } from '../../support/database.ts'
import { CHAIN_KEY } from '../../support/env.ts'
import { createProvider, leadForm } from '../../support/factories.ts'
import { count, NO_MATCH, submission, submitOne } from './submissions.ts'

const database = useDatabase()

describe('submit, held', () => {
  const heldReason = 'honeypot'

  it.each([true, false])(
    'stores lead and consent, and owes the team a mail and nobody else (matched: %s)',
    async (matched) => {
      const { id: providerId } = await createProvider(database.db)
      const match = matched ? ({ providerId, kind: 'nearest', miles: 2.5 } as const) : NO_MATCH
      const lead = leadForm({ topic: 'a\u0000b\ud800', elapsed_ms: 3, touched: false })
      const { receipt } = await submitOne(database, submission({ lead, match, heldReason }))

      expect(receipt).toEqual({ id: expect.any(Number), inReview: true })
      expect(await database.db('leads').first()).toMatchObject({
        held_reason: heldReason,
        email: lead.email,
        provider_id: matched ? providerId : null,
        crm_sync_status: 'pending',
      })
      expect(await database.db('jobs').select('name', 'purpose', 'state')).toEqual([
        { name: 'send-email', purpose: 'team', state: 'waiting' },
      ])
      expect(await count(database)).toMatchObject({ leads: 1, consents: 1 })
    },
  )

  it('answers a repeat of it with its receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const form = submission({ idempotencyKey: 'k-1', match, heldReason })
    const first = await submitOne(database, form)

    expect(await submitOne(database, form)).toEqual({ ...first, isNew: false })
    expect(await submitOne(database, { ...form, idempotencyKey: 'k-2' })).toMatchObject({ id: first.id, isNew: false })
    expect(first.receipt).toEqual({ id: expect.any(Number), inReview: true })
    expect(await count(database)).toEqual({ leads: 1, consents: 1, jobs: 1 })
  })

  it.each([
    ['before', [heldReason, null]],
    ['after', [null, heldReason]],
  ] as const)(
    'does not swallow the clean form of the same person, with the same key, that comes %s it',
    async (_, reasons) => {
      const { id: providerId } = await createProvider(database.db)
      const match = { providerId, kind: 'nearest', miles: 2.5 } as const
      const form = submission({ idempotencyKey: 'k-1', match })
      for (const reason of reasons)
        expect((await submitOne(database, { ...form, heldReason: reason })).isNew).toBe(true)

      expect(await count(database)).toEqual({ leads: 2, consents: 2, jobs: 1 + 3 })
    },
  )

  it('stores a batch of both kinds, each with what it owes and its own receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const lead = leadForm()
    const batch = [
      submission({ lead, match, heldReason, idempotencyKey: 'k-1' }),
      submission({ lead, match, idempotencyKey: 'k-1' }),
      submission({ lead, match, heldReason: 'too_fast', idempotencyKey: 'k-2' }),
      submission(),
      submission({ heldReason: 'too_fast' }),
      submission({ lead, match }),
    ]
    const receipts = (await submitLeads(database.db, batch, CHAIN_KEY)) as SubmittedLead[]

    const { 0: held, 1: clean, 2: heldAgain, 5: cleanAgain } = receipts
    expect(held?.receipt).toEqual({ id: expect.any(Number), inReview: true })
    expect(clean?.receipt).toEqual({ id: expect.any(Number), providerId })
    expect(held?.leadId).not.toBe(clean?.leadId)
    expect([heldAgain?.leadId, cleanAgain?.leadId]).toEqual([held?.leadId, clean?.leadId])
    expect(await count(database)).toEqual({ leads: 4, consents: 4, jobs: 1 + 3 + 2 + 1 })
    expect(await database.db('leads').orderBy('held_reason').pluck('held_reason')).toEqual([
      'honeypot',
      'too_fast',
      null,
      null,
    ])
  })

  it('stores each once, in whatever order batches of both kinds come', async () => {
    for (let round = 0; round < 5; round++) {
      const people = Array.from({ length: 15 }, () => submission())
      const both = people.flatMap((one) => [one, { ...one, heldReason } as const])
      await Promise.all(
        [both, both.toReversed(), both.slice(10)].map((batch) => submitLeads(database.db, batch, CHAIN_KEY)),
      )

      const made = (round + 1) * 15
      expect(await count(database)).toEqual({ leads: made * 2, consents: made * 2, jobs: made * 3 })
    }
  })
})

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
