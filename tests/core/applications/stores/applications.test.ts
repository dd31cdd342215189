import { expect, it } from 'vitest'
import { changeApplication, deleteApplication, releaseApplication } from '../../../../core/applications/applications.ts'
import { Application } from '../../../../core/applications/contract/applications.ts'
import * as applications from '../../../../core/applications/stores/applications.ts'
import type { JobState } from '../../../../core/deliveries/contract/jobs.ts'
import { retryAll } from '../../../../core/deliveries/retry-deliveries.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { useDatabase } from '../../../support/database.ts'
import { PERSON_KEY } from '../../../support/env.ts'
import { createApplication, createLead } from '../../../support/factories.ts'

const database = useDatabase()

const STAFF = { actor: 'staff' }
const find = (id: number) => applications.find(database.db, id)
const auditLog = () =>
  database.db('audit_log').orderBy('id').select('actor', 'action', 'entity', 'entity_id', 'details')
const ledger = async (applicationId: number) =>
  (await jobs.list(database.db, `application:${applicationId}`))
    .map(({ purpose, generation, state }) => `${purpose} ${generation} ${state}`)
    .toSorted()
const settleAll = (state: JobState) =>
  database
    .db('jobs')
    .update({ state, last_cause: 'refused', enqueued_at: database.db.fn.now(), finished_at: database.db.fn.now() })

it('list finds by practice, name, place, zip code and number, and not by what viewers do not see', async () => {
  const first = await createApplication(database.db, {
    form: { practice_name: 'Núñez Urology', name: 'Ana Flores', zip_code: '21201' },
  })
  const second = await createApplication(database.db, { form: { practice_name: 'Sterling Wellness' } })
  const found = async (q: string, query = {}) => {
    const { applications: rows, total } = await applications.list(database.db, { page: 1, limit: 40, q, ...query })
    expect(total).toBe(rows.length)
    return rows.map(({ id }) => id)
  }
  expect(await found('nunez')).toEqual([first])
  expect(await found('flor UROL')).toEqual([first])
  expect(await found('baltimore')).toEqual([first])
  expect(await found('212')).toEqual([first])
  expect(await found('sterling baltimore')).toEqual([])
  expect(await found(`#${second}`)).toEqual([second])
  expect(await found('sterling', { status: 'approved' })).toEqual([])
  expect(await found('sterling', { status: 'new' })).toEqual([second])
  expect(await found('@')).toEqual([])
  for (const { email, phone } of [await find(second), await find(first)].filter((row) => row !== null)) {
    expect(await found(email)).toEqual([])
    expect(await found(phone)).toEqual([])
  }
})

it('readAll gives every application once, the newest first, beyond what is read at once', async () => {
  await createApplication(database.db)
  await database.db.raw(`insert into provider_applications (name, practice_name, email, phone, zip_code, request_hash,
        practice_key, repeat_window)
      select name, practice_name || n, email, phone, zip_code, request_hash, gen_random_uuid(), repeat_window
      from provider_applications, generate_series(1, 1100) n`)

  const ids: number[] = []
  for await (const row of applications.readAll(database.db)) ids.push(Application.parse(row).id)
  expect(ids).toEqual(Array.from({ length: 1101 }, (_, n) => 1101 - n))
})

it.each([
  ['waiting', 'pending'],
  ['done', 'success'],
  ['failed', 'failed'],
] as const)('the state of the emails %s is %s', async (state, expected) => {
  // A lead with the same id has emails of its own.
  const id = await createApplication(database.db)
  expect(await createLead(database.db)).toBe(id)
  if (state !== 'waiting') await settleAll(state)
  expect((await find(id))?.email_status).toBe(expected)
})

it('changes of the status know every step from one to the next when several come at once', async () => {
  const id = await createApplication(database.db)
  const steps = ['contacted', 'approved', 'declined', 'new', 'contacted', 'approved'] as const
  await Promise.all(steps.map((status) => changeApplication(database.db, id, { status }, STAFF)))

  const details = (await auditLog()).map((line) => line.details)
  expect(details.slice(1).map(({ from }) => from)).toEqual(details.slice(0, -1).map(({ to }) => to))
  expect(details.at(-1)?.to).toBe((await find(id))?.status)
})

it('resendEmail sends the confirmation again, and what has not arrived', async () => {
  const id = await createApplication(database.db)
  await settleAll('done')
  await retryAll(database.db, `application:${id}`, 'send-email', STAFF)
  expect(await ledger(id)).toEqual(['applicant 1 done', 'applicant 2 waiting', 'team 1 done'])

  await database.db('jobs').where('purpose', 'team').update({ state: 'failed', last_cause: 'refused' })
  await retryAll(database.db, `application:${id}`, 'send-email', STAFF)
  expect(await ledger(id)).toEqual([
    'applicant 1 done',
    'applicant 2 cancelled',
    'applicant 3 waiting',
    'team 1 failed',
    'team 2 waiting',
  ])
})

it('release confirms the application to the applicant, once', async () => {
  const id = await createApplication(database.db, { heldReason: 'honeypot' })
  const releases = await Promise.allSettled([1, 2, 3].map(() => releaseApplication(database.db, id, STAFF)))

  expect(releases.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await find(id)).toMatchObject({ held_reason: null })
  expect(await ledger(id)).toEqual(['applicant 1 waiting', 'team 1 waiting'])
  expect(await auditLog()).toMatchObject([{ action: 'release', details: { reason: 'honeypot' } }])
})

it('remove deletes the application with its jobs, and keeps the evidence of the consent', async () => {
  const [id, other] = [await createApplication(database.db), await createApplication(database.db)]
  const leadId = await createLead(database.db)
  expect(leadId).toBe(id)
  await deleteApplication(database.db, id, { ...STAFF, personKey: PERSON_KEY })

  expect(await find(id)).toBeNull()
  expect(await ledger(id)).toEqual([])
  expect(await ledger(other)).toHaveLength(2)
  expect(await jobs.list(database.db, `lead:${leadId}`)).toHaveLength(2)
  expect(await database.db('application_consents').pluck('application_id')).toContain(id)
  expect(await auditLog()).toMatchObject([{ action: 'delete', entity: 'application' }])
})
