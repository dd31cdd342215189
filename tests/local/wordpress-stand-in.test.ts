import { describe, expect, test } from 'vitest'
import { type BegunRun, beginSync } from '../../core/commands/sync/begin-sync.ts'
import { startSync } from '../../core/commands/sync/start-sync.ts'
import { createLog } from '../../core/platform/log.ts'
import * as syncRuns from '../../core/stores/sync-runs.ts'
import { addDemoProviders } from '../../local/demo-providers.ts'
import { startWordPressStandIn } from '../../local/wordpress-stand-in.ts'
import { ensureDraft } from '../../worker/sync/drafts.ts'
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

  test('takes drafts with the fields that it has, from its user alone', async () => {
    const wordpress = await startWordPressStandIn()
    const user = { WORDPRESS_USER: wordpress.user, WORDPRESS_APP_PASSWORD: wordpress.password }
    const settings = { ...syncEnv(wordpress.url, user), WORDPRESS_URL: wordpress.url }
    const fields = { practiceName: 'Quill Clinic', zipCode: '78701', email: 'desk@quill.example', active: true }
    const draft = { slug: 'quill-clinic-1', title: 'Dr. Ines Calloway', fields }
    const id = await ensureDraft(draft, { settings })
    expect(await ensureDraft(draft, { settings })).toBe(id)
    expect(await (await fetch(`${wordpress.url}/wp-admin/post.php?post=${id}`)).text()).toContain('desk@quill.example')

    const post = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${wordpress.url}/wp-json/wp/v2/providers`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'content-type': 'application/json', ...headers },
      }).then(({ status }) => status)
    const authorization = `Basic ${btoa(`${wordpress.user}:${wordpress.password}`)}`
    expect(await post({})).toBe(401)
    expect(await post({ status: 'publish', slug: 'a', title: 'A', acf: {} }, { authorization })).toBe(400)
    expect(await post({ status: 'draft', slug: 'a', title: 'A', acf: { shoe: '9' } }, { authorization })).toBe(400)
    await wordpress.stop()
  })
})
