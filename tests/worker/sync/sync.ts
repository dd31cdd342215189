import { afterEach, beforeAll, beforeEach } from 'vitest'
import { readSyncEnv } from '../../../core/env.ts'
import type { Db } from '../../../core/platform/db.ts'
import { createLog } from '../../../core/platform/log.ts'
import type { SyncRunDetails } from '../../../core/sync/contract/sync.ts'
import { beginSync, startSync } from '../../../core/sync/runs.ts'
import * as syncRuns from '../../../core/sync/stores/sync-runs.ts'
import { performRun } from '../../../worker/sync/run.ts'
import type { Pages } from '../../../worker/sync/wordpress.ts'
import { useDatabase } from '../../support/database.ts'
import { found } from '../../support/found.ts'
import { startWordPress, type TestWordPress, type WordPressOptions } from '../../support/wordpress-server.ts'

export type SyncSite = {
  db: Db
  url: string
  wordpress: TestWordPress
  sync(options?: {
    dryRun?: boolean
    approves?: number | 'all'
    settings?: Record<string, string>
    /** In milliseconds. */
    deadline?: number
    pages?: Pages
  }): Promise<SyncRunDetails>
  /** Every provider, by its post. Columns as in the table. */
  // biome-ignore lint/suspicious/noExplicitAny: a row with every column
  providers(): Promise<any[]>
  /** A version of each row of a provider: one that was written has another. */
  versions(): Promise<object[]>
}

const log = createLog('test', 'silent')

/** A database and a WordPress site for one test after the other. */
export function useSyncSite(options: WordPressOptions = {}): SyncSite {
  const database = useDatabase()
  const site = {} as SyncSite

  beforeAll(() => {
    Object.assign(site, database)
  })
  beforeEach(async () => {
    site.wordpress = await startWordPress(options)
  })
  afterEach(() => site.wordpress.close())
  site.providers = () => site.db('providers').orderBy('wordpress_id')
  site.versions = async () => (await site.db.raw('select id, xmin::text, ctid::text from providers order by id')).rows
  site.sync = async ({ dryRun, approves, settings, deadline, pages } = {}) => {
    const id = (await startSync(site.db, { trigger: 'staff', actor: 'staff', dryRun, approves })) as number
    const run = await beginSync(site.db, id)
    if (typeof run === 'string') throw new Error(`The run cannot begin: ${run}.`)
    const env = syncEnv(site.wordpress.url, settings)
    await performRun(run, { env, db: site.db, log, deadline, pages })
    return found(await syncRuns.find(site.db, id))
  }
  return site
}

export function syncEnv(url: string, settings: Record<string, string> = {}) {
  return readSyncEnv({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', WORDPRESS_URL: url, ...settings })
}
