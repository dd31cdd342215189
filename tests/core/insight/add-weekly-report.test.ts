import { describe, expect, it } from 'vitest'
import * as reports from '../../../core/insight/stores/reports.ts'
import { addWeeklyReport } from '../../../core/insight/stores/reports.ts'
import { openDb } from '../../../core/platform/db.ts'
import { useDatabase } from '../../support/database.ts'
import { testEnv } from '../../support/env.ts'
import { createLead } from '../../support/factories.ts'

const database = useDatabase()

const MONDAY = new Date('2026-11-23T13:00:00Z')
const WEEK = { from: '2026-11-16', to: '2026-11-22' }
/** Adds what is due, as a worker does: in the role of the app. */
const add = (now: Date, settings = testEnv()) => addWeeklyReport(database.app, settings, now)

async function leadOf(at: string, options: Parameters<typeof createLead>[1] = {}): Promise<number> {
  const id = await createLead(database.db, options)
  await database.db('leads').where({ id }).update({ created_at: at })
  return id
}

const stored = async () =>
  database
    .db('jobs')
    .where('subject_kind', 'report')
    .orderBy('subject_id')
    .select('name', 'purpose', 'state', 'subject_id')
    .then((jobs) => jobs.map(({ subject_id, ...job }) => ({ ...job, ...reports.find(Number(subject_id)).period })))
const acts = () => database.db('audit_log').orderBy('id').select('actor', 'action', 'details')

describe('the weekly report', () => {
  it('is added once, with its job and a line in the activity, by any number of workers at the same time', async () => {
    await leadOf('2026-11-17T15:00:00Z')
    const counts = await Promise.all(Array.from({ length: 8 }, () => add(MONDAY)))
    expect(counts.filter(Boolean)).toHaveLength(1)
    expect(await add(new Date('2026-11-25T13:00:00Z'))).toBe(false)
    expect(await stored()).toEqual([
      {
        ...{ ...WEEK, name: 'send-email', purpose: 'weekly_report', state: 'waiting' },
      },
    ])
    const details = WEEK
    expect(await acts()).toEqual([{ actor: 'system', action: 'send-report', details }])
  })

  it('comes later where no worker ran on Monday, and only the last one', async () => {
    await leadOf('2026-10-01T15:00:00Z')
    expect(await add(new Date('2026-11-28T20:00:00Z'))).toBe(true)
    expect(await add(new Date('2026-11-30T13:00:00Z'))).toBe(true)
    expect(await stored()).toMatchObject([WEEK, { from: '2026-11-23', to: '2026-11-29' }])
  })

  it('is left out before 08:00, and while no lead has ever come', async () => {
    expect(await add(MONDAY)).toBe(false)
    await leadOf('2026-11-23T12:00:00Z')
    expect(await add(MONDAY)).toBe(false)
    await leadOf('2026-11-17T15:00:00Z')
    expect(await add(new Date('2026-11-23T12:00:00Z'))).toBe(false)
    expect(await stored()).toEqual([])
  })

  it('is added by the next worker when one is killed before it has committed', async () => {
    await leadOf('2026-11-17T15:00:00Z')
    const killed = openDb(database.appUrl)
    const trx = await killed.transaction()
    expect(await reports.add(trx, WEEK)).toBe(true)
    const { rows } = await trx.raw('select pg_backend_pid() as pid')
    // This one waits for the first, whose end decides.
    const other = add(MONDAY)
    await database.db.raw('select pg_terminate_backend(?)', [rows[0].pid])
    expect(await other).toBe(true)
    await trx.rollback().catch(() => undefined)
    await killed.destroy()
    expect(await stored()).toHaveLength(1)
    expect(await acts()).toHaveLength(1)
  })
})
