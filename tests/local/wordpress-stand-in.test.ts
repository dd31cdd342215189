import { describe, expect, test } from 'vitest'
import { type BegunRun, beginSync } from '../../core/commands/sync/begin-sync.ts'
import { startSync } from '../../core/commands/sync/start-sync.ts'
import { createLog } from '../../core/platform/log.ts'
import * as syncRuns from '../../core/stores/sync-runs.ts'
import { addDemoProviders } from '../../local/demo-providers.ts'
import { startWordPressStandIn } from '../../local/wordpress-stand-in.ts'
import { performRun } from '../../worker/sync/run.ts'
import { useDatabase } from '../support/database.ts'
import { syncEnv } from '../worker/sync/sync.ts'

const database = useDatabase()

describe('the WordPress stand-in', () => {
  test('has the clinics of the demo and three more, for its user alone', async () => {
    const wordpress = await startWordPressStandIn()
    const { db } = database
    const demo = await addDemoProviders(db)
    const sync = async (settings: Record<string, string>) => {
      const id = (await startSync(db, { trigger: 'staff', actor: 'staff' })) as number
      const run = (await beginSync(db, id)) as BegunRun
      await performRun(run, { env: syncEnv(wordpress.url, settings), db, log: createLog('test', 'silent') })
      return syncRuns.getDetails(db, id)
    }
    expect(await sync({})).toMatchObject({ state: 'failed', error: expect.stringMatching(/401 rest_forbidden/) })
    const user = { WORDPRESS_USER: wordpress.user, WORDPRESS_APP_PASSWORD: wordpress.password }
    expect(await sync(user)).toMatchObject({
      state: 'done',
      skipped: [],
      counts: { created: 3, deactivated: 0, reactivated: 0, updated: 0, missing: 0 },
    })
    expect(await db('providers')).toHaveLength(demo + 3)
    expect((await sync(user)).counts).toMatchObject({ created: 0, updated: 0 })
    const page = await (await fetch(wordpress.url)).text()
    expect(page).toContain('Lakes &amp; Pines Clinic')
    await wordpress.stop()
  })
})
