import { describe, expect, it } from 'vitest'
import { matchWhereRoom } from '../../core/leads/advance-clocks.ts'
import { changeRules } from '../../core/providers/change-provider.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }
const { worker, runAll, lead, newest } = useLeadJobs()

describe('a lead whose clinics in reach are all full or paused', () => {
  const full = async () => {
    const { id: providerId } = await createProvider(worker.db)
    await changeRules(worker.db, providerId, { daily_cap: 1 }, STAFF)
    await createLead(worker.db, { providerId })
    const id = await createLead(worker.db)
    return { id, providerId }
  }
  const toVisitor = (id: number) => newest(id, 'send-email', 'visitor').catch(() => undefined)

  it('is told to the team and the visitor by default, with the reason on the lead', async () => {
    const { id, providerId } = await full()
    await runAll(id)
    expect(await lead(id)).toMatchObject({
      ...{ provider_id: null, unreached_at: null },
      match_skipped: [{ id: providerId, obstacle: { reason: 'full', period: 'day', used: 1, cap: 1 } }],
    })
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients)).toContain(worker.env.TEAM_EMAIL)
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(0)
  })

  it('waits where the setting says so, and is matched once there is room', async () => {
    const { id, providerId } = await full()
    worker.env = { ...worker.env, NO_ROOM: 'wait' }
    await runAll(id)
    expect(worker.smtp.mails).toEqual([])
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(0)

    await changeRules(worker.db, providerId, { daily_cap: 2 }, STAFF)
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(1)
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(0)
    await runAll(id)
    expect(await lead(id)).toMatchObject({ provider_id: providerId, match_skipped: null })
    expect(await toVisitor(id)).toMatchObject({ state: 'done' })
  })

  it('is told to the team after all when it is too old to wait', async () => {
    const { id } = await full()
    worker.env = { ...worker.env, NO_ROOM: 'wait' }
    await runAll(id)
    await worker
      .db('leads')
      .where({ id })
      .update({ created_at: new Date(0) })
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(1)
    await runAll(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients)).toContain(worker.env.TEAM_EMAIL)
    expect(await matchWhereRoom(worker.db, worker.env)).toBe(0)
  })
})
