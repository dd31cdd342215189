import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, migrate, openDb } from '../core/db.ts'
import { startPostgres } from '../local/postgres.ts'
import { createApplication, createLead, createProvider } from './support/factories.ts'
import { findInstalledPostgres, type InstalledPostgres, startInstalledPostgres } from './support/installed-postgres.ts'

/** The commands of docs/operations.md, as they stand there. */
const OPERATIONS = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
const [, section = ''] = /\n## Backup and restore\n([\s\S]*?)\n## /.exec(OPERATIONS) ?? []
const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands = '']) => commands)
const [backup = '', ...rest] = blocks
/** The last block is what goes in the place of `pg_restore` before PostgreSQL 18. */
const restore = rest.slice(0, -1).join('')
const OLD_RESTORE = rest.at(-1)?.trim() ?? ''
const restoreBefore18 = restore.replace(/docker compose exec -T postgres pg_restore .*"\$DUMP"/, `{ ${OLD_RESTORE}; }`)

/** Runs a program of PostgreSQL here instead of in the container, and notes what else is asked for. */
const DOCKER = `#!/bin/sh
if [ "$1 $2 $3 $4" = "compose exec -T postgres" ]; then shift 4; exec "$@"; fi
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
    const env = { PATH: path, PGHOST: hostname, PGPORT: port, PGUSER: 'leadwell', PGPASSWORD: password }
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
      await migrate(db)
      await db('zip_codes').insert({ zip: '78701', latitude: 30.27, longitude: -97.74 })
      const { id: providerId } = await createProvider(db)
      await createLead(db, { providerId })
      await createLead(db, { providerId })
    })
    run(backup, server.url)
    dump = run('ls leadwell-*.dump', server.url).trim()
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('brings back what the dump has, gives no number out twice, and keeps the old database', async () => {
    await withDb(server.url, (db) => createLead(db))
    run((installed as InstalledPostgres).version < 18 ? restoreBefore18 : restore, server.url)

    await withDb(server.url, expectRestored)
    await withDb(server.url.replace(/leadwell$/, 'leadwell_old'), async (db) =>
      expect(await db('leads')).toHaveLength(3),
    )
    const askedFor = await readFile(join(folder, 'asked-for'), 'utf8')
    expect(askedFor).toBe('compose stop api worker\ncompose up --detach api worker\n')
  })

  it('works on a new machine, with the PostgreSQL of the compose file', async () => {
    const postgres = await startPostgres({ dataDir: join(folder, 'new-machine'), fsync: false })
    try {
      run(restore, postgres.url)
      await withDb(postgres.url, expectRestored)
    } finally {
      await postgres.stop()
    }
  })
})

async function expectRestored(db: Db): Promise<void> {
  expect(await migrate(db)).toEqual([])
  expect(await db('leads')).toHaveLength(2)
  const { id } = await createProvider(db, { zip_code: '78701' })
  expect(await db('providers').where({ id }).whereNotNull('location')).toHaveLength(1)
  // Also where the table is empty.
  for (const given of [id, await createLead(db), await createApplication(db)]) expect(given).toBeGreaterThan(100_000)
}

async function withDb<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  const db = openDb(url)
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}
