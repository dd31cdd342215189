import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../core/contract/time.ts'
import { grantToApp, roleOf } from '../../../core/platform/migrations.ts'
import * as suppressions from '../../../core/privacy/stores/suppressions.ts'
import * as auditLog from '../../../core/staff/stores/audit-log.ts'
import { APP_ROLE } from '../../../local/postgres.ts'
import { createTestDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'

const database = useDatabase({ isKept: true })
const EVIDENCE = ['audit_log', 'access_log', 'consents', 'application_consents']
const DENIED = /permission denied|must be owner|must be superuser/

async function addLines(): Promise<void> {
  await createLead(database.app)
  await auditLog.record(database.app, { actor: 'staff', action: 'sign-in', entity: 'session', entityId: 'all' })
}

describe('the role of API and worker', () => {
  it.each([
    `update audit_log set actor = 'nobody'`,
    'delete from audit_log',
    'truncate audit_log',
    'delete from consents',
    `update consents set wording = 'I agree to everything.'`,
    'truncate consents, application_consents',
    'delete from access_log',
    'truncate access_log',
    'alter table consents disable trigger all',
    'alter table audit_log disable trigger append_only',
    'drop trigger append_only on audit_log',
    `create or replace function refuse_change() returns trigger language plpgsql as 'begin return old; end'`,
    `create or replace function purge_audit_log(keep interval) returns integer language sql as 'select 1'`,
    'set session_replication_role = replica',
    'drop table consents',
    'create table public.copies (id integer)',
    `grant delete on audit_log to ${APP_ROLE}`,
    'set role leadwell',
    `update knex_migrations set name = 'other'`,
    `copy (select 1) to program 'id'`,
    `copy leads from program 'id'`,
    `copy leads to '/tmp/leads.csv'`,
    `select pg_read_file('/etc/passwd')`,
    'create extension plpython3u',
  ])('cannot: %s', async (attack) => {
    await addLines()
    const before = await Promise.all(EVIDENCE.map((table) => database.db(table)))
    const trx = await database.app.transaction()
    // A grant that gives nothing is a warning.
    await trx
      .raw(attack)
      .then(
        () => expect(attack).toMatch(/^grant/),
        ({ message }) => expect(message).toMatch(DENIED),
      )
      .finally(() => trx.rollback())
    expect(await Promise.all(EVIDENCE.map((table) => database.db(table)))).toEqual(before)
  })

  it('cannot say that it purges, as the right to delete is not its own', async () => {
    await addLines()
    const attack = database.app.transaction(async (trx) => {
      await trx.raw(`set local leadwell.purge = 'audit_log'`)
      await trx('audit_log').delete()
    })
    await expect(attack).rejects.toThrow('permission denied')
    await expect(database.app.raw(`select purge_audit_log('0 days')`)).rejects.toThrow('kept for six years')
  })

  it('is not led astray by a function of its own with the name of one that a purge calls', async () => {
    const { rows } = await database.db.raw(`select proconfig, prosecdef from pg_proc where proname = 'purge_audit_log'`)
    expect(rows).toEqual([{ proconfig: ['search_path=pg_catalog, pg_temp'], prosecdef: true }])
  })
})

describe('the do-not-contact list', () => {
  async function addRows() {
    const hash = randomBytes(32).toString('hex')
    const leadId = await createLead(database.app)
    const { id } = await createProvider(database.db)
    const row = { kind: 'email', hash, reason: 'link', lead_id: leadId, actor: 'visitor' } as const
    await database.app('suppressions').insert(row)
    const due_at = new Date(Date.now() + DAY)
    await database.app('opt_outs').insert({ lead_id: leadId, provider_id: id, due_at })
    return { leadId, hash }
  }
  const rows = async () => [await database.db('suppressions'), await database.db('opt_outs')]

  it.each([
    `update suppressions set hash = '${'b'.repeat(64)}'`,
    `update suppressions set kind = 'phone'`,
    `update suppressions set actor = 'nobody'`,
    `update suppressions set reason = 'staff'`,
    `update suppressions set created_at = '2020-01-01'`,
    'update suppressions set lead_id = null',
    `update suppressions set lifted_at = now(), lifted_by = 'ada', lifted_because = 'asked', actor = 'ada'`,
    'delete from suppressions',
    'truncate suppressions',
    `update opt_outs set asked_at = '2020-01-01'`,
    `update opt_outs set due_at = '2099-01-01'`,
    'update opt_outs set lead_id = 0',
    'update opt_outs set provider_id = 0',
    'delete from opt_outs',
    'truncate opt_outs',
  ])('cannot be rewritten by API and worker: %s', async (attack) => {
    await addRows()
    const before = await rows()
    await expect(database.app.raw(attack)).rejects.toThrow('permission denied')
    expect(await rows()).toEqual(before)
  })

  it('takes new rows from them, and an end', async () => {
    const { leadId, hash } = await addRows()
    await database.app.transaction(async (trx) => {
      const own = { lead_id: leadId }
      const lifted = await suppressions.lift(trx, { hashes: [{ kind: 'email', hash }] }, LIFTED)
      expect(lifted).toHaveLength(1)
      await trx('opt_outs').where(own).forUpdate().first()
      await trx('opt_outs').where(own).update({ confirmed_at: trx.fn.now(), confirmed_by: 'clinic' })
      await trx('opt_outs').where(own).update({ withdrawn_at: trx.fn.now() })
    })
  })
  const LIFTED = { actor: 'ada', because: 'They asked for it' }
})

it.each(['update audit_log set actor = actor', 'delete from consents', 'truncate consents', 'truncate audit_log'])(
  'the owner of the tables is kept from a slip as well: %s',
  async (slip) => {
    await addLines()
    await expect(database.db.transaction((trx) => trx.raw(slip))).rejects.toThrow('is append-only')
  },
)

it('the tables of a later migration are granted as they are made, and of those that are append-only only to read and add', async () => {
  const { db, app, drop } = await createTestDatabase()
  try {
    await db.raw(`create table later_rows (id integer generated always as identity, email text);
        create table reading_log (id integer generated always as identity, what text);
        select append_only('reading_log')`)
    for (const repeat of [false, true]) {
      if (repeat) await grantToApp(db, APP_ROLE)
      await app('later_rows').insert({ email: 'a@visitors.example' })
      await app('later_rows').update({ email: 'b@visitors.example' })
      await app('later_rows').delete()
      await app('reading_log').insert({ what: 'a lead' })
      for (const change of ['delete from reading_log', 'update reading_log set id = default', 'truncate reading_log']) {
        await expect(app.raw(change)).rejects.toThrow('permission denied')
      }
    }
    expect(await app('reading_log')).toHaveLength(2)
  } finally {
    await drop()
  }
})

it.each([
  ['postgres://leadwell_app:secret@host/leadwell', 'leadwell_app'],
  ['postgres://lead%40well@host/leadwell', 'lead@well'],
  ['postgres://host/leadwell', undefined],
])('roleOf reads %s', (address, role) => {
  expect(roleOf(address)).toBe(role)
})
