import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { CONSENT } from '../../../core/contract/consent.ts'
import type { LeadReceipt } from '../../../core/contract/leads.ts'
import * as leadActions from '../../../core/stores/lead-actions.ts'
import { type Submission, submit } from '../../../core/stores/lead-submissions.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createProvider, leadForm } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const NO_MATCH = { providerId: null, nearestMiles: null }
const VISIT = { ip: '203.0.113.7', userAgent: 'Test/1.0', pageUrl: 'https://www.velmora.example/' }

function submission(overrides: Partial<Submission> = {}): Submission {
  return { lead: leadForm(), match: NO_MATCH, visit: VISIT, ...overrides }
}

/** Stores one lead; `isNew` tells whether it was, or is a repeat. */
async function submitOne(one: Submission): Promise<{ receipt: LeadReceipt; isNew: boolean }> {
  const [{ newest }] = await database.db('leads').select(database.db.raw('coalesce(max(id), 0) as newest'))
  const [receipt] = await submit(database.db, [one])
  if (!receipt || receipt instanceof Error) throw receipt
  return { receipt, isNew: receipt.id > newest }
}

async function count(): Promise<Record<string, number>> {
  const { rows } = await database.db.raw(
    `select (select count(*)::integer from leads) as leads, (select count(*)::integer from consents) as consents,
      (select count(*)::integer from jobs) as jobs`,
  )
  return rows[0]
}

/** As if so many minutes had passed since the lead was sent. */
async function passMinutes(id: number, minutes: number): Promise<void> {
  const past = `tstzrange(lower(repeat_window) - :minutes * interval '1 minute',
    upper(repeat_window) - :minutes * interval '1 minute')`
  await database
    .db('leads')
    .where({ id })
    .update({ repeat_window: database.db.raw(past, { minutes }) })
}

