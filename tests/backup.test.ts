import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseLead } from '../core/leads/change-lead.ts'
import { type Db, openDb } from '../core/platform/db.ts'
import { grantToApp, migrate } from '../core/platform/migrations.ts'
import { startPostgres } from '../local/postgres.ts'
import { PERSON_KEY, rawEnv } from './support/env.ts'
import { createApplication, createLead, createProvider } from './support/factories.ts'
import { found } from './support/found.ts'
import { findInstalledPostgres, type InstalledPostgres, startInstalledPostgres } from './support/installed-postgres.ts'
import { BACKUP, RESTORE, RESTORE_BEFORE_18, TOMBSTONES } from './support/operations.ts'

/** What `docs/operations.md` has for a PostgreSQL without container. */
const ROLES = `psql --quiet --dbname=leadwell --file=${new URL('../ops/postgres/roles.sql', import.meta.url).pathname} -v owner_password=k3owner -v app_password=k3app > roles.log`

const ROOT = new URL('../', import.meta.url).pathname

/** Runs programs of PostgreSQL and our own command here instead of in a container, and notes what else is asked for. */
const DOCKER = `#!/bin/sh
if [ "$1 $2 $3 $4" = "compose exec -T postgres" ]; then shift 4; exec "$@"; fi
case "$*" in compose*" worker node dist/core/cli/privacy.js "*)
  while [ "$1" != dist/core/cli/privacy.js ]; do shift; done
  shift
  exec ${ROOT}node_modules/.bin/tsx ${ROOT}core/cli/privacy.ts "$@"
esac
echo "$*" >> asked-for
`

const installed = findInstalledPostgres()
if (!installed) console.warn('No PostgreSQL with pg_dump is installed: backup and restore are not tested.')

describe.skipIf(!installed)('The backup and the restore of docs/operations.md', () => {
  let folder: string
  let server: Awaited<ReturnType<typeof startInstalledPostgres>>
  let dump: string

  /** Runs commands against the server of `url`; none of them may fail. Returns what they said. */
  function run(commands: string, url: string): string {
    const { hostname, port, password } = new URL(url)
    const path = [join(folder, 'bin'), (installed as InstalledPostgres).bin, process.env.PATH].join(':')
    const ours = { DATABASE_URL: url, DATA_KEY: rawEnv().DATA_KEY }
    const env = { PATH: path, ...ours, PGHOST: hostname, PGPORT: port, PGUSER: 'leadwell', PGPASSWORD: password }
    const script = commands.replace(/^ *DUMP=.*$/m, `DUMP=${dump}`)
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' })
    expect({ status, stderr: stderr.replace(/^(vacuumdb|NOTICE): .*\n/gm, '') }).toEqual({ status: 0, stderr: '' })
    return stdout
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwell-test-'))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin', 'docker'), DOCKER)
    await chmod(join(folder, 'bin', 'docker'), 0o755)
    server = await startInstalledPostgres(installed as InstalledPostgres)
    await withDb(server.url, async (db) => {
      // As a version before the two roles left it.
      await migrate(db)
      run(ROLES, server.url)
      await grantAsOwner(server.url)
      await db('zip_codes').insert({ zip: '78701', latitude: 30.27, longitude: -97.74 })
      const { id: providerId } = await createProvider(db)
      await createLead(db, { providerId })
      await createLead(db, { providerId })
    })
    run(BACKUP, server.url)
    dump = run('ls leadwell-*.dump', server.url).trim()
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('brings back what the dump has, gives no number out twice, and keeps the old database', async () => {
    await withDb(server.url, (db) => createLead(db))
    await withDb(server.url, eraseOne)
    run(TOMBSTONES, server.url)
    run((installed as InstalledPostgres).version < 18 ? RESTORE_BEFORE_18 : RESTORE, server.url)

    await withDb(server.url, expectRestored)
    await expectRoles(server.url)
    await withDb(server.url.replace(/leadwell$/, 'leadwell_old'), async (db) =>
      expect(await db('leads')).toHaveLength(2),
    )
    const askedFor = await readFile(join(folder, 'asked-for'), 'utf8')
    expect(askedFor).toBe('compose stop api worker\ncompose up --detach api worker\n')
  })

  it('works on a new machine, with the PostgreSQL of the compose file', async () => {
    const postgres = await startPostgres({ dataDir: join(folder, 'new-machine'), fsync: false })
    try {
      run(ROLES, postgres.url)
      // No migration needs a superuser.
      await withDb(as('owner', postgres.url), (db) => migrate(db))
      run(RESTORE, postgres.url)
      await withDb(postgres.url, expectRestored)
      await expectRoles(postgres.url)
    } finally {
      await postgres.stop()
    }
  })
})

/** What a person asks for after the dump was made. */
async function eraseOne(db: Db): Promise<void> {
  const { id } = found(await db('leads').orderBy('id').first('id'))
  const erasing = { reason: 'deleted', personKey: PERSON_KEY } as const
  await db.transaction((trx) => eraseLead(trx, id, erasing))
}

async function expectRestored(db: Db): Promise<void> {
  expect(await migrate(db)).toEqual([])
  // Of the two in the dump, one was erased since.
  expect(await db('leads')).toHaveLength(1)
  const { id } = await createProvider(db, { zip_code: '78701' })
  expect(await db('providers').where({ id }).whereNotNull('location')).toHaveLength(1)
  // Also where the table is empty.
  for (const given of [id, await createLead(db), await createApplication(db)]) expect(given).toBeGreaterThan(100_000)
}

function as(role: 'owner' | 'app', url: string): string {
  const address = new URL(url)
  address.username = `leadwell_${role}`
  address.password = `k3${role}`
  return address.href
}

async function grantAsOwner(url: string): Promise<void> {
  await withDb(as('owner', url), (db) => grantToApp(db, 'leadwell_app'))
}

/** The app's role works on what was restored as on what was there, and the owner can migrate it. */
async function expectRoles(url: string): Promise<void> {
  await withDb(as('app', url), async (db) => {
    await createLead(db)
    await expect(db('consents').delete()).rejects.toThrow('permission denied')
    await expect(db.raw('create table other (id integer)')).rejects.toThrow('permission denied')
  })
  await withDb(as('owner', url), async (db) => {
    await db.raw('alter table all_leads add column later text')
    await db.raw('alter table all_leads drop column later')
  })
  await grantAsOwner(url)
}

async function withDb<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDb(url)
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}
