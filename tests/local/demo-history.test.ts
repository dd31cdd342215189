import { beforeAll, describe, expect, test } from 'vitest'
import { FUNNEL_STAGES } from '../../core/insight/contract/overview.ts'
import { periodOf } from '../../core/insight/rules/overview.ts'
import * as overview from '../../core/insight/stores/overview.ts'
import { addDemoHistory, removeDemoHistory } from '../../local/demo-history.ts'
import { addDemoProviders } from '../../local/demo-providers.ts'
import { useDatabase } from '../support/database.ts'
import { createLead } from '../support/factories.ts'

const database = useDatabase({ isKept: true })

const timeZone = 'America/New_York'
const TABLES = ['leads', 'jobs', 'job_attempts', 'answer_clocks', 'lead_outcomes'] as const
const counts = async () =>
  Object.fromEntries(
    await Promise.all(TABLES.map(async (table) => [table, (await database.db(table).select()).length] as const)),
  )

describe('the history of the demo', () => {
  // The last test deletes what was added.
  beforeAll(async () => {
    await addDemoProviders(database.db)
    expect(await addDemoHistory(database.db, { timeZone })).toBeGreaterThan(300)
  })

  test('fills every chart of the overview, and the period before', async () => {
    const period = { ...periodOf({}, new Date(), timeZone), timeZone }
    const { totals, outcomes, groups, coverage, madeUp } = await overview.read(database.db, period)
    expect(madeUp).toBeGreaterThan(300)
    for (const figures of [totals.now, totals.before]) {
      for (const name of [...FUNNEL_STAGES, 'unmatched'] as const) expect(figures[name]).toBeGreaterThan(0)
    }
    expect(Object.entries(outcomes).filter(([, count]) => count === 0)).toEqual([])
    expect(totals.now.inTime).toBeLessThan(totals.now.due)
    for (const rows of Object.values(groups)) expect(rows.length).toBeGreaterThan(3)
    expect(coverage.zips.length).toBeGreaterThan(0)
  })

  test('sends nothing, and lies in the past', async () => {
    expect(await database.db('jobs').whereIn('state', ['waiting', 'enqueued'])).toEqual([])
    expect(await database.db('answer_clocks').whereNotNull('step_at').orWhereNotNull('ask_visitor_at')).toEqual([])
    for (const [table, column] of [
      ['leads', 'created_at'],
      ['jobs', 'finished_at'],
      ['lead_outcomes', 'at'],
    ] as const) {
      expect(await database.db(table).whereRaw(`${column} > now()`)).toEqual([])
    }
  })

  test('is deleted wholly, and nothing else with it', async () => {
    const id = await createLead(database.db)

    await removeDemoHistory(database.db)
    expect(await database.db('leads').pluck('id')).toEqual([id])
    expect(await counts()).toMatchObject({
      leads: 1,
      job_attempts: 0,
      answer_clocks: 0,
      lead_outcomes: 0,
    })
  })
})
