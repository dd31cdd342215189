import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginSync, isAbandoned, startSync } from '../../../core/sync/runs.ts'
import { syncCommand } from '../../../worker/sync/main.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { createSyncRun } from '../../support/factories.ts'
import { waitFor } from '../../support/wait.ts'
import { clinicPost, failure, startWordPress, type TestWordPress } from '../../support/wordpress-server.ts'

const database = useDatabase()
let wordpress: TestWordPress
beforeEach(async () => {
  wordpress = await startWordPress()
  wordpress.posts.push(...Array.from({ length: 12 }, (_, index) => clinicPost(index + 1)))
})
afterEach(() => wordpress.close())

const envOf = (settings: Record<string, string> = {}) => ({
  DATABASE_URL: database.appUrl,
  WORDPRESS_URL: wordpress.url,
  ...settings,
})
/** `npm run sync -- …`. Stops it once `stopAt` has come. */
const command = (args: string[] = [], settings: Record<string, string> = {}, stopAt?: () => Promise<unknown>) => {
  const stop = new AbortController()
  const stopSignal = () => {
    stopAt?.().then(() => stop.abort())
    return stop.signal
  }
  return callCommand((given) => syncCommand(given, stopSignal), args, { env: envOf(settings) })
}
const rows = () => database.db('providers').orderBy('wordpress_id')

describe('npm run sync', () => {
  it('syncs and says so in a line', async () => {
    wordpress.posts.push(clinicPost(99, {}, { email: '' }))
    expect(await command()).toEqual({
      code: 0,
      text: 'Sync 1: 13 posts seen: 12 created, 0 updated, 0 deactivated, 0 reactivated, 0 unchanged, 1 skipped, 0 missing; 0 waiting leads are matched again.',
    })
    expect(await rows()).toHaveLength(12)
    expect(await database.db('audit_log').first()).toMatchObject({ actor: 'command line', action: 'sync' })
  })

  it('runs once when it is called twice at the same time', async () => {
    // The second run's number is taken even though there is none: then it has found the first, which waits for WordPress.
    const isJoined = async () => {
      const { rows: ids } = await database.db.raw('select last_value::integer as id from provider_syncs_id_seq')
      return ids[0].id === 2
    }
    wordpress.intercept(async (_page, answer) => {
      await waitFor('the second to join', isJoined)
      await sleep(300)
      return answer
    })
    const run = () => runCommandFile('worker/sync/main', [], { env: envOf() })
    const both = await Promise.all([run(), run()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both[0]?.text).toBe(both[1]?.text)
    expect(await database.db('provider_syncs')).toHaveLength(1)
  })

  it('goes on with the run of a command that was killed, once its lease has ended', async () => {
    const id = (await startSync(database.db, { trigger: 'command', actor: 'command line' })) as number
    await beginSync(database.db, id)
    expect(await isAbandoned(database.db, id)).toBe(false)
    await database.db('jobs').update({ next_attempt_at: database.db.fn.now() })
    expect(await command()).toMatchObject({ code: 0, text: expect.stringMatching(/^Sync 1: 12 posts seen/) })
    expect(await database.db('provider_syncs')).toMatchObject([{ state: 'done', attempt: 2 }])
    expect(await database.db('jobs').where('name', 'sync-providers')).toMatchObject([{ state: 'done' }])
  })

  describe('on Ctrl+C', () => {
    const runs = () => database.db('provider_syncs').orderBy('id')
    const asked = () => waitFor('a request', () => wordpress.requests.length > 0)
    beforeEach(() => wordpress.intercept(() => null))

    it('ends the run that it has started', async () => {
      expect(await runCommandFile('worker/sync/main', [], { env: envOf(), stopAt: asked })).toEqual({
        code: 1,
        text: 'Sync 1: The command was stopped. Nothing was changed.',
      })
      expect(await runs()).toMatchObject([{ state: 'failed', error: 'The command was stopped. Nothing was changed.' }])
    })

    it('ends it also while it waits for another one', async () => {
      await createSyncRun(database.db, { dry_run: true, state: 'running', finished_at: null })
      const waits = () => waitFor('the run', async () => (await runs()).length === 2)
      expect(await command([], {}, waits)).toMatchObject({ code: 1, text: expect.stringMatching(/was stopped/) })
      expect(await runs()).toMatchObject([{ state: 'running' }, { state: 'failed' }])
    })

    it('hands back a run that somebody else has started', async () => {
      await startSync(database.db, { trigger: 'staff', actor: 'staff' })
      expect(await command([], {}, asked)).toEqual({ code: 1, text: 'Sync 1 continues without this command.' })
      expect(await runs()).toMatchObject([{ state: 'waiting', error: null }])
    })
  })

  it('says what went wrong, and ends with 1', async () => {
    wordpress.intercept(() => failure(404, 'rest_no_route'))
    expect(await command()).toEqual({
      code: 1,
      text: expect.stringMatching(/^Sync 1: Page 1 could not be read\. .* Nothing was changed\.$/),
    })
    expect(await command([], { WORDPRESS_URL: '' })).toEqual({
      code: 1,
      text: 'WordPress is not configured: set WORDPRESS_URL.',
    })
    expect(await command([], { WORDPRESS_FIELDS: '{"zip": "x"}' })).toMatchObject({
      code: 1,
      text: expect.stringMatching(/WORDPRESS_FIELDS must be JSON/),
    })
  })
})
