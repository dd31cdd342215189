import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../../../core/contract/consent.ts'
import * as dueJobs from '../../../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { assignProvider, assignTo, undoMatch } from '../../../../core/leads/assign-provider.ts'
import { deleteLead } from '../../../../core/leads/change-lead.ts'
import { MAX_COUNTED_REQUESTS } from '../../../../core/leads/contract/leads.ts'
import { recipientOf } from '../../../../core/leads/rules/holds.ts'
import * as leadChanges from '../../../../core/leads/stores/lead-changes.ts'
import * as leads from '../../../../core/leads/stores/leads.ts'
import * as repeats from '../../../../core/leads/stores/repeats.ts'
import { queryRows } from '../../../../core/platform/db.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider, jobsOf, leadForm } from '../../../support/factories.ts'
import { found } from '../../../support/found.ts'
import { purgeDeleted } from '../../../support/purges.ts'
import { storedRows } from '../../../support/refusals.ts'

const database = useDatabase()

describe('consents', () => {
  it('can neither be changed nor deleted', async () => {
    await createLead(database.db)

    await expect(database.db('consents').update({ wording: 'Anything' })).rejects.toThrow('append-only')
    await expect(database.db('consents').delete()).rejects.toThrow('append-only')
    expect(await database.db('consents').first()).toMatchObject({ wording: CONSENT.form.wording })
  })

  it('outlive their lead, without a name, an email or a phone', async () => {
    const form = leadForm({ first_name: 'Canary', last_name: 'Serin' })
    const id = await createLead(database.db, { form })
    await deleteLead(database.db, id, { actor: 'staff' })
    await purgeDeleted(database.db)

    expect(await storedRows(database.db)).toEqual({ leads: 0, consents: 1, jobs: 0 })
    const kept = JSON.stringify(await database.db('consents').first())
    for (const secret of [form.first_name, form.last_name, form.email, form.phone]) expect(kept).not.toContain(secret)
  })
})

it('assign changes nothing when the lead has that provider already', async () => {
  const { id: providerId } = await createProvider(database.db)
  const id = await createLead(database.db, { providerId })
  const before = await database.db('leads').where({ id }).first()

  const changed = await database.db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    return lead && assignTo(trx, lead, { providerId, kind: 'staff', miles: 9 })
  })
  expect(changed).toBeNull()
  expect(await database.db('leads').where({ id }).first()).toEqual(before)
  expect(await storedRows(database.db)).toMatchObject({ jobs: 3 })
})

const others = async (id: number) => (await repeats.listOthers(database.db, id)).map((other) => other.id)

const counts = async (...ids: number[]) => {
  const counted = await repeats.count(
    database.db,
    ids.map((id) => ({ id })),
  )
  return counted.map(({ requests: { number, total } }) => `${number} of ${total}`)
}

describe('the requests of one person', () => {
  it('have the same email or phone, over any number of steps', async () => {
    const byEmail = await createLead(database.db, { form: { email: 'Jordan@visitors.example', phone: '5125550101' } })
    const bridge = await createLead(database.db, { form: { email: 'jordan@visitors.example', phone: '5125550102' } })
    const held = {
      form: { email: 'avery@visitors.example', phone: '+1 (512) 555-0102' },
      heldReason: 'too_fast',
    } as const
    const byPhone = await createLead(database.db, held)
    const fromHeld = await createLead(database.db, { form: { email: 'AVERY@visitors.example', phone: '5125550103' } })
    const stranger = await createLead(database.db)

    expect(await others(fromHeld)).toEqual([byPhone, bridge, byEmail])
    expect(await counts(byEmail, bridge, byPhone, fromHeld, stranger)).toEqual([
      ...['1 of 4', '2 of 4', '3 of 4', '4 of 4'],
      '1 of 1',
    ])
  })

  it('are not those whose phone is no number, or whose mailbox has another tag', async () => {
    const phone = 'call me: 911'
    const first = await createLead(database.db, { form: { phone, email: 'jordan+a@visitors.example' } })
    await createLead(database.db, { form: { phone, email: 'jordan+b@visitors.example' } })
    expect(await others(first)).toEqual([])
  })

  it('are counted up to a limit', async () => {
    const id = await createLead(database.db, { form: { phone: '5125550101' } })
    await database.db.raw(
      `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'A', 'B', i || '@visitors.example', '(512) 555-0101', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 300) i`,
    )
    const [counted] = await repeats.count(database.db, [{ id }])
    expect(counted?.requests.total).toBe(MAX_COUNTED_REQUESTS)
    expect(await others(id)).toHaveLength(10)
  })
})

