import { afterEach, describe, expect, it } from 'vitest'
import { startExport } from '../../core/commands/exports.ts'
import { eraseLead } from '../../core/commands/leads/purge-leads.ts'
import { LeadExportQuery } from '../../core/contract/leads.ts'
import { JOBS } from '../../core/jobs/jobs.ts'
import * as exportFiles from '../../core/stores/export-files.ts'
import { bulkServices } from '../support/bulk.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { PERSON_KEY } from '../support/env.ts'
import { addLeads, runExport } from '../support/exports.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const ACTOR = { actor: 'staff' }
/** Half of a piece. */
const HALF = 2 ** 19
const start = (query: object = {}, total = 5) =>
  startExport(database.app, { query: LeadExportQuery.parse(query), total }, ACTOR)
const stored = async (id: string) => found(await database.db('exports').where({ job_id: id }).first())
const jobState = async (id: string) => (await database.db('jobs').where({ id }).first('state'))?.state
const pieces = (id: string) => database.db('export_pieces').where({ job_id: id }).orderBy('position')
/** The ids of the lines of a file. */
const linesOf = async (id: string) =>
  (await pieces(id))
    .map(({ content }) => content)
    .join('')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number.parseInt(line, 10))
const announced = (id: string) => expect.objectContaining({ exports: [id] })

describe('an export', () => {
  it('is written in pieces, with its rows in each, and ends with their number', async () => {
    await addLeads(database.db, 5, HALF)
    const id = await start({ sort: 'created_at' })
    const changed = await attempt([id], bulkServices(database.app))
    expect((await pieces(id)).map(({ row_ids }) => row_ids)).toEqual([[1, 2], [3, 4], [5]])
    expect(await linesOf(id)).toEqual([1, 2, 3, 4, 5])
    expect(await stored(id)).toMatchObject({ done: 5, total: 5, attempt: 1, finished_at: expect.any(Date) })
    expect(await database.db('jobs').where({ id }).first()).toMatchObject({ state: 'done', result: { rows: 5 } })
    expect(changed).toEqual(announced(id))
  })

  it('has its progress in its row while it is written', async () => {
    await addLeads(database.db, 4, HALF)
    const id = await start({}, 4)
    const run = found(await exportFiles.begin(database.app, id))
    expect(await exportFiles.addPiece(database.app, run, { position: 0, content: 'a', ids: [4, 3] })).toBe(true)
    expect(await exportFiles.list(database.app, ACTOR)).toMatchObject([{ id, state: 'running', done: 2, total: 4 }])
  })

  it('is handed back by a worker that stops, and is written again by the next one', async () => {
    await addLeads(database.db, 5, HALF)
    const id = await start()
    const stopping = new AbortController()
    stopping.abort()
    await expect(runExport(database.app, id, stopping.signal)).rejects.toThrow('The worker stops.')
    expect(await jobState(id)).toBe('waiting')
    expect((await stored(id)).finished_at).toBeNull()

    await runExport(database.app, id)
    expect(await linesOf(id)).toEqual([5, 4, 3, 2, 1])
    expect(await database.db('audit_log').where({ action: 'export' }).pluck('details')).toMatchObject([
      { begins: true },
      { rows: 5, complete: true },
    ])
  })

  it('has nothing of an attempt that was cut off', async () => {
    await addLeads(database.db, 5, HALF)
    const id = await start()
    const run = found(await exportFiles.begin(database.app, id))
    for (const position of [0, 1, 7]) {
      await exportFiles.addPiece(database.app, run, { position, content: 'of the first attempt', ids: [position] })
    }
    await runExport(database.app, id)
    expect((await pieces(id)).map(({ position }) => position)).toEqual([0, 1, 2])
    expect(await linesOf(id)).toEqual([5, 4, 3, 2, 1])
    expect((await stored(id)).done).toBe(5)
    // The first worker wakes up.
    expect(await exportFiles.addPiece(database.app, run, { position: 3, content: 'late', ids: [1] })).toBe(false)
    expect(await database.app.transaction((trx) => exportFiles.finish(trx, run, 3))).toBe(false)
    expect(await pieces(id)).toHaveLength(3)
  })

  it('is one whole file where two workers have it', async () => {
    await addLeads(database.db, 8, HALF)
    const id = await start()
    const attempts = await Promise.allSettled([runExport(database.app, id), runExport(database.app, id)])
    expect(attempts.map(({ status }) => status)).toContain('fulfilled')
    expect(await linesOf(id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(await database.db('audit_log').whereRaw(`details ->> 'complete' = 'true'`)).toHaveLength(1)
  })

  it('fails after some attempts while the fault is ours, and is shown as failed', async () => {
    await addLeads(database.db, 1)
    const id = await start()
    await database.db.raw('alter table export_pieces add constraint unwritable check (false) not valid')
    try {
      for (let n = 0; n < JOBS.export.retry.attempts; n++) await runExport(database.app, id)
    } finally {
      await database.db.raw('alter table export_pieces drop constraint unwritable')
    }
    expect(await database.db('jobs').where({ id }).first()).toMatchObject({ state: 'failed', last_cause: 'our_side' })
    expect(await exportFiles.list(database.app, ACTOR)).toMatchObject([{ id, state: 'failed' }])
  })
})

describe('deleting a lead for good', () => {
  const erase = (id: number, reason: 'deleted' | 'retention' = 'deleted') =>
    database.app.transaction((trx) => eraseLead(trx, id, { reason, personKey: PERSON_KEY }))

  it('deletes the files that may hold it, with their searches', async () => {
    await addLeads(database.db, 3)
    const id = await start({ q: 'Avery' })
    await runExport(database.app, id)
    await erase(2)
    expect(await pieces(id)).toEqual([])
    expect(await stored(id)).toMatchObject({ deleted_because: 'erased', query: null })
    expect(await exportFiles.list(database.app, ACTOR)).toMatchObject([{ id, state: 'erased', query: null }])
  })

  it('stops an export that is under way, and leaves one that has not begun', async () => {
    await addLeads(database.db, 3)
    const [begun, waiting] = [await start(), await start()]
    const run = found(await exportFiles.begin(database.app, begun))
    await erase(2)
    expect(await exportFiles.addPiece(database.app, run, { position: 0, content: 'late', ids: [2] })).toBe(false)
    expect([await jobState(begun), await jobState(waiting)]).toEqual(['cancelled', 'waiting'])
    await runExport(database.app, waiting)
    expect(await linesOf(waiting)).toEqual([3, 1])
  })

  it('makes an export wait that begins meanwhile', async () => {
    await addLeads(database.db, 3)
    const id = await start()
    const erasing = await database.app.transaction()
    await eraseLead(erasing, 2, { reason: 'deleted', personKey: PERSON_KEY })
    const running = runExport(database.app, id)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await stored(id)).started_at).toBeNull()
    await erasing.commit()
    await running
    expect(await linesOf(id)).toEqual([3, 1])
  })
})

it('an export that has expired loses its file and its search', async () => {
  await addLeads(database.db, 2)
  const [done, waiting] = [await start({ q: 'Avery' }), await start()]
  await runExport(database.app, done)
  expect(await exportFiles.expire(database.app)).toBe(0)

  await database.db('exports').update({ expires_at: new Date(Date.now() - 1000) })
  expect(await exportFiles.list(database.app, ACTOR)).toEqual([])
  expect(await exportFiles.expire(database.app)).toBe(2)
  expect(await database.db('export_pieces')).toEqual([])
  expect(await stored(done)).toMatchObject({ deleted_because: 'expired', query: null })
  expect(await jobState(waiting)).toBe('cancelled')
})
