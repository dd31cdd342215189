import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ApplicationSubmission, submitApplication } from '../../../core/applications/applications.ts'
import { CONSENT } from '../../../core/contract/consent.ts'
import { useDatabase } from '../../support/database.ts'
import { CHAIN_KEY } from '../../support/env.ts'
import { applicationForm } from '../../support/factories.ts'

const database = useDatabase()

const VISIT = { ip: '203.0.113.7', userAgent: 'Test/1.0', pageUrl: 'https://www.leadwell.example/clinics' }
const send = (overrides: Partial<ApplicationSubmission> = {}) =>
  submitApplication(database.db, { application: applicationForm(), visit: VISIT, ...overrides }, CHAIN_KEY).then(
    ({ applicationId, receipt }) => ({ id: applicationId, reference: receipt.id }),
  )

async function count(): Promise<Record<string, number>> {
  const { rows } = await database.db.raw(
    `select (select count(*)::integer from provider_applications) as applications,
      (select count(*)::integer from application_consents) as consents, (select count(*)::integer from jobs) as jobs`,
  )
  return rows[0]
}

describe('submit', () => {
  it('keeps the evidence of the consent, which can neither be changed nor deleted', async () => {
    const { wording, version } = CONSENT.application
    const { id, reference } = await send()

    const consents = database.db('application_consents')
    expect(await consents.clone().first()).toEqual({
      application_id: id,
      wording,
      wording_version: version,
      wording_hash: createHash('sha256').update(wording).digest('hex'),
      given_at: expect.any(Date),
      ip: VISIT.ip,
      user_agent: VISIT.userAgent,
      page_url: VISIT.pageUrl,
      sharing_version: null,
      sharing_wording: null,
      channel: null,
      reference: String(reference),
      ip_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      browser_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await expect(consents.clone().update({ wording: 'x' })).rejects.toThrow('append-only')
    await expect(consents.clone().delete()).rejects.toThrow('append-only')
  })

  it.each(['application_consents', 'jobs'])('stores nothing at all when %s cannot be written', async (table) => {
    const { db } = database
    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on ${table} for each row execute function refuse()`)
    try {
      await expect(send()).rejects.toThrow('refused')
    } finally {
      await db.raw('drop function refuse cascade')
    }
    expect(await count()).toEqual({ applications: 0, consents: 0, jobs: 0 })
  })
})

describe('submit, repeated', () => {
  const once = { applications: 1, consents: 1, jobs: 2 }

  it('answers the same key and form with the first receipt, however late', async () => {
    const form = { application: applicationForm(), idempotencyKey: 'k-1' }
    const first = await send(form)
    await database.db('provider_applications').update({ repeat_window: 'empty' })
    expect(await send(form)).toEqual(first)
    expect(await count()).toEqual(once)
  })

  it('refuses the same key for another form', async () => {
    await send({ idempotencyKey: 'k-1' })
    await expect(send({ idempotencyKey: 'k-1' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await count()).toEqual(once)
  })

  it('takes the same form within ten minutes for a repeat, and answers it as a new one', async () => {
    const application = applicationForm()
    const first = await send({ application, idempotencyKey: 'k-1' })
    const again = { ...application, practice_name: application.practice_name.toUpperCase() }
    const repeat = await send({ application: again, idempotencyKey: 'k-2' })
    expect(repeat).toEqual({ id: first.id, reference: expect.any(Number) })
    expect(repeat.reference).not.toBe(first.reference)
    expect(await count()).toEqual(once)
  })

  it('takes the same form anew after ten minutes, and at once with another name or message', async () => {
    const application = applicationForm()
    const first = await send({ application })
    const other = await send({ application: { ...application, practice_name: 'Another Clinic' } })
    const more = await send({ application: { ...application, message: 'Once more' } })
    await database.db('provider_applications').update({ repeat_window: 'empty' })
    const later = await send({ application })
    expect(new Set([first.id, other.id, more.id, later.id]).size).toBe(4)
  })

  it('does not let a held one swallow the form that the person sends next', async () => {
    const form = { application: applicationForm(), idempotencyKey: 'k-1' }
    const held = await send({ ...form, heldReason: 'too_fast' })
    const clean = await send(form)
    expect(clean.id).not.toBe(held.id)
    expect(await send({ ...form, heldReason: 'too_fast' })).toEqual(held)
  })

  it.each([
    ['with one key', () => 'same-key'],
    ['with a key each', (n: number) => `key-${n}`],
    ['without a key', () => undefined],
  ])('stores one of 50 that come at once (%s)', async (_, key) => {
    const application = applicationForm()
    const receipts = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send({ application, idempotencyKey: key(n) })),
    )
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    expect(await count()).toEqual(once)
  })
})
