import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../../core/contract/time.ts'
import { retryAll } from '../../../../core/deliveries/retry-deliveries.ts'
import * as attempts from '../../../../core/deliveries/stores/attempts.ts'
import * as dueJobs from '../../../../core/deliveries/stores/attempts.ts'
import { deleteLead, purgeDeletedLeads, restoreLead } from '../../../../core/leads/change-lead.ts'
import { storeLead } from '../../../../core/leads/store-lead.ts'
import * as leadChanges from '../../../../core/leads/stores/lead-changes.ts'
import * as leadLists from '../../../../core/leads/stores/lead-lists.ts'
import * as leads from '../../../../core/leads/stores/leads.ts'
import * as providers from '../../../../core/providers/stores/providers.ts'
import { useDatabase } from '../../../support/database.ts'
import { CHAIN_KEY, PERSON_KEY } from '../../../support/env.ts'
import { createLead, createProvider, jobsOf, leadForm } from '../../../support/factories.ts'
import { waitFor } from '../../../support/wait.ts'

const database = useDatabase()

const STAFF = { actor: 'Ada' }
const remove = (id: number) => deleteLead(database.db, id, STAFF)
const restore = (id: number) => restoreLead(database.db, id, STAFF)
const purge = () => purgeDeletedLeads(database.db, 30, PERSON_KEY)
const stored = (id: number) => database.db('leads').where({ id }).first()
const ledger = (id: number) => jobsOf(database.db, id).orderBy(['name', 'purpose', 'generation'])
const lockWaits = async () =>
  (await database.db('pg_stat_activity').whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)).length
const auditLog = async () =>
  (await database.db('audit_log').orderBy('id')).map(
    ({ actor, action, entity_id }) => `${actor} ${action} ${entity_id}`,
  )

/** A worker took up every job and has not come back. */
const BEGUN = 'insert into job_attempts (job_id) select id from jobs'

const age = (id: number, ms: number) =>
  database
    .db('all_leads')
    .where({ id })
    .update({ deleted_at: new Date(Date.now() - ms) })

async function sendForm(lead: ReturnType<typeof leadForm>, idempotencyKey?: string): Promise<number> {
  const match = { providerId: null, nearestMiles: null }
  const visit = { ip: '203.0.113.7', userAgent: 'test', pageUrl: '' }
  return (await storeLead(database.db, { lead, idempotencyKey, match, visit }, CHAIN_KEY)).leadId
}

describe('a deleted lead', () => {
  it('is in no list and no count, and nothing can be done to it', async () => {
    const provider = await createProvider(database.db)
    const id = await createLead(database.db, { providerId: provider.id })
    await remove(id)

    expect(await leadLists.list(database.db, { page: 1, limit: 40, sort: '-created_at', timeZone: 'UTC' })).toEqual({
      leads: [],
      total: 0,
    })
    expect(await leads.find(database.db, id)).toBeNull()
    const [counted] = await providers.forStaff(database.db, await providers.list(database.db, 'active'))
    expect(counted?.leadCount).toBe(0)
    for (const name of ['send-email', 'sync-crm'] as const) {
      const retried = retryAll(database.db, `lead:${id}`, name, STAFF)
      await expect(retried).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(deleteLead(database.db, id, STAFF)).rejects.toMatchObject({ code: 'not_found' })
    expect(await auditLog()).toEqual([`Ada delete ${id}`])
  })

  it('swallows no form that its person sends while it can be restored', async () => {
    const form = leadForm()
    const first = await sendForm(form, 'key-1')
    await remove(first)
    const second = await sendForm(form, 'key-1')
    expect(second).not.toBe(first)

    // Both are kept, and the newer one is what a repeat is a repeat of.
    await restore(first)
    expect(await database.db('leads').orderBy('id').pluck('id')).toEqual([first, second])
    expect(await stored(first)).toMatchObject({ email: form.email, idempotency_key: null, repeat_window: 'empty' })
    expect(await sendForm(form, 'key-1')).toBe(second)
    expect(await sendForm(form)).toBe(second)
  })
})

describe('restore', () => {
  it('brings back the lead and its jobs exactly as they were', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = leadForm({
      last_name: `O'Brien "\\ ? ${'ż'.repeat(20)}`,
      attribution: { first: { landing_page: '/?a=1', utm_source: 'x' } },
    })
    const id = await createLead(database.db, { form, providerId })
    await database.db('leads').update({ match_distance_miles: 1 / 3, crm_external_id: 'crm-1', idempotency_key: 'k' })
    const before = [await stored(id), await ledger(id)]
    await remove(id)
    expect(await stored(id)).toBeUndefined()
    await restore(id)

    expect([await stored(id), await ledger(id)]).toEqual(before)
    expect(await auditLog()).toEqual([`Ada delete ${id}`, `Ada restore ${id}`])
    // The next lead gets an id of its own.
    expect(await createLead(database.db)).toBe(id + 1)
  })

  it.each(['done', 'failed', 'cancelled'] as const)('does nothing again that is %s', async (state) => {
    const id = await createLead(database.db)
    await database.db('jobs').update({ state, last_cause: 'refused', finished_at: database.db.fn.now() })
    const before = await ledger(id)
    await remove(id)
    await restore(id)
    expect(await ledger(id)).toEqual(before)
  })

  it('gives to the queue again what it may have dropped', async () => {
    const id = await createLead(database.db)
    await database.db('jobs').update({ state: 'enqueued', enqueued_at: database.db.fn.now() })
    await remove(id)
    await restore(id)
    const due = await database.db.transaction((trx) => dueJobs.takeDue(trx, 10))
    expect(due.map(({ attempts }) => attempts)).toEqual([0, 0])
  })

  it('works until the lead is purged, and then says that it is too late', async () => {
    const [early, late] = [await createLead(database.db), await createLead(database.db)]
    await remove(early)
    await remove(late)
    await age(early, 30 * DAY - MINUTE)
    await age(late, 30 * DAY + MINUTE)
    await purge()

    await restore(early)
    await expect(restore(late)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('permanently deleted'),
    })
    expect(await database.db('leads').pluck('id')).toEqual([early])
  })

  it('is done once, however often it is asked at the same time', async () => {
    const id = await createLead(database.db)
    await remove(id)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => restore(id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await auditLog()).toEqual([`Ada delete ${id}`, `Ada restore ${id}`])
  })

  it('loses no job to a worker that takes it up for the deleted lead meanwhile', async () => {
    const id = await createLead(database.db)
    await remove(id)
    await database.db('jobs').update({ state: 'enqueued', enqueued_at: database.db.fn.now(), finished_at: null })
    const jobs = await ledger(id)
    const restoring = await database.db.transaction()
    await leadChanges.restore(restoring, id)
    const beginning = attempts.begin(
      database.db,
      jobs.map((job) => job.id),
    )
    await waitFor('the worker to wait for the restoration', async () => (await lockWaits()) > 0)
    await restoring.commit()
    expect(await beginning).toEqual([])
    expect((await ledger(id)).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  })
})

