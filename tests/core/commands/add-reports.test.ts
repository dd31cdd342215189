import { afterEach, describe, expect, it } from 'vitest'
import { addReports } from '../../../core/commands/add-reports.ts'
import { changeRules } from '../../../core/commands/providers/change-rules.ts'
import { openDb } from '../../../core/platform/db.ts'
import * as reports from '../../../core/stores/reports.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { testEnv } from '../../support/env.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const MONDAY = new Date('2026-11-23T13:00:00Z')
const FIRST = new Date('2026-11-01T13:00:00Z')
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }
const WEEK = { from: '2026-11-16', to: '2026-11-22' }
const env = testEnv({ CLINIC_SCORECARDS: 'on' })
/** Adds what is due, as a worker does: in the role of the app. */
const add = (now: Date, settings = env) => addReports(database.app, settings, now)

async function leadOf(at: string, options: Parameters<typeof createLead>[1] = {}): Promise<number> {
  const id = await createLead(database.db, options)
  await database.db('leads').where({ id }).update({ created_at: at })
  return id
}

const stored = async () =>
  database
    .db('reports')
    .join('jobs', 'report_id', 'reports.id')
    .orderBy('reports.id')
    .select('kind', 'provider_id', 'name', 'purpose', 'state', {
      from: database.db.raw('first_day::text'),
      to: database.db.raw('last_day::text'),
    })
const acts = () => database.db('audit_log').orderBy('id').select('actor', 'action', 'details')

describe('the weekly report', () => {
  it('is added once, with its job and a line in the activity, by any number of workers at the same time', async () => {
    await leadOf('2026-11-17T15:00:00Z')
    const counts = await Promise.all(Array.from({ length: 8 }, () => add(MONDAY)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    expect(await add(new Date('2026-11-25T13:00:00Z'))).toBe(0)
    expect(await stored()).toEqual([
      {
        ...{ kind: 'weekly_report', provider_id: null, ...WEEK },
        ...{ name: 'send-email', purpose: 'weekly_report', state: 'waiting' },
      },
    ])
    const details = { report: 'weekly_report', ...WEEK, count: 1 }
    expect(await acts()).toEqual([{ actor: 'system', action: 'send-report', details }])
  })

  it('comes later where no worker ran on Monday, and only the last one', async () => {
    await leadOf('2026-10-01T15:00:00Z')
    expect(await add(new Date('2026-11-28T20:00:00Z'))).toBe(1)
    expect(await add(new Date('2026-11-30T13:00:00Z'))).toBe(1)
    expect(await stored()).toMatchObject([WEEK, { from: '2026-11-23', to: '2026-11-29' }])
  })

  it('is left out before 08:00, when it is switched off, and while no lead has ever come', async () => {
    expect(await add(MONDAY)).toBe(0)
    await leadOf('2026-11-23T12:00:00Z')
    expect(await add(MONDAY)).toBe(0)
    await leadOf('2026-11-17T15:00:00Z')
    expect(await add(new Date('2026-11-23T12:00:00Z'))).toBe(0)
    expect(await add(MONDAY, testEnv({ WEEKLY_REPORT: 'off' }))).toBe(0)
    expect(await stored()).toEqual([])
  })

  it('is added by the next worker when one is killed before it has committed', async () => {
    await leadOf('2026-11-17T15:00:00Z')
    const killed = openDb(database.appUrl)
    const trx = await killed.transaction()
    expect(await reports.add(trx, 'weekly_report', WEEK, [null])).toBe(1)
    const { rows } = await trx.raw('select pg_backend_pid() as pid')
    // This one waits for the first, whose end decides.
    const other = add(MONDAY)
    await database.db.raw('select pg_terminate_backend(?)', [rows[0].pid])
    expect(await other).toBe(1)
    await trx.rollback().catch(() => undefined)
    await killed.destroy()
    expect(await stored()).toHaveLength(1)
    expect(await acts()).toHaveLength(1)
  })
})

describe('the scorecards', () => {
  it('are off unless they are switched on', async () => {
    const { id: providerId } = await createProvider(database.db)
    await leadOf('2026-10-17T15:00:00Z', { providerId })
    await add(FIRST, testEnv({ WEEKLY_REPORT: 'off' }))
    expect(await stored()).toEqual([])
  })

  it('go to each active clinic that had a request in the month and wants them, once, under two workers', async () => {
    const { db } = database
    const ids: number[] = []
    while (ids.length < 6) ids.push((await createProvider(db)).id)
    const [busy, edge, idle, gone, quiet, held] = ids
    for (const providerId of [busy, busy, gone, quiet]) await leadOf('2026-10-17T15:00:00Z', { providerId })
    // The last minute of the month in New York.
    await leadOf('2026-11-01T03:59:00Z', { providerId: edge })
    await leadOf('2026-11-01T04:00:00Z', { providerId: idle })
    await leadOf('2026-10-17T15:00:00Z', { providerId: held, heldReason: 'too_fast' })
    await db('providers').where({ id: gone }).update({ status: 'f' })
    await changeRules(db, Number(quiet), { gets_scorecard: false }, { actor: 'staff' })

    const on = testEnv({ CLINIC_SCORECARDS: 'on', WEEKLY_REPORT: 'off' })
    const counts = await Promise.all([add(FIRST, on), add(FIRST, on)])
    expect(counts.toSorted()).toEqual([0, 2])
    expect(await add(new Date('2026-11-05T13:00:00Z'), on)).toBe(0)
    const card = { kind: 'scorecard', purpose: 'scorecard', ...OCTOBER }
    expect(await stored()).toMatchObject([
      { ...card, provider_id: busy },
      { ...card, provider_id: edge },
    ])
    expect((await acts()).at(-1)).toMatchObject({ details: { report: 'scorecard', ...OCTOBER, count: 2 } })
  })
})