describe('recipient_of', () => {
  it.each([
    'Visitor@Visitors.example',
    'visitor+a+b@visitors.example',
    'visitor@plus+sign.example',
    'First.Last+1.2@GoogleMail.com',
    'f.i.r.s.t@gmail.com',
    'first.last@mygmail.com',
    'first.last@gmail.com.example',
    '+tag@gmail.com',
    'a.b@sub.gmail.com',
  ])('takes %s for the same mailbox as the API does', async (email) => {
    const [row] = await queryRows<{ mailbox: string }>(database.db, 'select recipient_of(?) as mailbox', [email])
    expect(row?.mailbox).toBe(recipientOf(email))
  })

  it('has statistics, so that the leads of a mailbox are looked up by it among any number of others', async () => {
    const trx = await database.db.transaction()
    try {
      await trx.raw(`insert into leads (first_name, last_name, email, phone, zip_code, acceptance_consent, request_hash, person_key, repeat_window)
        select 'A', 'B', 'visitor' || n || '@visitors.example', '5125550177', '78701', true, '', gen_random_uuid(), 'empty'
        from generate_series(1, 4000) n`)
      await trx.raw('analyze all_leads')
      const plan = await queryRows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
        trx,
        `explain (format json) select from leads where recipient_of(email) = 'visitor7@visitors.example' and held_reason is null`,
      )
      // Without them, 0.5 % of all.
      expect(plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeLessThan(3)
    } finally {
      await trx.rollback()
    }
  })
})

const STAFF = { actor: 'Ada' }
const provider = async () => (await createProvider(database.db)).id
const assign = (id: number, providerId: number) => assignProvider(database.db, id, providerId, STAFF)
const undo = (id: number) => undoMatch(database.db, id, STAFF)

const everythingOf = async (id: number) => ({
  lead: await database.db('leads').where({ id }).first(),
  jobs: await jobsOf(database.db, id).orderBy(['name', 'purpose', 'generation']),
})

const due = async () => (await database.db.transaction((trx) => dueJobs.takeDue(trx, 100))).length

const open = async (id: number) =>
  (await jobs.list(database.db, `lead:${id}`))
    .filter(({ state }) => state === 'waiting')
    .map(({ purpose }) => purpose)
    .toSorted()

describe('a match by staff', () => {
  it('is delivered to nobody while it can be undone', async () => {
    const id = await createLead(database.db)
    await database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })
    await assign(id, await provider())
    expect(await due()).toBe(0)
    await database
      .db('jobs')
      .update({ next_attempt_at: database.db.raw(`next_attempt_at - ? * interval '1 ms'`, [leadChanges.undoDelay()]) })
    expect(await due()).toBe(3)
  })

  it('is undone as if it had never been, with a line in the audit log', async () => {
    const id = await createLead(database.db)
    const before = await everythingOf(id)
    const to = await provider()
    await assign(id, to)
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    const log = await database.db('audit_log').orderBy('id').select('action', 'details')
    expect(log).toEqual([
      { action: 'assign-provider', details: { from: null, to } },
      { action: 'undo-match', details: { from: to } },
    ])
  })

  it('of a held lead is undone: the lead is held again, and its team is notified', async () => {
    const id = await createLead(database.db, { heldReason: 'too_fast' })
    const before = await everythingOf(id)
    await assign(id, await provider())
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    expect(await open(id)).toEqual(['team'])
  })

  it('is undone step by step, the newest first', async () => {
    const id = await createLead(database.db, { providerId: await provider() })
    const [before, second] = [await everythingOf(id), await provider()]
    await assign(id, second)
    const between = await everythingOf(id)
    await assign(id, await provider())
    await undo(id)
    expect(await everythingOf(id)).toEqual(between)
    await undo(id)
    expect(await everythingOf(id)).toEqual(before)
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('cannot be undone once one of its deliveries is on its way', async () => {
    const id = await createLead(database.db)
    await assign(id, await provider())
    const { id: jobId } = found(await jobsOf(database.db, id, { purpose: 'provider' }).first('id'))
    await database.db('jobs').where('id', jobId).update({ state: 'enqueued', enqueued_at: database.db.fn.now() })
    const before = await everythingOf(id)
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('too late') })
    expect(await everythingOf(id)).toEqual(before)
  })

  it('cannot be undone where there was none', async () => {
    const id = await createLead(database.db, { providerId: await provider() })
    await expect(undo(id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(undo(id + 1)).rejects.toMatchObject({ code: 'not_found' })
  })
})
