import { describe, expect, it } from 'vitest'
import { countRows } from '../../core/platform/db.ts'
import { createLead } from '../support/factories.ts'
import { addPurge, createExpiredLeads } from '../support/purges.ts'
import { type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
/** A killed worker’s jobs are taken over after 15 s at most, and a busy machine deletes 50 leads a second. */
const TAKEN_OVER = { within: 90 * SECOND }
const OLD = 2000
const KILLS = 2

describe('A purge of old leads', () => {
  it('is finished by other workers when one after the other is killed in the middle, and deletes nothing else', async () => {
    const { site, id, young } = await startPurge()
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = await deleted(site)
      const worker = await site.startWorker()
      await waitFor(`some batches before kill ${kill}`, async () => (await deleted(site)) > before + 100, TAKEN_OVER)
      await worker.kill('SIGKILL')
    }
    expect(await deleted(site)).toBeLessThan(OLD)
    await site.startWorker()
    await expectFinished(site, { id, young })
  })

  it('goes on after a worker that was told to stop, which ends at once', async () => {
    const { site, id, young } = await startPurge()
    const worker = await site.startWorker()
    await waitFor('some batches', async () => (await deleted(site)) > 0, TAKEN_OVER)
    expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await deleted(site)).toBeLessThan(OLD)
    // It was handed back: nothing has failed.
    expect(await site.db('jobs').where({ id }).first()).toMatchObject({ attempts: 0, last_error: null })

    await site.startWorker()
    await expectFinished(site, { id, young })
  })

  async function startPurge() {
    const site = await startSite()
    const young = [await createLead(site.db, { providerId: site.providerId }), await createLead(site.db)]
    await createExpiredLeads(site.db, OLD)
    const id = await addPurge(site.db, 'expired-leads')
    await site.startApi()
    return { site, id, young }
  }

  const deleted = async ({ db }: Site) => countRows(db('erasures'))

  async function expectFinished({ db }: Site, { id, young }: { id: string; young: number[] }): Promise<void> {
    await waitFor('its end', async () => (await db('jobs').where({ id }).first('state'))?.state === 'done', TAKEN_OVER)
    expect(await db('leads').orderBy('id').pluck('id')).toEqual(young)
    // Each is deleted and counted once, by this one job.
    const acts = await db('audit_log').where({ action: 'purge' }).pluck('entity_id')
    expect({ acts: acts.length, leads: new Set(acts).size }).toEqual({ acts: OLD, leads: OLD })
    expect(await db('jobs').where({ name: 'purge' })).toMatchObject([{ id, result: { deleted: OLD } }])
    const attempts = await db('job_attempts').where({ job_id: id }).pluck('outcome')
    expect(attempts.filter((outcome) => outcome === 'done')).toHaveLength(1)
  }
})
