import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { prepareDatabase } from '../../../core/migrate.ts'
import { openDb } from '../../../core/platform/db.ts'
import { fingerprintOf, guardDatabase, NEEDS } from '../../../core/platform/migrations.ts'
import { runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { rawEnv } from '../../support/env.ts'
import { launchProcess } from '../../support/processes.ts'
import { waitFor } from '../../support/wait.ts'

const database = useDatabase({ isKept: true })
const [OWN, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

const ABOUT_KEY = /^DATA_KEY is not the key of this database, .* would be contacted\. .*docs\/operations\.md/

/** Uses the database as a process with that key does. Returns why it may not, or null. */
async function tryWith(dataKey: Buffer | undefined, url = database.appUrl): Promise<string | null> {
  const reasons: string[] = []
  const db = openDb(url, { onConnect: guardDatabase(dataKey, (why) => void reasons.push(why)) })
  onTestFinished(() => db.destroy())
  const answer = await db.raw('select 1').then(
    () => null,
    (error: Error) => error.message,
  )
  expect(reasons).toEqual(answer === null ? [] : [answer])
  return answer
}

const readNetwork = () => database.db('network').first()
const forget = () => database.db('network').update({ data_key_check: null })
beforeEach(forget)
afterEach(async () => {
  await forget()
  await database.db('network').update({ needs_migration: NEEDS.migration, needs_why: NEEDS.why })
})

describe('the data key of a database', () => {
  it('is that of the first process, and no other one may use the database', async () => {
    expect(await tryWith(OWN)).toBeNull()
    expect((await readNetwork())?.data_key_check).toBe(fingerprintOf(OWN))
    expect(await tryWith(OWN)).toBeNull()
    expect(await tryWith(OTHER)).toMatch(ABOUT_KEY)
    expect((await readNetwork())?.data_key_check).toBe(fingerprintOf(OWN))
  })

  it('is compared by nothing that has no key', async () => {
    await tryWith(OWN)
    expect(await tryWith(undefined)).toBeNull()
  })

  it('is one of two, where two processes come first at the same time', async () => {
    const answers = await Promise.all([tryWith(OWN), tryWith(OTHER)])
    expect(answers.filter((answer) => answer === null)).toHaveLength(1)
  })

  it('is that of the process that wrote first, where another has read that there is none', async () => {
    const first = await database.db.transaction()
    await first('network').update({ data_key_check: fingerprintOf(OWN) })
    const second = tryWith(OTHER)
    await waitFor('the other process to wait for the row', () =>
      database.db('pg_stat_activity').whereRaw(`datname = current_database() and wait_event_type = 'Lock'`).first(),
    )
    await first.commit()
    expect(await second).toMatch(ABOUT_KEY)
  })

  it('says nothing about the key', () => {
    expect(fingerprintOf(OWN)).toMatch(/^[0-9a-f]{64}$/)
    expect(fingerprintOf(OWN)).not.toBe(fingerprintOf(OTHER))
  })

  it.each(['api', 'worker'] as const)('stops the %s that has another one, with a sentence', async (main) => {
    await tryWith(OWN)
    const env = rawEnv({ DATABASE_URL: database.appUrl, DATA_KEY: OTHER.toString('base64'), LOG_LEVEL: 'info' })
    const started = launchProcess(main, env)
    expect(await started.ended).toEqual({ code: 78, signal: null })
    expect(started.output().trim()).toMatch(ABOUT_KEY)
    expect(started.output().trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['core/cli/privacy', 'verify'],
    ['core/cli/staff', 'list'],
  ])('stops %s %s', async (name, ...args) => {
    await tryWith(OWN)
    const env = rawEnv({
      DATABASE_URL: database.appUrl,
      DATA_KEY: OTHER.toString('base64'),
    })
    const { code, text } = await runCommandFile(name, args, { env })
    expect({ code, text }).toEqual({ code: 78, text: expect.stringMatching(ABOUT_KEY) })
  })
})

describe('a database that needs a newer release', () => {
  const TOMORROW = { needs_migration: '20991231T120000Z-of-tomorrow', needs_why: 'It would send twice.' }

  it('is refused, with the reason that the newer release has left', async () => {
    await database.db('network').update(TOMORROW)
    const refused = expect.stringMatching(/20991231T120000Z-of-tomorrow\. It would send twice\. .*“Going back”/)
    expect(await tryWith(OWN)).toEqual(refused)
    expect(await tryWith(undefined)).toEqual(refused)
    await expect(prepareDatabase(database.db, 'UTC')).rejects.toThrow('too old for its database')
    expect(await readNetwork()).toMatchObject(TOMORROW)
  })

  it('is what each migrated database is for the releases before the one that its schema needs', async () => {
    expect(await readNetwork()).toMatchObject({ needs_migration: NEEDS.migration, needs_why: NEEDS.why })
    const files = readdirSync(new URL('../../../migrations/', import.meta.url))
    expect(files).toContain(`${NEEDS.migration}.ts`)
    await database.db('network').update({ needs_migration: '20261126T225924Z-database-checks', needs_why: 'Older.' })
    const { time_zone: zone = '' } = (await readNetwork()) ?? {}
    await prepareDatabase(database.db, zone)
    expect(await readNetwork()).toMatchObject({ needs_migration: NEEDS.migration })
  })
})
