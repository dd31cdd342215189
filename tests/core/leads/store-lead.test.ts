import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../../core/contract/consent.ts'
import { storeLead } from '../../../core/leads/store-lead.ts'
import { listenClient } from '../../../core/platform/db.ts'
import { useDatabase } from '../../support/database.ts'
import { CHAIN_KEY } from '../../support/env.ts'
import { createProvider, leadForm } from '../../support/factories.ts'
import { storedRows } from '../../support/refusals.ts'
import { NO_MATCH, submission, submitOne, VISIT } from './submissions.ts'

const database = useDatabase()

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

    const { id, receipt, isNew } = await submitOne(database, submission({ lead, match, idempotencyKey: 'k-1' }))

    expect(isNew).toBe(true)
    expect(receipt).toEqual({ id: expect.any(Number), providerId })
    const row = await database.db('leads').where({ id }).first()
    const { attribution, acceptance_consent: _, consent_version: __, ...typed } = lead
    expect(row).toMatchObject({
      ...typed,
      attribution,
      acceptance_consent: true,
      crm_sync_status: 'pending',
      match_kind: 'nearest',
      match_distance_miles: 2.5,
      idempotency_key: 'k-1',
    })
    expect(row?.matched_at).not.toBeNull()
    const jobs = await database.db('jobs').select('name', 'purpose', 'state', 'generation').orderBy(['name', 'purpose'])
    expect(jobs).toEqual([
      { name: 'send-email', purpose: 'provider', state: 'waiting', generation: 1 },
      { name: 'send-email', purpose: 'visitor', state: 'waiting', generation: 1 },
      { name: 'sync-crm', purpose: 'created', state: 'waiting', generation: 1 },
    ])
  })

  it('stores an unmatched lead with a job that matches it', async () => {
    const { receipt } = await submitOne(database, submission())

    expect(receipt).toEqual({ id: expect.any(Number) })
    expect(await database.db('leads').first()).toMatchObject({
      provider_id: null,
      matched_at: null,
      match_kind: null,
      match_distance_miles: null,
    })
    expect(await database.db('jobs').orderBy('name').pluck('name')).toEqual(['match-lead', 'sync-crm'])
  })

  it('wakes the relays and notifies open dashboards, once for each lead', async () => {
    const client = listenClient(database.url)
    await client.connect()
    const heard: string[] = []
    client.on('notification', ({ channel, payload }) => heard.push(`${channel} ${payload}`))
    await client.query('listen jobs; listen changes')
    const form = submission()
    const { id } = await submitOne(database, form)
    await submitOne(database, form)
    await expect.poll(() => heard).toEqual([`changes {"leads" : [${id}]}`, 'jobs '])
    await client.end()
  })

  it('keeps the evidence of the consent: wording, version, hash, and who agreed from where', async () => {
    const { wording, version, sharing } = CONSENT.form
    const visit = { ...VISIT, pageUrl: `${VISIT.pageUrl}start?email=visitor@visitors.example&gclid=abc#form` }
    const { id, receipt } = await submitOne(database, submission({ visit }))

    expect(await database.db('consents').first()).toEqual({
      lead_id: id,
      wording,
      wording_version: version,
      wording_hash: createHash('sha256').update(wording).digest('hex'),
      given_at: expect.any(Date),
      ip: VISIT.ip,
      ip_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      user_agent: VISIT.userAgent,
      browser_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      page_url: `${VISIT.pageUrl}start`,
      sharing_version: sharing.version,
      sharing_wording: sharing.wording,
      channel: 'form',
      reference: String(receipt.id),
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('takes a wording of ours that a form repeats for the version without the sentence about sharing', async () => {
    await submitOne(database, submission({ lead: leadForm({ consent_version: undefined }) }))

    expect(await database.db('consents').first()).toMatchObject({
      wording: CONSENT.form.wording,
      wording_version: 'form-2026-11-20',
      sharing_version: null,
    })
  })

  it.each(['consents', 'jobs'])('stores nothing at all when %s cannot be written', async (table) => {
    const { db } = database
    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on ${table} for each row execute function refuse()`)
    try {
      await expect(storeLead(db, submission(), CHAIN_KEY)).rejects.toThrow('refused')
    } finally {
      await db.raw('drop function refuse cascade')
    }
    expect(await storedRows(database.db)).toEqual({ leads: 0, consents: 0, jobs: 0 })
  })
})

describe('submit, repeated', () => {
  it('answers the same key and form with the first receipt', async () => {
    const { id: providerId } = await createProvider(database.db)
    const match = { providerId, kind: 'nearest', miles: 2.5 } as const
    const form = submission({ idempotencyKey: 'k-1', match })
    const first = await submitOne(database, form)
    const again = await submitOne(database, { ...form, match: NO_MATCH })

    expect(again).toEqual({ ...first, isNew: false })
    expect(await storedRows(database.db)).toEqual({ leads: 1, consents: 1, jobs: 3 })
  })

  it('refuses the same key for another form', async () => {
    const form = submission({ idempotencyKey: 'k-1' })
    await submitOne(database, form)

    for (const other of [{ lead: leadForm() }, { chosenProviderId: 5 }]) {
      await expect(submitOne(database, { ...form, ...other })).rejects.toMatchObject({ code: 'invalid' })
    }
    expect(await storedRows(database.db)).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })

  it('keeps answering the same key long after the window has closed', async () => {
    const form = submission({ idempotencyKey: 'k-1' })
    const first = await submitOne(database, form)
    await passMinutes(first.id, 60)

    expect(await submitOne(database, form)).toEqual({ ...first, isNew: false })
  })

  it('takes the same form within ten minutes for a repeat, whatever the key and the spelling', async () => {
    const lead = leadForm({ email: 'jordan@visitors.example', phone: '(512) 555-0100' })
    const first = await submitOne(database, submission({ lead, idempotencyKey: 'k-1' }))
    await passMinutes(first.id, 9)

    const same = { ...lead, first_name: 'JORDAN', email: 'JORDAN@visitors.example', phone: '512 555 0100' }
    const again = await submitOne(database, submission({ lead: same, idempotencyKey: 'k-2' }))
    expect(again).toMatchObject({ id: first.id, isNew: false })
    expect(await storedRows(database.db)).toEqual({ leads: 1, consents: 1, jobs: 2 })
  })

  it('answers a repeat without the key as it answers a new lead', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = submission({ match: { providerId, kind: 'nearest', miles: 2.5 }, idempotencyKey: 'k-1' })
    const { receipt: first } = await submitOne(database, form)
    const { receipt, isNew } = await submitOne(database, { ...form, idempotencyKey: undefined })

    expect({ ...receipt, isNew }).toEqual({ id: expect.any(Number), providerId, isNew: false })
    expect(receipt.id).not.toBe(first.id)
  })

  it.each([
    ['name', { first_name: 'Rude' }, {}],
    ['wording', { acceptance_message: '', consent_version: undefined }, {}],
    ['clinic', {}, { chosenProviderId: 5 }],
  ])('does not let a form with another %s swallow the form that the person sends next', async (_, other, chosen) => {
    const lead = leadForm()
    await submitOne(database, submission({ lead: { ...lead, ...other }, ...chosen }))

    expect((await submitOne(database, submission({ lead }))).isNew).toBe(true)
    expect(await database.db('leads').orderBy('id', 'desc').first()).toMatchObject({
      first_name: lead.first_name,
      acceptance_message: lead.acceptance_message,
    })
  })

  it('takes the same person for a new lead after ten minutes', async () => {
    const form = submission()
    const first = await submitOne(database, form)
    await passMinutes(first.id, 11)

    const second = await submitOne(database, form)
    expect(second.isNew).toBe(true)
    expect(second.id).not.toBe(first.id)
  })

  it.each(['email', 'phone', 'zip_code'] as const)('takes another %s for another lead', async (field) => {
    const lead = leadForm()
    const first = await submitOne(database, submission({ lead }))
    const second = await submitOne(database, submission({ lead: { ...lead, [field]: leadForm()[field] } }))

    expect(second.isNew).toBe(field !== 'zip_code')
    const moved = await submitOne(database, submission({ lead: { ...lead, zip_code: '10001' } }))
    expect(moved.id).not.toBe(first.id)
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
