import { afterEach, describe, expect, it } from 'vitest'
import { recordOutcome } from '../../../core/commands/leads/record-outcome.ts'
import * as providerFigures from '../../../core/stores/provider-figures.ts'
import { DAY, HOUR } from '../../../core/time.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

describe('the figures of the table of providers', () => {
  it('count the leads of 30 days, and have the last lead of all times', async () => {
    const { db } = database
    const { id } = await createProvider(db)
    const none = await createProvider(db, { zip_code: '00000' })
    const reached = await createLead(db, { providerId: id })
    await createLead(db, { providerId: id })
    await createLead(db, { providerId: id, heldReason: 'too_fast' })
    await recordOutcome(db, reached, { source: 'clinic', actor: 'clinic', kind: 'reached' })
    await db('answer_clocks').where('lead_id', reached).delete()
    const started = Date.now() - 3 * HOUR
    await db('answer_clocks').insert({
      ...{ lead_id: reached, provider_id: id },
      ...{ started_at: new Date(started), answered_at: new Date(started + 2 * HOUR) },
    })
    const old = await createLead(db, { providerId: none.id })
    const longAgo = new Date(Date.now() - 40 * DAY)
    await db('leads').where('id', old).update({ created_at: longAgo })

    const [own, other] = await providerFigures.list(db)
    expect(own).toMatchObject({
      id,
      place: { city: 'Austin', state: 'TX' },
      leads: 2,
      answer_time: 2 * HOUR,
      reached: 0.5,
    })
    expect(other).toEqual({
      ...{ id: none.id, place: null, leads: 0, last_lead_at: longAgo.toISOString(), answer_time: null, reached: null },
      undelivered: null,
    })
  })

  it('have the share of the last ten e-mails that was not delivered', async () => {
    const { db } = database
    const { id } = await createProvider(db, { email: 'desk@clinic.example' })
    const mail = (state: 'done' | 'failed' | 'enqueued' | 'cancelled', to = 'desk@clinic.example', daysAgo = 1) => ({
      ...{ name: 'send-email' as const, purpose: 'test', told_provider_id: id, state, result: JSON.stringify({ to }) },
      ...(state === 'failed' && { last_cause: 'mailbox_full' as const }),
      created_at: new Date(Date.now() - daysAgo * DAY),
      ...(state === 'enqueued' ? { enqueued_at: new Date() } : { finished_at: new Date() }),
    })
    await db('jobs').insert(
      [
        ...[mail('failed'), mail('enqueued'), mail('cancelled'), mail('failed', 'other@clinic.example')],
        ...Array.from({ length: 8 }, () => mail('done')),
        mail('failed', 'desk@clinic.example', 2),
      ].map((job, generation) => ({ ...job, generation: generation + 1 })),
    )
    expect(await providerFigures.list(db)).toMatchObject([{ undelivered: 0.2 }])
  })
})
