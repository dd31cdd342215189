import { expect, onTestFinished, it as test } from 'vitest'
import { type Db, queryRows } from '../../../core/platform/db.ts'
import { deriveJobChecks } from '../../../core/stores/job-checks.ts'
import { createTestDatabase, useDatabase } from '../../support/database.ts'

const database = useDatabase()

const checks = (db: Db) =>
  queryRows(db, `select oid, conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'jobs'::regclass`)

const LEAD = { lead_id: 1 }
const NONE = {}
test.each([
  ['send-email', LEAD, true],
  ['send-email', { application_id: 1 }, true],
  ['send-email', { account_id: 1 }, true],
  ['send-email', { sync_id: 1 }, true],
  ['send-email', { ...LEAD, sync_id: 1 }, true],
  ['send-email', NONE, false],
  ['send-email', { ...LEAD, application_id: 1 }, false],
  ['send-email', { report_id: 1 }, true],
  ['send-email', { ...LEAD, report_id: 1 }, false],
  ['sync-crm', LEAD, true],
  ['sync-crm', { application_id: 1 }, false],
  ['match-lead', { sync_id: 1 }, false],
  ['bulk', NONE, true],
  ['bulk', LEAD, false],
  ['bulk', { sync_id: 1 }, false],
  ['export', NONE, true],
  ['export', LEAD, false],
  ['purge', NONE, true],
  ['purge', LEAD, false],
  ['send-fax', LEAD, false],
])('the database takes a job %s of %j: %s', async (name, owner, isTaken) => {
  const trx = await database.db.transaction()
  await trx.raw('set local session_replication_role = replica')
  const insert = trx('jobs').insert({ name: name as 'send-email', purpose: 'provider', generation: 1, ...owner })
  if (isTaken) await insert
  else await expect(insert).rejects.toThrow(/jobs_(name|owner)_check/)
  await trx.rollback()
})

test('the checks are written again only when the registry differs', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const before = await checks(db)
  await deriveJobChecks(db)
  expect(await checks(db)).toEqual(before)

  await db.raw(`comment on constraint jobs_name_check on jobs is 'of another release'`)
  await deriveJobChecks(db)
  const after = await checks(db)
  expect(after).not.toEqual(before)
  await deriveJobChecks(db)
  expect(await checks(db)).toEqual(after)
})
