import cron from 'node-cron'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../core/platform/log.ts'
import { scheduledTasks } from '../../worker/schedule.ts'
import { useDatabase } from '../support/database.ts'
import { testEnv } from '../support/env.ts'
import { createApplication, createLead } from '../support/factories.ts'

const database = useDatabase()
const tasks = () =>
  scheduledTasks(database.app, testEnv(), { log: createLog('test', 'silent'), signal: AbortSignal.timeout(10_000) })

describe('the scheduled tasks', () => {
  const runAll = async () => {
    for (const [, name, run] of tasks()) await expect(run(), name).resolves.toEqual(expect.any(Number))
  }

  it('all work in the role of the app, which does not own the tables', async () => {
    await createLead(database.db)
    await createApplication(database.db)
    await runAll()
  })

  it('have one name each, and times that the clock knows', () => {
    const names = tasks().map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(tasks().filter(([expression]) => !cron.validate(expression))).toEqual([])
  })
})
