import { expect, it } from 'vitest'
import { countRows } from '../../../core/platform/db.ts'
import { createLead } from '../../support/factories.ts'
import { addPurge, createExpiredLeads } from '../../support/purges.ts'
import { startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const SECOND = 1000
/** A killed worker’s jobs are taken over after 15 s at most, and a busy machine deletes 50 leads a second. */
const TAKEN_OVER = { within: 90 * SECOND }
const OLD = 1000
const KILLS = 2

it('A purge is finished by other workers when one after the other is killed in the middle, and deletes nothing else', async () => {
  const { db, startApi, startWorker, providerId } = await startSite()
  const young = [await createLead(db, { providerId }), await createLead(db)]
  await createExpiredLeads(db, OLD)
  const id = await addPurge(db)
  await startApi()
  const deleted = () => countRows(db('erasures'))
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await deleted()
    const worker = await startWorker()
    await waitFor(`some batches before kill ${kill}`, async () => (await deleted()) > before + 100, TAKEN_OVER)
    await worker.kill('SIGKILL')
  }
  expect(await deleted()).toBeLessThan(OLD)

  await startWorker()
  await waitFor('its end', async () => (await db('jobs').where({ id }).first('state'))?.state === 'done', TAKEN_OVER)
  expect(await db('leads').orderBy('id').pluck('id')).toEqual(young)
  // Each is deleted once, by this one job.
  const acts = await db('audit_log').where({ action: 'purge' }).pluck('entity_id')
  expect({ acts: acts.length, leads: new Set(acts).size }).toEqual({ acts: OLD, leads: OLD })
  expect(await db('jobs').where({ name: 'purge' }).pluck('id')).toEqual([id])
  expect(await countRows(db('job_attempts').where({ job_id: id, outcome: 'done' }))).toBe(1)
})
