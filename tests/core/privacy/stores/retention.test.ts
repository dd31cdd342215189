import { describe, expect, it } from 'vitest'
import { purgeExpiredApplications } from '../../../../core/applications/applications.ts'
import { purgeExpiredLeads } from '../../../../core/leads/change-lead.ts'
import * as consents from '../../../../core/privacy/stores/consents.ts'
import { useDatabase } from '../../../support/database.ts'
import { PERSON_KEY } from '../../../support/env.ts'
import { createApplication, createLead, createProvider, deliverAll, jobsOf } from '../../../support/factories.ts'

const database = useDatabase()

const DAYS = 730
const purgeLeads = (days = DAYS) => purgeExpiredLeads(database.app, days, PERSON_KEY)
const age = (table: string, id: number, days: number) =>
  database.db.transaction(async (trx) => {
    // The owner of the database can change when evidence was given.
    await trx.raw('set local session_replication_role = replica')
    const [key, column] = table.endsWith('consents')
      ? [`${table === 'consents' ? 'lead' : 'application'}_id`, 'given_at']
      : ['id', 'created_at']
    await trx(table)
      .where(key as string, id)
      .update({ [column as string]: trx.raw(`now() - ? * interval '1 day'`, [days]) })
  })
/** As if all that was owed for leads had been delivered so many days ago. */
const deliver = (days: number) =>
  database
    .db('jobs')
    .update({ state: 'done', attempts: 1, finished_at: database.db.raw(`now() - ? * interval '1 day'`, [days]) })

describe('a lead beyond its time', () => {
  it('is permanently deleted automatically, with a line, and its provider is not notified', async () => {
    const { id: providerId } = await createProvider(database.db)
    const [old, young] = [await createLead(database.db, { providerId }), await createLead(database.db, { providerId })]
    await deliver(DAYS + 1)
    await age('leads', old, DAYS + 1)

    expect(await purgeLeads()).toBe(1)
    expect(await database.db('all_leads').pluck('id')).toEqual([young])
    expect(await jobsOf(database.db, old)).toMatchObject([{ name: 'sync-crm', purpose: 'deleted' }])
    expect(await database.db('erasures')).toMatchObject([{ kind: 'lead', row_id: old, reason: 'retention' }])
    expect(await database.db('audit_log')).toMatchObject([
      { actor: 'system', action: 'purge', entity_id: String(old), details: { reason: 'retention' } },
    ])
  })

  it('stays while something is still to be delivered, or was delivered within that time', async () => {
    const [open, late] = [await createLead(database.db), await createLead(database.db)]
    for (const id of [open, late]) await age('leads', id, DAYS + 1)
    await deliverAll(database.db, late)
    expect(await purgeLeads()).toBe(0)
    expect(await database.db('leads').pluck('id')).toHaveLength(2)
  })
})

it('an application beyond its time is permanently deleted', async () => {
  const [old, young] = [await createApplication(database.db), await createApplication(database.db)]
  await age('provider_applications', old, DAYS + 1)
  expect(await purgeExpiredApplications(database.app, DAYS, PERSON_KEY)).toBe(1)
  expect(await database.db('provider_applications').pluck('id')).toEqual([young])
  expect(await database.db('erasures')).toMatchObject([{ kind: 'application', row_id: old, reason: 'retention' }])
})

describe('the evidence of a consent', () => {
  it('loses IP address and browser after a time', async () => {
    const [old, young] = [await createLead(database.db), await createLead(database.db)]
    const application = await createApplication(database.db)
    await age('consents', old, 366)
    await age('application_consents', application, 366)
    expect(await consents.blank(database.app, 365)).toBe(2)
    expect(await database.db('consents').whereNotNull('ip').pluck('lead_id')).toEqual([young])
    expect(await database.db('consents').where('lead_id', old)).toMatchObject([{ ip: null, user_agent: null }])
    expect(await database.db('application_consents').whereNotNull('ip')).toEqual([])
    expect(await consents.blank(database.app, 365)).toBe(0)
  })

  it('is deleted after a longer one, and the app cannot do so earlier', async () => {
    const ids = [await createLead(database.db), await createLead(database.db)] as const
    await age('consents', ids[0], 1900)
    await age('leads', ids[0], 1900)

    await expect(consents.purge(database.app, 365)).rejects.toThrow(/kept for four years/)
    await expect(database.app('consents').delete()).rejects.toThrow(/permission denied/)
    await expect(database.app.raw(`select blank_consents('1 day', 10)`)).rejects.toThrow(/kept for 30 days/)

    expect(await consents.purge(database.app, 1826)).toBe(1)
    expect(await database.db('consents').pluck('lead_id')).toEqual([ids[1]])
    expect(await consents.purge(database.app, 1826)).toBe(0)
  })
})
