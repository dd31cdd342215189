import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consentsCommand } from '../../../core/cli/consents.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { rawEnv } from '../../support/env.ts'
import { createApplication, createLead } from '../../support/factories.ts'

const database = useDatabase()
const { DATA_KEY = '' } = rawEnv()
const env = () => ({ DATABASE_URL: database.url, DATA_KEY })
const verify = () => callCommand(consentsCommand, ['verify'], { env: env() })

/** Changes the tables as the owner of the database can, whatever the triggers say. */
const asOwner = (sql: string, bindings: unknown[] = []) =>
  database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx.raw(sql, bindings as never)
  })

let [first, second] = [0, 0]
beforeEach(async () => {
  first = await createLead(database.db)
  second = await createLead(database.db)
  await createApplication(database.db)
})
afterEach(async () => {
  await asOwner('delete from consents; delete from application_consents')
})

describe('npm run consents -- verify', () => {
  it('finds the evidence as it was stored, as a command of its own, too', async () => {
    expect(await verify()).toEqual({ code: 0, text: '3 consents are unchanged.' })
    expect(await runCommandFile('core/cli/consents', ['verify'], { env: env() })).toMatchObject({ code: 0 })
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
    expect((await callCommand(consentsCommand, ['verify'], { env: other })).code).toBe(1)
    await database.db('network').update({ data_key_check: null })
  })
})
