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
    })
  })
})
