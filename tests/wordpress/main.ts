// `npm run test:wordpress`: the whole sync against a real WordPress, of Debian's packages. Where these are not installed it
// names them and fails.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_TIME_ZONE, readSyncEnv } from '../../core/env.ts'
import { prepareDatabase } from '../../core/migrate.ts'
import { type Db, openDb } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import type { SyncRunDetails } from '../../core/sync/contract/sync.ts'
import { type BegunRun, beginSync, startSync } from '../../core/sync/runs.ts'
import * as syncRuns from '../../core/sync/stores/sync-runs.ts'
import { createDatabase, startPostgres } from '../../local/postgres.ts'
import { performRun } from '../../worker/sync/run.ts'
import { found } from '../support/found.ts'
import { type RealSite, startRealSite, whatIsMissing } from './real-site.ts'

const missing = whatIsMissing()
if (missing.length > 0) {
  console.error(`The sync was NOT RUN against a real WordPress: ${missing.join(', ')} not installed.`)
  process.exitCode = 1
} else {
  await run()
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-wordpress-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), fsync: false })
  try {
    const DATABASE_URL = await createDatabase(postgres.url, 'wordpress')
    const db = openDb(DATABASE_URL, { poolSize: 3 })
    await prepareDatabase(db, DEFAULT_TIME_ZONE)
    try {
      const site = await startRealSite(folder)
      await check(db, DATABASE_URL, site).finally(site.stop)
    } finally {
      await db.destroy()
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function check(db: Db, DATABASE_URL: string, site: RealSite): Promise<void> {
  const sync = async (settings: Record<string, string> = {}): Promise<SyncRunDetails> => {
    const id = (await startSync(db, { trigger: 'staff', actor: 'staff' })) as number
    const run = (await beginSync(db, id)) as BegunRun
    const env = readSyncEnv({ DATABASE_URL, WORDPRESS_URL: site.url, ...settings })
    await performRun(run, { env, db, log: createLog('wordpress', 'silent') })
    return found(await syncRuns.find(db, id))
  }
  const passes = async (what: string, test: () => Promise<void>) => {
    await test()
    console.log(`  ok: ${what}`)
  }
  const account = { WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: site.password }
  const find = (name: string) => db('providers').where({ name }).first()

  await passes('reads three pages of clinics, as a stranger', async () => {
    const { state, error, pages_total, counts, skipped } = await sync()
    assert.deepEqual([state, error, pages_total, skipped], ['done', null, 3, []])
    assert.equal(counts.created, 231)
  })
  await passes('decodes what WordPress encodes, and reads numbers and booleans', async () => {
    const clinic = await find('Dr. O’Brien & Sons Clinic')
    assert.deepEqual(
      [clinic?.zip_code, clinic?.latitude, clinic?.accepts_financing, clinic?.practice_name],
      ['78701', 30.27, false, 'Clinic 231'],
    )
    const other = await find('Dr. Number 2')
    assert.deepEqual([other?.latitude, other?.accepts_financing], [null, true])
  })
  await passes('changes nothing the second time', async () => {
    assert.equal((await sync()).counts.unchanged, 231)
  })
  await passes('reads drafts with an application password', async () => {
    const { counts } = await sync({ ...account, WORDPRESS_POST_STATUS: 'publish,draft' })
    assert.equal(counts.created, 1)
    assert.equal((await find('Dr. Draft'))?.status, 'f')
  })
  await passes('says that a password is wrong', async () => {
    const { state, error } = await sync({ ...account, WORDPRESS_APP_PASSWORD: 'wrong' })
    assert.equal(state, 'failed')
    assert.match(String(error), /WORDPRESS_USER and WORDPRESS_APP_PASSWORD/)
  })
  await passes('says that a type is not offered', async () => {
    assert.match(
      String((await sync({ WORDPRESS_POST_TYPE: 'doctors' })).error),
      /does not offer posts of the type “doctors”/,
    )
  })
  await passes('deactivates a draft at once, and a post in the trash after three runs', async () => {
    const [draft, trash] = await Promise.all([find('Dr. Number 3'), find('Dr. Number 4')])
    site.change('draft', draft?.wordpress_id ?? undefined)
    site.change('trash', trash?.wordpress_id ?? undefined)
    const settings = { ...account, WORDPRESS_POST_STATUS: 'publish,draft' }
    assert.deepEqual(
      (await sync(settings)).changes.map(({ name, reason }) => [name, reason]),
      [['Dr. Number 3', 'inactive']],
    )
    assert.equal((await sync(settings)).counts.missing, 1)
    assert.deepEqual(
      (await sync(settings)).changes.map(({ name, reason }) => [name, reason]),
      [['Dr. Number 4', 'missing']],
    )
  })
  await passes('reads with plain links as well', async () => {
    site.change('plain')
    const { state, error, counts } = await sync()
    assert.deepEqual([state, error, counts.seen, counts.created], ['done', null, 229, 0])
  })
}
