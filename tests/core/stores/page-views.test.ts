import { afterEach, describe, expect, it } from 'vitest'
import * as pageViews from '../../../core/stores/page-views.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const PERIOD = { from: '2026-03-01', to: '2026-03-31', timeZone: 'America/New_York' }
const seen = (day: string, columns: object = {}) => ({
  ...{ day, source: '', campaign: '', page: 'home', device: 'phone', event: 'seen', count: 1 },
  ...columns,
})
const put = (table: string, rows: object[]) => database.db(table).insert(rows)
const experimentOf = async (heading?: string) =>
  (await pageViews.read(database.app, PERIOD, { isOn: true, heading })).experiment

describe('an experiment', () => {
  const day = (heading: string, on: string, variant: string, counts: [seen: number, submitted: number]) => ({
    ...{ heading, day: on, variant, seen: counts[0], submitted: counts[1] },
  })

  it('is the running one, or else the last one, over all its days', async () => {
    await put('experiment_counts', [
      day('An earlier heading', '2026-01-01', 'original', [10, 1]),
      day('A later heading', '2026-02-01', 'original', [10, 1]),
      day('A later heading', '2026-02-03', 'other', [20, 4]),
      day('A later heading', '2026-02-04', 'other', [10, 2]),
    ])
    expect(await experimentOf()).toMatchObject({
      ...{ heading: 'A later heading', isRunning: false, from: '2026-02-01', to: '2026-02-04' },
      variants: { original: { seen: 10, submitted: 1, share: 0.1 }, other: { seen: 30, submitted: 6, share: 0.2 } },
    })
    expect(await experimentOf('An earlier heading')).toMatchObject({ isRunning: true, to: '2026-01-01' })
    expect(await experimentOf('A heading without page loads')).toBeNull()
  })

  it('is planned with the share of the home page in the four weeks before', async () => {
    await put('page_view_counts', [
      seen('2026-01-03', { count: 5000 }),
      seen('2026-01-20', { count: 900 }),
      seen('2026-01-31', { count: 100 }),
      seen('2026-01-31', { count: 100, event: 'submitted' }),
      seen('2026-01-31', { count: 700, page: 'start' }),
      seen('2026-02-01', { count: 700 }),
    ])
    await put('experiment_counts', [
      day('Another heading', '2026-02-10', 'original', [3841, 300]),
      day('Another heading', '2026-02-10', 'other', [3840, 300]),
    ])
    expect(await experimentOf()).toMatchObject({ planned: { isMeasured: true, baseline: 100 / 1700 } })
    await database.db('page_view_counts').where('day', '=', '2026-02-01').delete()
    await database.db('experiment_counts').update({ day: database.db.raw(`date '2026-02-01'`) })
    expect(await experimentOf()).toMatchObject({ planned: { perVariant: 3841, baseline: 0.1 }, isComplete: false })
    await database.db('experiment_counts').update({ seen: 3841 })
    expect(await experimentOf()).toMatchObject({ isComplete: true })
  })
})

describe('the purge', () => {
  it('deletes old counts of every table, and nothing when they are kept without a limit', async () => {
    const tables = ['page_view_counts', 'web_vital_counts', 'experiment_counts'] as const
    for (const on of ['2020-01-01', new Date().toISOString().slice(0, 10)]) {
      await put('page_view_counts', [seen(on)])
      await put('web_vital_counts', [{ day: on, page: 'home', device: 'phone', vital: 'lcp', bucket: 1, count: 1 }])
      await put('experiment_counts', [{ heading: 'Another', day: on, variant: 'other', seen: 1, submitted: 0 }])
    }
    expect(await pageViews.isPurgeDue(database.app, Infinity)).toBe(false)
    expect(await pageViews.purge(database.app, Infinity)).toBe(0)
    expect(await pageViews.isPurgeDue(database.app, 30)).toBe(true)
    expect(await pageViews.purge(database.app, 30)).toBe(3)
    expect(await pageViews.isPurgeDue(database.app, 30)).toBe(false)
    for (const table of tables) expect(await database.db(table)).toHaveLength(1)
  })
})
