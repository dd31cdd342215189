import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { createProvider, leadForm } from '../../support/factories.ts'
import { storedRows } from '../../support/refusals.ts'
import { NO_MATCH, submission, submitOne } from './submissions.ts'

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
      expect(await storedRows(database.db)).toMatchObject({ leads: 1, consents: 1 })
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
    expect(await storedRows(database.db)).toEqual({ leads: 1, consents: 1, jobs: 1 })
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

      expect(await storedRows(database.db)).toEqual({ leads: 2, consents: 2, jobs: 1 + 3 })
    },
  )
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
    expect(await storedRows(database.db)).toEqual({ leads: 1, consents: 1, jobs: 3 })
  })

  it('stores every lead of 50 people', async () => {
    const stored = await Promise.all(Array.from({ length: 50 }, () => submitOne(database, submission())))

    expect(new Set(stored.map(({ id }) => id)).size).toBe(50)
    expect(new Set(stored.map(({ receipt }) => receipt.id)).size).toBe(50)
    expect(await storedRows(database.db)).toEqual({ leads: 50, consents: 50, jobs: 100 })
  })
})
