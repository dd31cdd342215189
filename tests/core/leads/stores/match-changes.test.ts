import { describe, expect, it } from 'vitest'
import * as dueJobs from '../../../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { assignProvider, undoMatch } from '../../../../core/leads/assign-provider.ts'
import * as leadChanges from '../../../../core/leads/stores/lead-changes.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider, jobsOf } from '../../../support/factories.ts'
import { found } from '../../../support/found.ts'

const database = useDatabase()

const STAFF = { actor: 'Ada' }
const provider = async () => (await createProvider(database.db)).id
const assign = (id: number, providerId: number) => assignProvider(database.db, id, providerId, STAFF)
const undo = (id: number) => undoMatch(database.db, id, STAFF)
const everythingOf = async (id: number) => ({
  lead: await database.db('leads').where({ id }).first(),
  jobs: await jobsOf(database.db, id).orderBy(['name', 'purpose', 'generation']),
})
const due = async () => (await database.db.transaction((trx) => dueJobs.takeDue(trx, 100))).length
const open = async (id: number) =>
  (await jobs.list(database.db, `lead:${id}`))
    .filter(({ state }) => state === 'waiting')
    .map(({ purpose }) => purpose)
    .toSorted()

describe('a match by staff', () => {
  it('is delivered to nobody while it can be undone', async () => {
    const id = await createLead(database.db)
    await database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })
    await assign(id, await provider())
    expect(await due()).toBe(0)
    await database
      .db('jobs')
      .update({ next_attempt_at: database.db.raw(`next_attempt_at - ? * interval '1 ms'`, [leadChanges.undoDelay()]) })
    expect(await due()).toBe(3)
  })

  it('is undone as if it had never been, with a line in the audit log', async () => {
    const id = await createLead(database.db)
    const before = await everythingOf(id)
    const to = await provider()
    await assign(id, to)
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    const log = await database.db('audit_log').orderBy('id').select('action', 'details')
    expect(log).toEqual([
      { action: 'assign-provider', details: { from: null, to } },
      { action: 'undo-match', details: { from: to } },
    ])
  })

  it('of a held lead is undone: the lead is held again, and its team is notified', async () => {
    const id = await createLead(database.db, { heldReason: 'too_fast' })
    const before = await everythingOf(id)
    await assign(id, await provider())
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    expect(await open(id)).toEqual(['team'])
  })

  it('is undone step by step, the newest first', async () => {
    const id = await createLead(database.db, { providerId: await provider() })
    const [before, second] = [await everythingOf(id), await provider()]
    await assign(id, second)
    const between = await everythingOf(id)
    await assign(id, await provider())
    await undo(id)
    expect(await everythingOf(id)).toEqual(between)
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('cannot be undone once one of its deliveries is on its way', async () => {
    const id = await createLead(database.db)
    await assign(id, await provider())
    const { id: jobId } = found(await jobsOf(database.db, id, { purpose: 'provider' }).first('id'))
    await database.db('jobs').where('id', jobId).update({ state: 'enqueued', enqueued_at: database.db.fn.now() })
    const before = await everythingOf(id)
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('too late') })
    expect(await everythingOf(id)).toEqual(before)
  })

  it('cannot be undone where there was none', async () => {
    const id = await createLead(database.db, { providerId: await provider() })
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(undo(id + 1)).rejects.toMatchObject({ code: 'not_found' })
  })
})
