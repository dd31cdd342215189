import { expect, it } from 'vitest'
import { countRows } from '../../../core/platform/db.ts'
import { addLeads } from '../../support/exports.ts'
import { staffHeaders } from '../../support/factories.ts'
import { describeOnRedis, type Site, startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const SECOND = 1000
/** A killed worker's jobs are taken over after 15 s at most. */
const TAKEN_OVER = { within: 40 * SECOND }
const KILLS = 2
/** Ten pieces, each written in 0.2 s. */
const LEADS = 1000
const LEAD_SIZE = 10_000
const SLOWLY = `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
  create trigger slowly before insert on export_pieces for each row execute function slowly()`

describeOnRedis('A large export whose worker is killed again and again', () => {
  it('ends as one whole file, and its search is in no queue and no log', async () => {
    const { site, api, staff, start, isEnded } = await startStaffed()
    const id = await start({ q: 'averyx', sort: 'name' })
    await waitFor('the job to be in the queue', async () => (await site.redis.dump()).includes('jobId'))
    const outputs = [await site.redis.dump()]
    for (let kill = 1; kill <= KILLS; kill++) {
      const worker = await site.startWorker()
      await someWritten(site, kill)
      await worker.kill('SIGKILL')
      outputs.push(worker.output())
    }
    expect(await site.db('exports').first()).toMatchObject({ finished_at: null, done: expect.any(Number) })
    const worker = await site.startWorker()
    await waitFor('its end', () => isEnded(id), TAKEN_OVER)

    const read = async (path: string): Promise<string> => (await api.call('GET', path, undefined, staff)).body
    const file = await read(`/api/exports/${id}/file`)
    expect(file.split('\r\n')).toHaveLength(LEADS + 2)
    expect(file === (await read('/api/leads.csv?q=averyx&sort=name'))).toBe(true)
    const ended = await site.db('audit_log').whereRaw(`details @> '{"prepares": true, "complete": true}'`)
    expect(ended).toMatchObject([{ details: { rows: LEADS } }])
    outputs.push(api.output(), worker.output(), await site.redis.dump())
    expect(outputs.join('\n').toLowerCase()).not.toContain('averyx')
  })

  it('is taken over from a worker that was told to stop, which ends at once', async () => {
    const { site, start, isEnded } = await startStaffed()
    const id = await start({})
    const worker = await site.startWorker()
    await someWritten(site, 1)
    expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await isEnded(id)).toBe(false)

    await site.startWorker()
    await waitFor('its end', () => isEnded(id), TAKEN_OVER)
    const ids: number[][] = await site.db('export_pieces').orderBy('position').pluck('row_ids')
    expect(ids.flat()).toEqual(Array.from({ length: LEADS }, (_, n) => LEADS - n))
  })

  async function startStaffed() {
    const site = await startSite()
    await addLeads(site.db, LEADS, LEAD_SIZE)
    await site.db('leads').update({ last_name: site.db.raw(`replace(last_name, 'Avery', 'AveryX')`) })
    await site.db.raw(SLOWLY)
    const staff = await staffHeaders(site.db)
    const api = await site.startApi()
    return {
      site,
      api,
      staff,
      async start(query: unknown): Promise<string> {
        const { status, body } = await api.call('POST', '/api/exports', query, staff)
        expect(status).toBe(202)
        return body.id
      },
      isEnded: async (id: string) => (await site.db('jobs').where({ id }).first('state'))?.state === 'done',
    }
  }

  /** Waits until the attempt of this number has written some pieces. */
  const someWritten = (site: Site, attempt: number) =>
    waitFor(
      `some pieces of attempt ${attempt}`,
      async () =>
        (await site.db('exports').first('attempt'))?.attempt === attempt &&
        (await countRows(site.db('export_pieces'))) > 2,
      TAKEN_OVER,
    )
})
