import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consentsCommand } from '../../../core/cli/consents.ts'
import * as consentChain from '../../../core/stores/consent-chain.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { CHAIN_KEY, rawEnv } from '../../support/env.ts'
import { createApplication, createLead } from '../../support/factories.ts'

const database = useDatabase()
const { DATA_KEY = '' } = rawEnv()
const env = () => ({ DATABASE_URL: database.url, DATA_KEY })
const verify = (...args: string[]) => callCommand(consentsCommand, ['verify', ...args], { env: env() })
const seal = () => consentChain.seal(database.db, CHAIN_KEY, { all: true })

/** Changes the tables as the owner of the database can, whatever the triggers say. */
const asOwner = (sql: string, bindings: unknown[] = []) =>
  database.db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica')
    await trx.raw(sql, bindings as never)
  })

/** Three leads and an application, all sealed. */
async function storeEvidence(): Promise<number[]> {
  const ids = [await createLead(database.db), await createLead(database.db), await createLead(database.db)]
  await createApplication(database.db)
  await seal()
  return ids
}

let ids: number[]
beforeEach(async () => {
  ids = await storeEvidence()
})
afterEach(async () => {
  await asOwner('delete from consent_anchors; delete from consent_seals; delete from consents')
  await asOwner('delete from application_consents')
})

const [first, second, third] = [0, 1, 2].map((n) => () => ids[n] as number) as [
  () => number,
  () => number,
  () => number,
]

