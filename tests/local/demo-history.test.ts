import { beforeAll, describe, expect, test } from 'vitest'
import { healthOf } from '../../core/conditions/rules/alerts.ts'
import { FUNNEL_STAGES } from '../../core/insight/contract/overview.ts'
import { periodOf } from '../../core/insight/rules/overview.ts'
import * as overview from '../../core/insight/stores/overview.ts'
import * as providers from '../../core/providers/stores/providers.ts'
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

  test('does not contradict itself', async () => {
    const { db } = database
    expect(await db('lead_outcomes').whereRaw('happened_at <> at')).toEqual([])
    expect(await db('leads').where('acceptance_consent', false)).toEqual([])
    expect(await db('jobs').where('name', 'send-email').whereRaw(`result->>'to' is null`)).toEqual([])
    expect(await db('jobs').where('state', 'failed').whereNull('last_detail')).toEqual([])

    // A clinic with requests has had emails, and the one whose mailbox is gone stays red.
    const asked = (await db('leads')
      .whereNotNull('provider_id')
      .distinct('provider_id')
      .pluck('provider_id')) as number[]
    const health = [...(await providers.listMails(db, asked)).values()].map(healthOf)
    expect(health.filter(({ state }) => state === 'none')).toEqual([])
    expect(health.filter(({ state }) => state === 'bouncing')).toHaveLength(1)

    // The team was notified of each answer that is late.
    const late = await db('answer_clocks').whereNull('answered_at').whereRaw(`due_at < now() - interval '5 minutes'`)
    const notified = await db('jobs').where('purpose', 'late_team').pluck('subject_id')
    expect(late.map(({ lead_id }) => lead_id).filter((id) => !notified.includes(id))).toEqual([])
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
