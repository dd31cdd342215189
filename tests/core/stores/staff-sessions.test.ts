import { afterEach, describe, expect, it } from 'vitest'
import * as staffSessions from '../../../core/stores/staff-sessions.ts'
import { HOUR } from '../../../core/time.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

/** As if so many milliseconds had passed. */
const pass = (ms: number) =>
  database.db('staff_sessions').update({ expires_at: database.db.raw(`expires_at - ? * interval '1 ms'`, [ms]) })

describe('a staff session', () => {
  it('is open from sign-in until sign-out', async () => {
    const token = await staffSessions.open(database.db)
    expect(await staffSessions.isOpen(database.db, token)).toBe(true)
    await staffSessions.close(database.db, token)
    expect(await staffSessions.isOpen(database.db, token)).toBe(false)
  })

  it('expires by itself', async () => {
    const token = await staffSessions.open(database.db)
    await pass(staffSessions.SESSION_LIFETIME - HOUR)
    expect(await staffSessions.isOpen(database.db, token)).toBe(true)
    await pass(2 * HOUR)
    expect(await staffSessions.isOpen(database.db, token)).toBe(false)
  })

  it('is one of many', async () => {
    const [one, other] = [await staffSessions.open(database.db), await staffSessions.open(database.db)]
    await staffSessions.close(database.db, one)
    expect(other).not.toBe(one)
    expect(await staffSessions.isOpen(database.db, other)).toBe(true)
  })

  it('cannot be read from the database', async () => {
    const token = await staffSessions.open(database.db)
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(JSON.stringify(await database.db('staff_sessions'))).not.toContain(token)
  })

  it.each(['', 'x', `' or true --`])('is not opened by the token %j', async (token) => {
    await staffSessions.open(database.db)
    expect(await staffSessions.isOpen(database.db, token)).toBe(false)
  })
})

describe('purge', () => {
  it('deletes what has expired, and nothing else', async () => {
    await staffSessions.open(database.db)
    await pass(staffSessions.SESSION_LIFETIME + HOUR)
    const token = await staffSessions.open(database.db)

    expect(await staffSessions.purge(database.db)).toBe(1)
    expect(await staffSessions.isOpen(database.db, token)).toBe(true)
    expect(await staffSessions.purge(database.db)).toBe(0)
  })
})
