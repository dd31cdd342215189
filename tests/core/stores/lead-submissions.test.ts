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