describe('npm run consents -- verify', () => {
  it('finds sealed and new evidence as it was stored, and prints the end of the chain', async () => {
    await createLead(database.db)
    const { code, text } = await verify()
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringMatching(/^4 consents are as they were stored\.\nThe end of the chain is 4:[0-9a-f]{64}$/),
    })
    expect((await verify('--head', text.split(' ').at(-1) ?? '')).code).toBe(0)
    expect(await verify('--head', 'x')).toMatchObject({ code: 2, text: expect.stringContaining('is not the end') })
    expect(await runCommandFile('core/cli/consents', ['verify'], { env: env() })).toMatchObject({ code: 0 })
  })

  it.each([
    ['wording', `'I agree to everything.'`],
    ['wording_version', `'form-2026-11-20'`],
    ['sharing_wording', 'null'],
    ['given_at', `given_at - interval '1 year'`],
    ['ip', `'198.51.100.1'`],
    ['user_agent', `'Other/1.0'`],
    ['page_url', `'https://www.leadwell.example/other'`],
    ['reference', '1'],
    ['mac', 'null'],
    ['lead_id', 'lead_id + 1000'],
  ])('names the first row whose %s was changed', async (column, value) => {
    await asOwner(`update consents set ${column} = ${value} where lead_id >= ?`, [second()])
    const { code, text } = await verify()
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringMatching(new RegExp(`^The consent of lead ${second()} was (changed|removed)`)),
    })
  })

  it('names a row that was removed', async () => {
    await asOwner('delete from consents where lead_id = ?', [second()])
    expect(await verify()).toEqual({ code: 1, text: `The consent of lead ${second()} was removed (seal 2).` })
  })

  it('names a row that was removed together with its seal, at the beginning, too', async () => {
    for (const [id, after] of [
      [second(), third()],
      [first(), third()],
    ] as const) {
      await asOwner('delete from consents where lead_id = ?', [id])
      await asOwner(`delete from consent_seals where source = 'lead' and row_id = ?`, [id])
      expect(await verify()).toMatchObject({
        code: 1,
        text: expect.stringContaining(`lead ${after} is the first after`),
      })
    }
  })

  it('names rows that changed their places', async () => {
    await asOwner('update consents set lead_id = -lead_id where lead_id in (?, ?)', [first(), second()])
    await asOwner(
      'update consents set lead_id = case lead_id when ?::integer then ?::integer else ?::integer end where lead_id < 0',
      [-first(), second(), first()],
    )
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining(`lead ${first()} was changed`) })
  })

  it.each(['before', 'after'])('names a row that was added without the key, %s it is sealed', async (when) => {
    await database.db('consents').insert({ lead_id: 4242, wording: 'I agree.', wording_hash: 'x', mac: 'forged' })
    if (when === 'after') await seal()
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringMatching(/lead 4242 was added or changed/) })
  })

  it('names a copy of a row', async () => {
    const columns = `reference, wording, wording_version, wording_hash, sharing_version, sharing_wording,
      ip, user_agent, page_url, mac`
    await asOwner(
      `insert into consents (lead_id, ${columns}) select 4242, ${columns} from consents where lead_id = ?`,
      [second()],
    )
    expect(await verify()).toEqual({ code: 1, text: 'The consent of lead 4242 is a copy of another row.' })
  })

  it('misses the evidence of a lead that is still there, though it was never sealed', async () => {
    const id = await createLead(database.db)
    await asOwner('delete from consents where lead_id = ?', [id])
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining(`lead ${id} was removed`) })
  })

  it('says that nothing is sealed any more', async () => {
    const id = await createLead(database.db)
    await asOwner(`update consents set given_at = now() - interval '10 minutes' where lead_id = ?`, [id])
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining(`lead ${id} is not sealed`) })
  })

  it('knows by the end that was noted that the end was removed with everything about it', async () => {
    const { head } = await seal()
    await asOwner('delete from consent_seals where seq >= 3')
    await asOwner('delete from consents where lead_id = ?', [third()])
    await asOwner('delete from application_consents; delete from provider_applications')
    await asOwner('delete from leads where id = ?', [third()])

    expect((await verify()).code).toBe(0)
    expect(await verify('--head', `${head.seq}:${head.mac}`)).toMatchObject({
      code: 1,
      text: expect.stringContaining('the end of the chain was removed'),
    })
  })

  it('still verifies when addresses and browsers are gone, but not when others are in their place', async () => {
    await asOwner('update consents set ip = null, user_agent = null where lead_id <= ?', [second()])
    expect(await verify()).toMatchObject({ code: 0, text: expect.stringContaining('2 of them no longer hold') })
    await asOwner(`update consents set ip = '198.51.100.1' where lead_id = ?`, [second()])
    expect((await verify()).code).toBe(1)
  })

  it('still verifies after the old end was purged with a note, and not without', async () => {
    await asOwner(`update consents set given_at = '2020-01-01' where lead_id <= ?`, [second()])
    await asOwner(`update leads set created_at = '2020-01-01' where id <= ?`, [second()])
    await asOwner('delete from consent_seals')
    await seal()
    expect(await consentChain.purge(database.app, CHAIN_KEY, 1826)).toBe(2)
    expect(await database.db('consents').where('lead_id', '<=', second())).toEqual([])
    await createLead(database.db)
    await seal()
    expect(await verify()).toMatchObject({ code: 0, text: expect.stringMatching(/^3 consents.*\n.* 5:/) })

    await asOwner('delete from consent_anchors')
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining('Seal 1 was removed') })
  })

  it('knows no other key', async () => {
    const other = { ...env(), DATA_KEY: Buffer.alloc(32, 9).toString('base64') }
    // Otherwise the command is refused before it reads anything.
    await database.db('network').update({ data_key_check: null })
    expect((await callCommand(consentsCommand, ['verify'], { env: other })).code).toBe(1)
    await database.db('network').update({ data_key_check: null })
  })
})

describe('evidence from before it was signed', () => {
  const unsign = (id: number) =>
    asOwner('update consents set mac = null, reference = null, sharing_version = null where lead_id <= ?', [id])
  beforeEach(async () => {
    await asOwner('delete from consent_seals')
    await asOwner('update leads set reference = null')
    await unsign(second())
    await seal()
  })

  it('verifies as it was when it was sealed, and is counted apart', async () => {
    expect(await verify()).toMatchObject({ code: 0, text: expect.stringContaining('2 of them are from before') })
    await asOwner(`update consents set wording = 'I agree to everything.' where lead_id = ?`, [first()])
    expect((await verify()).code).toBe(1)
  })

  it('cannot be added later', async () => {
    await database.db('consents').insert({ lead_id: 4242, wording: 'I agree.', wording_hash: 'x' })
    expect((await verify()).code).toBe(1)
  })
})

it('seals each row once, whoever seals and how often', async () => {
  await Promise.all(Array.from({ length: 10 }, () => createLead(database.db)))
  await Promise.all(Array.from({ length: 5 }, seal))
  expect(await database.db('consent_seals')).toHaveLength(14)
  expect((await verify()).code).toBe(0)
})
