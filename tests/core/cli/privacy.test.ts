import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { privacyCommand } from '../../../core/cli/privacy.ts'
import { eraseLead } from '../../../core/leads/change-lead.ts'
import { personHashes } from '../../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../../core/privacy/stores/suppressions.ts'
import { SECOND } from '../../../core/time.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { PERSON_KEY, rawEnv } from '../../support/env.ts'
import { createApplication, createLead, createProvider } from '../../support/factories.ts'
import { startPostgresGateway } from '../../support/postgres-gateway.ts'

const database = useDatabase()

const { DATA_KEY = '' } = rawEnv()
const env = () => ({ DATABASE_URL: database.appUrl, DATA_KEY, NETWORK_TIME_ZONE: 'America/New_York' })
const privacy = (...args: string[]) => callCommand(privacyCommand, args, { env: env() })
const ADA = { email: 'ada.canary@visitors.example', phone: '(512) 555-0142' }

/** A file with these lines. */
async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'privacy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'erased.jsonl')
  await writeFile(path, text)
  return path
}

describe('npm run privacy', () => {
  it('waits for a database that takes seconds to be reached', async () => {
    const gateway = await startPostgresGateway(database.appUrl, { delay: 5.5 * SECOND })
    onTestFinished(() => gateway.close())
    const answer = await callCommand(privacyCommand, ['tombstones'], { env: { ...env(), DATABASE_URL: gateway.url } })
    expect(answer).toEqual({ code: 0, text: '' })
  })

  it('finds and exports what there is of a person', async () => {
    const { id: providerId } = await createProvider(database.db, { name: 'Dr. Known' })
    const lead = await createLead(database.db, { form: ADA, providerId })
    const application = await createApplication(database.db, { form: { email: ADA.email } })
    await database.db('jobs').where({ purpose: 'provider' }).update({ state: 'done', finished_at: new Date() })

    const { code, text } = await privacy('find', ADA.email)
    expect(code).toBe(0)
    expect(text).toMatch(new RegExp(`request no\\. ${lead}, sent .* given to Dr\\. Known`))
    expect(text).toContain(`application no. ${application}`)
    expect((await privacy('find', 'nobody@visitors.example')).text).toBe('Nothing is stored about this person.')

    const exported = JSON.parse((await privacy('export', '(512)', '555-0142')).text)
    expect(exported.forms).toMatchObject([{ kind: 'lead', id: lead, fields: { email: ADA.email } }])
    expect(await database.db('audit_log').where('action', 'find-person').pluck('actor')).toContain('command line')
  })

  it('erases a person once that is confirmed', async () => {
    const lead = await createLead(database.db, { form: ADA })
    expect(await privacy('erase', ADA.email)).toMatchObject({ code: 1, text: expect.stringContaining('Add --yes') })
    expect(await database.db('leads').pluck('id')).toEqual([lead])

    expect(await privacy('erase', ADA.email, '--yes')).toMatchObject({
      code: 0,
      text: expect.stringContaining('Erasure no. 1'),
    })
    expect(await database.db('leads')).toEqual([])
    expect((await privacy('find', ADA.phone)).text).toMatch(`request no. ${lead} was permanently deleted`)
  })

  it('runs as a file, and says what it needs', async () => {
    expect(await runCommandFile('core/cli/privacy', ['find', ADA.email], { env: env() })).toMatchObject({ code: 0 })
    expect(await privacy('find', 'Ada')).toMatchObject({ code: 2 })
    expect(await privacy('reapply')).toMatchObject({ code: 2 })
  })
})

describe('after a backup was restored', () => {
  it('deletes again what was erased since, and nothing that only has the same number', async () => {
    const [ada, other] = [await createLead(database.db, { form: ADA }), await createLead(database.db)]
    const application = await createApplication(database.db, { form: { email: ADA.email } })
    const backup = {
      leads: await database.db.raw('select to_jsonb(leads) as row from leads where id = ?', [ada]),
      applications: await database.db.raw('select to_jsonb(a) as row from provider_applications a'),
    }
    await privacy('erase', ADA.email, '--yes')
    const { text: erased } = await privacy('tombstones')
    expect(erased).not.toContain('canary')
    const file = await fileOf(`{"level":30,"msg":"another line"}\n${erased}\n`)

    // The backup has them, and does not know of the erasure. Another lead has got the number of one that is not in it.
    await database.db.transaction(async (trx) => {
      await trx.raw('set local session_replication_role = replica')
      await trx('erasures').delete()
      await trx('erasure_requests').delete()
      await trx.raw(
        `insert into all_leads overriding system value select * from jsonb_populate_record(null::all_leads, ?)`,
        [JSON.stringify({ ...backup.leads.rows[0].row, deleted_at: new Date() })],
      )
      await trx.raw(
        `insert into provider_applications overriding system value
         select * from jsonb_populate_record(null::provider_applications, ?)`,
        [JSON.stringify({ ...backup.applications.rows[0].row, reference: 4242 })],
      )
    })

    expect(await privacy('reapply', file)).toMatchObject({
      code: 0,
      text: expect.stringContaining('2 erasures read. 1 of them were back and are deleted again.'),
    })
    expect(await database.db('all_leads').pluck('id')).toEqual([other])
    expect(await database.db('provider_applications').pluck('id')).toEqual([application])
    expect((await privacy('reapply', file)).text).toContain('0 of them')
  })

  it('says which line is cut off', async () => {
    const file = await fileOf('{"erased":{"kind":"lead","row_id":')
    expect(await privacy('reapply', file)).toMatchObject({ code: 1, text: expect.stringContaining('cut off') })
  })
})

it('people who asked not to be contacted before a backup was restored are on the list again', async () => {
  const hashes = personHashes(PERSON_KEY, ADA)
  const said = { reason: 'link', leadId: 7, actor: 'visitor' } as const
  await database.db.transaction((trx) => suppressions.add(trx, hashes, said))
  const file = await fileOf(`${(await privacy('tombstones')).text}\n`)
  await database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx('suppressions').delete()
  })

  const added = '2 suppressions read. 2 of them were missing and are added again.'
  expect((await privacy('reapply', file)).text).toContain(added)
  expect(await suppressions.isSuppressed(database.db, PERSON_KEY, { email: ADA.email })).toBe(true)
  expect(JSON.parse((await privacy('export', ADA.email)).text).do_not_contact).toMatchObject([{ reason: 'link' }])
  expect((await privacy('reapply', file)).text).toContain('0 of them were missing')
})

it('what staff delete before its time can be deleted again as well', async () => {
  const id = await createLead(database.db, { form: ADA })
  await database.db.transaction((trx) => eraseLead(trx, id, { reason: 'deleted', personKey: PERSON_KEY }))
  expect((await privacy('tombstones')).text).toContain(`"row_id":${id}`)
})
