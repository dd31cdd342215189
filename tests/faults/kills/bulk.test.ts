import { describe, expect, it } from 'vitest'
import { countRows, type Db } from '../../../core/platform/db.ts'
import type { Bulk } from '../../../core/staff/contract/bulk.ts'
import { slowCrm } from '../../support/deliveries.ts'
import { createLead, staffHeaders } from '../../support/factories.ts'
import { type Site, startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const SECOND = 1000
/** A killed worker's jobs are taken over after 15 s at most. */
const TAKEN_OVER = { within: 40 * SECOND }
const KILLS = 2
const MANY_LEADS = `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'Jordan', 'Avery', 'a@visitors.example', '1', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 1500)`

const countDeleted = (db: Db) => countRows(db('all_leads').whereNotNull('deleted_at'))

describe('A bulk action whose worker is killed again and again', () => {
  it('acts on every lead, and on none twice', async () => {
    const { site, start } = await startStaffed()
    await site.db.raw(MANY_LEADS)
    const id = await start({ action: 'delete', filter: {}, expected: 1500 })
    await killInTheMiddle(site, () => countDeleted(site.db))

    await waitFor('its end', async () => (await stateOf(site, id)) === 'done', TAKEN_OVER)
    expect(await site.db('leads').pluck('id')).toEqual([])
    const acts = await site.db('audit_log').where({ action: 'delete' }).pluck('entity_id')
    expect({ acts: acts.length, leads: new Set(acts).size }).toEqual({ acts: 1500, leads: 1500 })
    expect(await site.db('bulk_items').where({ job_id: id }).whereNot({ outcome: 'succeeded' })).toEqual([])
  })

  it('goes on after a worker that was told to stop, which ends at once', async () => {
    const { site, start } = await startStaffed()
    await site.db.raw(MANY_LEADS)
    const id = await start({ action: 'delete', filter: {}, expected: 1500 })
    const worker = await site.startWorker()
    await waitFor('some rows', async () => (await countDeleted(site.db)) > 20)
    expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await site.db('leads').pluck('id')).not.toEqual([])

    await site.startWorker()
    await waitFor('its end', async () => (await stateOf(site, id)) === 'done', TAKEN_OVER)
    expect(await site.db('bulk_items').whereNot({ outcome: 'succeeded' })).toEqual([])
  })

  it('retries every delivery once, and waits again for the outcomes', async () => {
    const { site, start, read } = await startStaffed()
    const ids: number[] = []
    for (let n = 0; n < 200; n++) ids.push(await createLead(site.db, { providerId: site.providerId }))
    await site.db('jobs').update({ state: 'done', finished_at: new Date() })
    site.crm.answer(slowCrm(() => 500))
    const id = await start({ action: 'retry-sync', ids })
    const acted = async () => (await site.db('bulk_items').whereNotNull('acted_at').pluck('position')).length
    await killInTheMiddle(site, acted, 1)

    await waitFor('its end', async () => (await stateOf(site, id)) === 'done', TAKEN_OVER)
    const generations = await site.db('jobs').where({ name: 'sync-crm' }).pluck('generation')
    expect(generations.toSorted()).toEqual([...Array(200).fill(1), ...Array(200).fill(2)])
    const { progress, report } = await read(id)
    expect(progress).toEqual({ done: 200, total: 200, failed: 0 })
    expect(report).toEqual({ succeeded: 200, failed: 0, waiting: 0, failures: [] })
  })

  async function startStaffed() {
    const site = await startSite()
    const staff = await staffHeaders(site.db)
    const api = await site.startApi()
    return {
      site,
      async start(body: unknown): Promise<string> {
        const { status, body: started } = await api.call('POST', '/api/leads/bulk', body, staff)
        expect(status).toBe(202)
        return started.id
      },
      read: async (id: string): Promise<Bulk> => (await api.call('GET', `/api/bulk/${id}`, undefined, staff)).body,
    }
  }

  /** Kills workers as soon as each of them has acted on some rows. The last one lives. */
  async function killInTheMiddle(site: Site, count: () => Promise<number>, kills = KILLS): Promise<void> {
    for (let kill = 1; kill <= kills; kill++) {
      const before = await count()
      const worker = await site.startWorker()
      await waitFor(`some rows before kill ${kill}`, async () => (await count()) > before + 20, TAKEN_OVER)
      await worker.kill('SIGKILL')
    }
    expect(await site.db('bulk_items').where({ acted_at: null }).pluck('position')).not.toEqual([])
    await site.startWorker()
  }

  const stateOf = async (site: Site, id: string) => (await site.db('jobs').where({ id }).first('state'))?.state
})
