import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import * as leadCounts from '../../../core/stores/lead-counts.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import { MINUTE } from '../../../core/time.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const NEW_YORK = 'America/New_York'
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
async function expectRight(timeZone = NEW_YORK): Promise<void> {
  for (const filter of FILTERS) {
    const ids = await leadLists.ids(database.db, { ...filter, timeZone }, 1000)
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
        created_at: `2026-03-0${1 + (n % 3)}T23:59:59-05:00`,
        crm_sync_status: (['pending', 'success', 'failed'] as const)[n % 3],
        email_status: (['success', 'failed'] as const)[n % 2],
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
    await database.db('leads').where('created_at', '<', '2026-03-02T00:00:00-05:00').delete()
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

/** Leads of these moments. */
async function leadsAt(...moments: string[]): Promise<void> {
  for (const created_at of moments) {
    const id = await createLead(database.db)
    await database.db('leads').where({ id }).update({ created_at })
  }
}

/** Has leads counted by the days of another zone, until the end of the test. */
async function setTimeZone(timeZone: string): Promise<boolean> {
  onTestFinished(async () => void (await leadCounts.setTimeZone(database.db, NEW_YORK)))
  return leadCounts.setTimeZone(database.db, timeZone)
}

const isoTime = (day: string, minutes: number) => new Date(Date.parse(day) + minutes * MINUTE).toISOString()

describe('the time zone of the counts', () => {
  it('says on which day a lead came', async () => {
    const dayIn = async (timeZone: string) => {
      await setTimeZone(timeZone)
      return (await leadCounts.countByDay(database.db, {})).map(({ day }) => day)
    }
    await leadsAt('2026-11-15T04:30:00Z')
    expect(await dayIn(NEW_YORK)).toEqual(['2026-11-14'])
    expect(await dayIn('UTC')).toEqual(['2026-11-15'])
    expect(await dayIn('Pacific/Honolulu')).toEqual(['2026-11-14'])
    expect(await dayIn('Asia/Tokyo')).toEqual(['2026-11-15'])
  })

  // Days of 23 and of 25 hours; in Havana midnight itself comes twice, in Santiago there is none.
  it.each([
    [NEW_YORK, '2026-03-08', 23],
    [NEW_YORK, '2026-11-01', 25],
    ['Asia/Kathmandu', '2026-11-01', 24],
    ['America/Havana', '2026-11-01', 25],
    ['America/Santiago', '2026-09-06', 23],
  ])('in %s gives %s its %i hours, in counts and in lists', async (timeZone, day, hours) => {
    await setTimeZone(timeZone)
    // A lead each half hour, from the day before to the day after.
    await leadsAt(...Array.from({ length: 6 * 24 }, (_, half) => isoTime(day, (half - 48) * 30 + 1)))

    const filter = { from: day, to: day }
    expect(await leadCounts.count(database.db, filter)).toBe(hours * 2)
    const found = await leadLists.ids(database.db, { ...filter, timeZone }, 1000)
    const { rows: local } = await database.db.raw(
      'select id from leads where (created_at at time zone ?)::date = ? order by id',
      [timeZone, day],
    )
    expect(found).toEqual(local.map(({ id }: { id: number }) => id))
    expect(found).toHaveLength(hours * 2)
  })

  it('is changed by counting again, once', async () => {
    await someHistory()
    expect(await setTimeZone(NEW_YORK)).toBe(false)
    expect(await setTimeZone('Pacific/Honolulu')).toBe(true)
    await expectRight('Pacific/Honolulu')
    await createLead(database.db)
    await database.db('leads').where({ id: 5 }).delete()
    await expectRight('Pacific/Honolulu')
    const asked = await Promise.all([1, 2, 3].map(() => leadCounts.setTimeZone(database.db, 'Asia/Tokyo')))
    expect(asked.filter(Boolean)).toHaveLength(1)
    await expectRight('Asia/Tokyo')
  })

  it('is changed without losing a lead that is stored meanwhile', async () => {
    await someHistory()
    // Stored before, by a transaction that is still open.
    const open = await database.db.transaction()
    await createLead(open)
    const changing = setTimeZone('Asia/Tokyo')
    const storing = Promise.all([1, 2, 3].map(() => createLead(database.db)))
    await Promise.race([changing, storing, sleep(200)])
    expect(await database.db('network').pluck('time_zone')).toEqual([NEW_YORK])
    await open.commit()

    expect(await changing).toBe(true)
    await storing
    await Promise.all([
      leadCounts.compact(database.db),
      leadCounts.setTimeZone(database.db, 'UTC'),
      createLead(database.db),
    ])
    await expectRight('UTC')
    expect(await leadCounts.count(database.db, {})).toBe(17)
  })

  it('stays when PostgreSQL does not know the other one', async () => {
    await someHistory()
    await expect(setTimeZone('America/Atlantis')).rejects.toThrow('America/Atlantis')
    await expectRight()
    await createLead(database.db)
  })

  it('is not needed to store a lead', async () => {
    await database.db('network').delete()
    await createLead(database.db)
    expect(await setTimeZone(NEW_YORK)).toBe(true)
    await expectRight()
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
