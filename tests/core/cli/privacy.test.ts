import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { privacyCommand } from '../../../core/cli/privacy.ts'
import { SECOND } from '../../../core/contract/time.ts'
import { eraseLead } from '../../../core/leads/change-lead.ts'
import { erasePerson } from '../../../core/privacy/person.ts'
import { personHashes } from '../../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../../core/privacy/stores/suppressions.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { PERSON_KEY, rawEnv } from '../../support/env.ts'
import { createApplication, createLead } from '../../support/factories.ts'
import { startPostgresGateway } from '../../support/postgres-gateway.ts'

const database = useDatabase()

const { DATA_KEY = '' } = rawEnv()
const env = () => ({ DATABASE_URL: database.appUrl, DATA_KEY, NETWORK_TIME_ZONE: 'America/New_York' })
const privacy = (...args: string[]) => callCommand(privacyCommand, args, { env: env() })
const ADA = { email: 'ada.canary@visitors.example', phone: '(512) 555-0142' }

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

  it('runs as a file, and says what it needs', async () => {
    expect(await runCommandFile('core/cli/privacy', ['tombstones'], { env: env() })).toMatchObject({ code: 0 })
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
    const forms = [
      { kind: 'lead', id: ada },
      { kind: 'application', id: application },
    ] as const
    await erasePerson(database.db, { contact: ADA.email, forms: [...forms] }, { actor: 'staff', personKey: PERSON_KEY })
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
  expect(await suppressions.listRecent(database.db)).toMatchObject([{ reason: 'link' }, { reason: 'link' }])
  expect((await privacy('reapply', file)).text).toContain('0 of them were missing')
})

it('what staff delete before its time can be deleted again as well', async () => {
  const id = await createLead(database.db, { form: ADA })
  await database.db.transaction((trx) => eraseLead(trx, id, { reason: 'deleted', personKey: PERSON_KEY }))
  expect((await privacy('tombstones')).text).toContain(`"row_id":${id}`)
})

/** Changes the tables as the owner of the database can, whatever the triggers say. */
const asOwner = (sql: string, bindings: unknown[] = []) =>
  database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx.raw(sql, bindings as never)
  })

describe('the evidence of consent', () => {
  const verify = () => privacy('verify')
  let [first, second] = [0, 0]
  beforeEach(async () => {
    first = await createLead(database.db)
    second = await createLead(database.db)
    await createApplication(database.db)
  })
  afterEach(async () => {
    await asOwner('delete from consents; delete from application_consents')
  })

  it('is verified as it was stored', async () => {
    expect(await verify()).toEqual({ code: 0, text: '3 consents are unchanged.' })
  })

  it.each([
    ['wording', `'I agree to everything.'`],
    ['wording_version', 'null'],
    ['sharing_wording', `'Everybody may have it.'`],
    ['page_url', `'https://elsewhere.example/'`],
    ['channel', `'phone'`],
    ['reference', '4242'],
    ['given_at', `now() - interval '1 year'`],
    ['ip', `'198.51.100.1'`],
    ['user_agent', `'Another browser'`],
    ['mac', 'null'],
  ])('names the first row whose %s was changed', async (column, value) => {
    await asOwner(`update consents set ${column} = ${value} where lead_id >= ?`, [second])
    const text = `The consent of lead ${second} was added or changed without DATA_KEY.`
    expect(await verify()).toEqual({ code: 1, text })
  })

  it('names a lead whose evidence was removed or replaced by that of another lead', async () => {
    await asOwner('delete from consents where lead_id = ?', [second])
    const text = `The consent of lead ${second} was removed, or belongs to another form.`
    expect(await verify()).toEqual({ code: 1, text })
    await asOwner('update consents set lead_id = ? where lead_id = ?', [second, first])
    expect((await verify()).code).toBe(1)
  })

  it('verifies evidence whose address and browser were removed, and not with others in their place', async () => {
    await asOwner('update consents set ip = null, user_agent = null where lead_id = ?', [second])
    expect((await verify()).code).toBe(0)
    await asOwner(`update consents set ip = '198.51.100.1' where lead_id = ?`, [second])
    expect((await verify()).code).toBe(1)
  })

  it('counts evidence from before consents were signed, and verifies nothing with another key', async () => {
    await asOwner('update leads set reference = null where id = ?', [first])
    await asOwner('update consents set mac = null, reference = null where lead_id = ?', [first])
    const text = '2 consents are unchanged.\nOlder, unsigned: 1.'
    expect(await verify()).toEqual({ code: 0, text })

    const other = { ...env(), DATA_KEY: Buffer.alloc(32, 9).toString('base64') }
    // Otherwise the command is refused before it reads anything.
    await database.db('network').update({ data_key_check: null })
    expect((await callCommand(privacyCommand, ['verify'], { env: other })).code).toBe(1)
    await database.db('network').update({ data_key_check: null })
  })
})