describe('purge', () => {
  it('permanently deletes what can no longer be restored, and nothing else', async () => {
    const form = leadForm({ first_name: 'Canary' })
    const [over, young, kept] = [
      await createLead(database.db, { form }),
      await createLead(database.db),
      await createLead(database.db),
    ]
    await remove(over)
    await remove(young)
    await age(over, 30 * DAY + MINUTE)

    expect(await purge()).toBe(1)
    expect(await purge()).toBe(0)
    expect(await database.db('all_leads').orderBy('id').pluck('id')).toEqual([young, kept])
    expect(await ledger(over)).toEqual([])
    expect(await ledger(young)).toHaveLength(2)
    expect(await ledger(kept)).toHaveLength(2)
    expect(await database.db('consents').orderBy('lead_id').pluck('lead_id')).toEqual([over, young, kept])
    expect(await auditLog()).toEqual([`Ada delete ${over}`, `Ada delete ${young}`, `system purge ${over}`])
    const everything = await Promise.all(['jobs', 'audit_log', 'consents'].map((table) => database.db(table)))
    expect(JSON.stringify(everything)).not.toMatch(/canary/i)
  })

  it.each<[string, string, boolean]>([
    ['that no attempt was made to send', 'select', false],
    ['that is in the queue', `update jobs set state = 'enqueued', enqueued_at = now()`, true],
    ['whose worker was killed in the middle of its call', BEGUN, true],
    [
      'that was tried again by staff during the call',
      `${BEGUN}; update jobs set state = 'cancelled', finished_at = now()`,
      true,
    ],
    ['that it was not to know', `${BEGUN}; update job_attempts set outcome = 'cancelled', duration_ms = 1`, false],
  ])('notifies the CRM of a lead %s, if it may know it', async (_what, before, isNotified) => {
    const id = await createLead(database.db)
    await database.db('jobs').whereNot('name', 'sync-crm').delete()
    await database.db.raw(before)
    await remove(id)
    await age(id, 30 * DAY + MINUTE)
    await purge()
    const owed = isNotified ? [{ name: 'sync-crm', purpose: 'deleted', state: 'waiting' }] : []
    expect(await ledger(id)).toMatchObject(owed)
    expect(await database.db('job_attempts')).toEqual([])
  })

  it('is done once, however many do it, and never against a restoration', async () => {
    const id = await createLead(database.db)
    await remove(id)
    await age(id, 30 * DAY + MINUTE)
    const purged = await Promise.all(Array.from({ length: 5 }, purge))
    expect(purged.toSorted()).toEqual([0, 0, 0, 0, 1])
    await expect(restore(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
