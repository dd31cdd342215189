import { describe, expect, it } from 'vitest'
import type { Bulk } from '../../core/staff/contract/bulk.ts'
import * as bulk from '../../core/staff/stores/bulk.ts'
import { startBulk } from '../../core/staff/stores/bulk.ts'
import { HOUR } from '../../core/time.ts'
import { bulkServices, runBulk } from '../support/bulk.ts'
import { useDatabase } from '../support/database.ts'
import { createLead } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'

const database = useDatabase()

async function someLeads(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push(await createLead(database.db))
  return ids
}
const start = (purpose: 'delete' | 'retry-sync', leads: (number | undefined)[]) => {
  const limit = { of: [purpose], most: 2, sentence: 'Too many.' }
  const items = leads.map((lead_id) => ({ lead_id }))
  return startBulk(database.db, { purpose, items, limit }, { actor: 'staff' })
}
const startDeletion = (leads: (number | undefined)[]) => start('delete', leads)
const read = async (id: string): Promise<Bulk> => found(await bulk.read(database.db, id))
const stored = () => database.db('leads').orderBy('id').pluck('id')
const audit = async () =>
  (await database.db('audit_log').orderBy('id')).map(
    ({ actor, action, entity_id }) => `${actor} ${action} ${entity_id}`,
  )

describe('a bulk action', () => {
  it('does nothing twice where two workers have it', async () => {
    const leads = await someLeads(40)
    const id = await startDeletion(leads)
    await Promise.all([runBulk(database.app, id), runBulk(database.app, id), runBulk(database.app, id)])
    expect((await read(id)).report).toMatchObject({ succeeded: 40, failed: 0 })
    expect((await audit()).toSorted()).toEqual(leads.map((lead) => `staff delete ${lead}`).toSorted())
  })

  it('is done after the first attempts of all its deliveries where two workers have it', async () => {
    const id = await start('retry-sync', await someLeads(20))
    const running = [runBulk(database.app, id), runBulk(database.app, id)]
    await expect.poll(() => database.db('bulk_items').where({ acted_at: null }).pluck('position')).toEqual([])
    const crm = () => database.db('jobs').where({ name: 'sync-crm', generation: 2 })
    const half = await crm().limit(10).pluck('id')
    await crm().whereIn('id', half).update({ state: 'done', finished_at: new Date() })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await read(id)).state).toBe('running')
    await crm().update({ state: 'done', finished_at: new Date() })
    await Promise.all(running)
    expect((await read(id)).report).toEqual({ succeeded: 20, failed: 0, waiting: 0, failures: [] })
    expect(await crm().pluck('id')).toHaveLength(20)
  })

  it('goes on where it was after a worker has stopped', async () => {
    const leads = await someLeads(30)
    const id = await startDeletion(leads)
    const stopping = new AbortController()
    const attempted = attempt([id], bulkServices(database.app, stopping.signal))
    await expect.poll(async () => (await audit()).length).toBeGreaterThan(0)
    stopping.abort()
    await expect(attempted).rejects.toThrow('The worker stops.')
    expect((await stored()).length).toBeGreaterThan(0)
    expect((await read(id)).state).toBe('running')

    await runBulk(database.app, id)
    expect((await read(id)).report).toEqual({ succeeded: 30, failed: 0, waiting: 0, failures: [] })
    expect((await audit()).toSorted()).toEqual(leads.map((lead) => `staff delete ${lead}`).toSorted())
  })

  it('is not late as long as it makes progress', async () => {
    const id = await start('retry-sync', await someLeads(2))
    const anHourAgo = new Date(Date.now() - HOUR)
    await database
      .db('jobs')
      .where({ id })
      .update({ next_attempt_at: anHourAgo, enqueued_at: anHourAgo, state: 'enqueued' })
    const stopping = new AbortController()
    const attempted = attempt([id], bulkServices(database.app, stopping.signal))
    const open = () => database.db('jobs').where({ id, state: 'enqueued' }).where('next_attempt_at', '>', anHourAgo)
    await expect.poll(() => open().where('enqueued_at', '>', anHourAgo)).toHaveLength(1)
    stopping.abort()
    await attempted.catch(() => {})
  })

  it('ends the attempt where the fault is ours, and goes on when it is over', async () => {
    const ids = await someLeads(30)
    const id = await startDeletion(ids)
    await database.db.raw('alter table audit_log add constraint unwritable check (false) not valid')
    try {
      await runBulk(database.app, id)
      expect(await read(id)).toMatchObject({ state: 'running', progress: { done: 0, failed: 0 } })
      expect(await database.db('jobs').where({ id }).first()).toMatchObject({
        ...{ state: 'waiting', attempts: 1, last_cause: 'our_side' },
      })
      expect(await stored()).toEqual(ids)
    } finally {
      await database.db.raw('alter table audit_log drop constraint unwritable')
    }
    await runBulk(database.app, id)
    expect((await read(id)).report).toMatchObject({ succeeded: 30, failed: 0 })
  })

  it('reports a lead at which our side fails twice, and acts on the others', async () => {
    const [first, broken, last] = await someLeads(3)
    await database.db.raw(`alter table audit_log add constraint unwritable check (entity_id <> '${broken}') not valid`)
    try {
      const id = await startDeletion([first, broken, last])
      await runBulk(database.app, id)
      const { report } = await read(id)
      expect(report).toMatchObject({ succeeded: 2, failed: 1 })
      expect(report?.failures).toMatchObject([
        { lead_id: broken, error: 'Something went wrong on our side. Please try again.' },
      ])
    } finally {
      await database.db.raw('alter table audit_log drop constraint unwritable')
    }
  })
})
