import { afterEach, describe, expect, it } from 'vitest'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import * as leadCounts from '../../../core/stores/lead-counts.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const rows = async () => Number((await database.db('lead_counts').count())[0]?.count)
const FILTERS: LeadFilter[] = [
  {},
  { crm_sync_status: 'failed' },
  { email_status: 'success' },
  { failed: true },
  { failed: false },
  { unmatched: true },
  { unmatched: false },
  { held: true },
  { held: false, crm_sync_status: 'pending' },
  { from: '2026-03-02' },
  { from: '2026-03-01', to: '2026-03-02', failed: false },
]

/** Compares every sum with the leads themselves. */
async function expectRight(): Promise<void> {
  for (const filter of FILTERS) {
    const ids = await leadLists.ids(database.db, filter, 1000)
    const days = await leadCounts.countByDay(database.db, filter)
    expect([filter, await leadCounts.count(database.db, filter)]).toEqual([filter, ids.length])
    expect([filter, days.reduce((sum, { leads }) => sum + leads, 0)]).toEqual([filter, ids.length])
  }
}
/** Twelve leads of three days, in all kinds of states, through inserts, updates and deletions. */
async function someHistory(): Promise<void> {
  const { id: providerId } = await createProvider(database.db)
  for (let n = 0; n < 14; n++) {
    const id = await createLead(database.db, {
      ...(n % 3 && { providerId }),
      ...(n % 5 === 4 && { heldReason: 'honeypot' as const }),
    })
    await database
      .db('leads')
      .where({ id })
      .update({
        created_at: `2026-03-0${1 + (n % 3)}T23:59:59Z`,
        crm_sync_status: ['pending', 'success', 'failed'][n % 3],
        email_status: ['success', 'failed'][n % 2],
      })
  }
  await database.db('leads').where('id', '>', 12).delete()
  await database.db.raw(`update leads set crm_sync_status = 'success', phone = '1' where id in (2, 3, 4)`)
}

describe('the counts', () => {
  it('follow every change', async () => {
    await expectRight()
    await someHistory()
    await expectRight()
    expect(await leadCounts.count(database.db, {})).toBe(12)
  })

  it('follow a change only if it happens', async () => {
    await createLead(database.db)
    const failing = database.db.transaction(async (trx) => {
      await trx('leads').delete()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await expectRight()
  })

  it('know the days, the earliest first', async () => {
    await someHistory()
    await database.db('leads').where('created_at', '<', '2026-03-02').delete()
    const days = await leadCounts.countByDay(database.db, {})
    expect(days.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03'])
  })

  it('cost nothing where nothing that is counted changes', async () => {
    const id = await createLead(database.db)
    const before = await rows()
    await database.db('leads').where({ id }).update({ crm_external_id: 'crm-7' })
    expect(await rows()).toBe(before)
  })

  it('are empty when the leads are', async () => {
    await someHistory()
    await database.db.raw('truncate leads')
    expect(await rows()).toBe(0)
  })
})

describe('compact', () => {
  it('leaves one row for each day and state, and every sum', async () => {
    await someHistory()
    const before = await rows()
    const fewer = await leadCounts.compact(database.db)
    expect(fewer).toBeGreaterThan(0)
    expect(await rows()).toBe(before - fewer)
    await expectRight()
    expect(await leadCounts.compact(database.db)).toBe(0)
  })

  it('may run twice at once, and while leads come', async () => {
    await someHistory()
    await Promise.all([
      ...[1, 2, 3, 4].map(() => leadCounts.compact(database.db)),
      createLead(database.db),
      createLead(database.db),
    ])
    await expectRight()
    expect(await leadCounts.count(database.db, {})).toBe(14)
  })
})

describe('isCounted', () => {
  it('says no to names and providers', () => {
    expect(FILTERS.map(leadCounts.isCounted)).toEqual(FILTERS.map(() => true))
    expect(leadCounts.isCounted({ q: 'avery' })).toBe(false)
    expect(leadCounts.isCounted({ provider_id: 1, held: true })).toBe(false)
  })
})