describe('submit', () => {
  it('stores lead, consent and the deliveries of a matched lead', async () => {
    const { id: providerId } = await createProvider(database.db)
    const lead = leadForm({ attribution: { first: { utm_source: 'radio' } } })
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const

    const { receipt, isNew } = await submitOne(submission({ lead, match, idempotencyKey: 'k-1' }))

    expect(isNew).toBe(true)
    expect(receipt).toEqual({ id: expect.any(Number), providerId })
    const row = await database.db('leads').where('id', receipt.id).first()
    const { attribution, acceptance_consent: _, ...typed } = lead
    expect(row).toMatchObject({
      ...typed,
      attribution,
      acceptance_consent: true,
      acceptance_ip: VISIT.ip,
      crm_sync_status: 'pending',
      match_kind: 'nearest',
      match_distance_miles: 2.5,
      idempotency_key: 'k-1',
    })
    expect(row.matched_at).not.toBeNull()
    const jobs = await database.db('jobs').select('name', 'purpose', 'state', 'generation').orderBy(['name', 'purpose'])
    expect(jobs).toEqual([
      { name: 'send-email', purpose: 'provider', state: 'waiting', generation: 1 },
      { name: 'send-email', purpose: 'visitor', state: 'waiting', generation: 1 },
      { name: 'sync-crm', purpose: 'created', state: 'waiting', generation: 1 },
    ])
  })

  it('stores an unmatched lead with a job that matches it', async () => {
    const { receipt } = await submitOne(submission())

    expect(receipt).toEqual({ id: expect.any(Number) })
    expect(await database.db('leads').first()).toMatchObject({
      provider_id: null,
      matched_at: null,
      match_kind: null,
      match_distance_miles: null,
    })
    expect(await database.db('jobs').orderBy('name').pluck('name')).toEqual(['match-lead', 'sync-crm'])
  })

  it('keeps the evidence of the consent: wording, version, hash, and who agreed from where', async () => {
    const { wording, version } = CONSENT.form
    const { receipt } = await submitOne(submission())

    expect(await database.db('consents').first()).toEqual({
      lead_id: receipt.id,
      wording,
      wording_version: version,
      wording_hash: createHash('sha256').update(wording).digest('hex'),
      given_at: expect.any(Date),
      ip: VISIT.ip,
      user_agent: VISIT.userAgent,
      page_url: VISIT.pageUrl,
    })
  })

  it('keeps a wording that is not ours word for word, without a version', async () => {
    const wording = `${CONSENT.form.wording} And more.`
    await submitOne(submission({ lead: leadForm({ acceptance_message: wording }) }))

    expect(await database.db('consents').first()).toMatchObject({ wording, wording_version: null })
  })

  it.each(['consents', 'jobs'])('stores nothing at all when %s cannot be written', async (table) => {
    const { db } = database
    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on ${table} for each row execute function refuse()`)
    try {
      await expect(submit(db, [submission()])).rejects.toThrow('refused')
    } finally {
      await db.raw('drop function refuse cascade')
    }
    expect(await count()).toEqual({ leads: 0, consents: 0, jobs: 0 })
  })
})

describe('submit, repeated', () => {
  it('answers the same key and form with the first receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const form = submission({ idempotencyKey: 'k-1', match })
    const first = await submitOne(form)
    const again = await submitOne({ ...form, match: NO_MATCH })

    expect(again).toEqual({ receipt: first.receipt, isNew: false })
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 3 })
  })

  it('refuses the same key for another form', async () => {
    const form = submission({ idempotencyKey: 'k-1' })
    await submitOne(form)

    for (const other of [{ lead: leadForm() }, { chosenProviderId: 5 }]) {
      await expect(submitOne({ ...form, ...other })).rejects.toMatchObject({ code: 'invalid' })
    }
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })

  it('keeps answering the same key long after the window has closed', async () => {
    const form = submission({ idempotencyKey: 'k-1' })
    const first = await submitOne(form)
    await passMinutes(first.receipt.id, 60)

    expect(await submitOne(form)).toEqual({ receipt: first.receipt, isNew: false })
  })

  it('takes the same person within ten minutes for a repeat, whatever the key, the name and the spelling', async () => {
    const lead = leadForm({ email: 'jordan@visitors.example', phone: '(512) 555-0100' })
    const first = await submitOne(submission({ lead, idempotencyKey: 'k-1' }))
    await passMinutes(first.receipt.id, 9)

    const same = { ...lead, first_name: 'Jo', email: 'JORDAN@visitors.example', phone: '512 555 0100' }
    const again = await submitOne(submission({ lead: same, idempotencyKey: 'k-2' }))
    expect(again).toEqual({ receipt: first.receipt, isNew: false })
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })

  it('takes the same person for a new lead after ten minutes', async () => {
    const form = submission()
    const first = await submitOne(form)
    await passMinutes(first.receipt.id, 11)

    const second = await submitOne(form)
    expect(second.isNew).toBe(true)
    expect(second.receipt.id).not.toBe(first.receipt.id)
  })

  it.each(['email', 'phone', 'zip_code'] as const)('takes another %s for another lead', async (field) => {
    const lead = leadForm()
    const first = await submitOne(submission({ lead }))
    const second = await submitOne(submission({ lead: { ...lead, [field]: leadForm()[field] } }))

    expect(second.isNew).toBe(field !== 'zip_code')
    const moved = await submitOne(submission({ lead: { ...lead, zip_code: '10001' } }))
    expect(moved.receipt.id).not.toBe(first.receipt.id)
  })

  it('takes a person for new whose lead was deleted', async () => {
    const form = submission({ idempotencyKey: 'k-1' })
    const first = await submitOne(form)
    await leadActions.remove(database.db, first.receipt.id, { actor: 'staff' })

    expect((await submitOne(form)).isNew).toBe(true)
  })
})

describe('submit, held', () => {
  const heldReason = 'honeypot'

  it.each([true, false])(
    'stores lead and consent, and owes the team a mail and nobody else (matched: %s)',
    async (matched) => {
      const { id: providerId } = await createProvider(database.db)
      const match = matched ? ({ providerId, kind: 'nearest', miles: 2.5 } as const) : NO_MATCH
      const lead = leadForm({ topic: 'a\u0000b\ud800', elapsed_ms: 3, touched: false })
      const { receipt } = await submitOne(submission({ lead, match, heldReason }))

      expect(receipt).toEqual({ id: expect.any(Number) })
      expect(await database.db('leads').first()).toMatchObject({
        held_reason: heldReason,
        email: lead.email,
        provider_id: matched ? providerId : null,
        crm_sync_status: 'pending',
      })
      expect(await database.db('jobs').select('name', 'purpose', 'state')).toEqual([
        { name: 'send-email', purpose: 'team', state: 'waiting' },
      ])
      expect(await count()).toMatchObject({ leads: 1, consents: 1 })
    },
  )

  it('answers a repeat of it with its receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const form = submission({ idempotencyKey: 'k-1', match, heldReason })
    const first = await submitOne(form)

    expect(await submitOne(form)).toEqual({ receipt: first.receipt, isNew: false })
    expect(await submitOne({ ...form, idempotencyKey: 'k-2' })).toEqual({ receipt: first.receipt, isNew: false })
    expect(first.receipt).toEqual({ id: expect.any(Number) })
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 1 })
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
      for (const reason of reasons) expect((await submitOne({ ...form, heldReason: reason })).isNew).toBe(true)

      expect(await count()).toEqual({ leads: 2, consents: 2, jobs: 1 + 3 })
    },
  )

  it('stores a batch of both kinds, each with what it owes and its own receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const lead = leadForm()
    const receipts = await submit(database.db, [
      submission({ lead, match, heldReason, idempotencyKey: 'k-1' }),
      submission({ lead, match, idempotencyKey: 'k-1' }),
      submission({ lead, match, heldReason: 'too_fast', idempotencyKey: 'k-2' }),
      submission(),
      submission({ heldReason: 'too_fast' }),
      submission({ lead, match }),
    ])

    const { 0: held, 1: clean, 2: heldAgain, 5: cleanAgain } = receipts
    expect(held).toEqual({ id: expect.any(Number) })
    expect(clean).toEqual({ id: expect.any(Number), providerId })
    expect((held as LeadReceipt).id).not.toBe((clean as LeadReceipt).id)
    expect([heldAgain, cleanAgain]).toEqual([held, clean])
    expect(await count()).toEqual({ leads: 4, consents: 4, jobs: 1 + 3 + 2 + 1 })
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
      await Promise.all([both, both.toReversed(), both.slice(10)].map((batch) => submit(database.db, batch)))

      const made = (round + 1) * 15
      expect(await count()).toEqual({ leads: made * 2, consents: made * 2, jobs: made * 3 })
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
      Array.from({ length: 50 }, (_, n) => submitOne(submission({ lead, match, idempotencyKey: key(n) }))),
    )

    expect(new Set(stored.map(({ receipt }) => JSON.stringify(receipt))).size).toBe(1)
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 3 })
  })

  it('stores every lead of 50 people', async () => {
    const stored = await Promise.all(Array.from({ length: 50 }, () => submitOne(submission())))

    expect(new Set(stored.map(({ receipt }) => receipt.id)).size).toBe(50)
    expect(await count()).toEqual({ leads: 50, consents: 50, jobs: 100 })
  })
})

describe('submit, with overlapping batches at once', () => {
  it('stores everybody once, in whatever order they come', async () => {
    for (let round = 0; round < 10; round++) {
      const people = Array.from({ length: 30 }, () => submission())
      const batches = [people, people.toReversed(), people.slice(10), people.slice(0, 20).toReversed()]
      const receipts = await Promise.all(batches.map((batch) => submit(database.db, batch)))

      const ids = new Set(receipts.flat().map((receipt) => (receipt as LeadReceipt).id))
      expect(ids.size).toBe(30)
      expect(receipts[1]).toEqual(receipts[0]?.toReversed())
      expect(await count()).toEqual({ leads: (round + 1) * 30, consents: (round + 1) * 30, jobs: (round + 1) * 60 })
    }
  })
})

describe('submit, many at once', () => {
  it('stores many at once, each with its own receipt, consent and jobs', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const

    const receipts = await submit(database.db, [submission({ match }), submission(), submission({ match })])

    expect(receipts).toEqual([
      { id: expect.any(Number), providerId },
      { id: expect.any(Number) },
      { id: expect.any(Number), providerId },
    ])
    expect(await count()).toEqual({ leads: 3, consents: 3, jobs: 3 + 2 + 3 })
  })

  it('makes one lead of copies that come together, and refuses a key that two different forms share', async () => {
    const lead = leadForm()
    const receipts = await submit(database.db, [
      submission({ lead, idempotencyKey: 'k-1' }),
      submission({ lead, idempotencyKey: 'k-2' }),
      submission({ idempotencyKey: 'k-1' }),
    ])

    expect(receipts[1]).toEqual(receipts[0])
    expect(receipts[2]).toMatchObject({ code: 'invalid' })
    expect(await count()).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })
})
