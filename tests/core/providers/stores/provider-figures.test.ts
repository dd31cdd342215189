import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../../core/contract/time.ts'
import { recordOutcome } from '../../../../core/leads/record-outcome.ts'
import type { NewOutcome } from '../../../../core/leads/stores/outcomes.ts'
import * as clinicPeople from '../../../../core/providers/stores/clinic-people.ts'
import * as providerRecord from '../../../../core/providers/stores/provider-record.ts'
import * as providers from '../../../../core/providers/stores/providers.ts'
import { useDatabase } from '../../../support/database.ts'
import { createClinicPerson, createLead, createProvider, createSyncRun, jobsOf } from '../../../support/factories.ts'

const database = useDatabase()

describe('the figures of the table of providers', () => {
  it('count the leads of 30 days, and have the last lead of all times', async () => {
    const { db } = database
    const { id } = await createProvider(db)
    const none = await createProvider(db, { zip_code: '00000' })
    const reached = await createLead(db, { providerId: id })
    await createLead(db, { providerId: id })
    await createLead(db, { providerId: id, heldReason: 'too_fast' })
    await recordOutcome(db, reached, { source: 'clinic', actor: 'clinic', kind: 'reached' })
    await db('answer_clocks').where('lead_id', reached).delete()
    const started = Date.now() - 3 * HOUR
    await db('answer_clocks').insert({
      ...{ lead_id: reached, provider_id: id },
      ...{ started_at: new Date(started), answered_at: new Date(started + 2 * HOUR) },
    })
    const old = await createLead(db, { providerId: none.id })
    const longAgo = new Date(Date.now() - 40 * DAY)
    await db('leads').where('id', old).update({ created_at: longAgo })

    const [own, other] = await providers.listFigures(db)
    expect(own).toMatchObject({
      id,
      place: { city: 'Austin', state: 'TX' },
      leads: 2,
      answer_time: 2 * HOUR,
      reached: 0.5,
    })
    expect(other).toEqual({
      ...{ id: none.id, place: null, leads: 0, last_lead_at: longAgo.toISOString(), answer_time: null, reached: null },
      mails: [],
    })
  })

  it('have the last ten emails, as the record has them', async () => {
    const { db } = database
    const { id } = await createProvider(db, { email: 'desk@clinic.example' })
    const mail = (state: 'done' | 'failed' | 'enqueued' | 'cancelled', to = 'desk@clinic.example', daysAgo = 1) => ({
      ...{ name: 'send-email' as const, purpose: 'test', subject_kind: 'provider' as const, subject_id: id },
      ...{ state, result: JSON.stringify({ to }) },
      ...(state === 'failed' && { last_cause: 'mailbox_full' as const }),
      created_at: new Date(Date.now() - daysAgo * DAY),
      ...(state === 'enqueued' ? { enqueued_at: new Date() } : { finished_at: new Date() }),
    })
    await db('jobs').insert(
      [
        ...[mail('failed'), mail('enqueued'), mail('cancelled'), mail('failed', 'other@clinic.example')],
        ...Array.from({ length: 8 }, () => mail('done')),
        mail('failed', 'desk@clinic.example', 2),
      ].map((job, generation) => ({ ...job, generation: generation + 1 })),
    )
    const [figures] = await providers.listFigures(db)
    expect(figures?.mails).toEqual(
      (await providers.listMails(db, [id])).get(id)?.map(({ state, at }) => ({ state, at })),
    )
    expect(figures?.mails.filter(({ state }) => state !== 'delivered')).toHaveLength(2)
  })
})

type Request = {
  /** Its age in days. */
  age?: number
  outcome?: Partial<NewOutcome> & Pick<NewOutcome, 'kind'>
  /** Hours until the answer, and until the limit. */
  answered?: number
  due?: number
  miles?: number
  mail?: 'done' | 'failed'
  held?: boolean
}
/** Stores a request of a clinic that came some days ago, with its outcome. */
async function request(
  providerId: number,
  { age = 1, outcome, answered, due, miles = 10, mail, held }: Request = {},
): Promise<number> {
  const { db } = database
  const id = await createLead(db, { providerId, ...(held && { heldReason: 'too_fast' }) })
  if (outcome) await recordOutcome(db, id, { source: 'clinic', actor: 'clinic', ...outcome })
  const came = db.raw(`now() - ? * interval '1 day'`, [age])
  await db('leads').where({ id }).update({ created_at: came, matched_at: came, match_distance_miles: miles })
  const after = (hours?: number) =>
    hours === undefined ? null : db.raw(`now() - ? * interval '1 day' + ? * interval '1 hour'`, [age, hours])
  await db('answer_clocks')
    .where('lead_id', id)
    .update({ started_at: came, due_at: after(due), answered_at: after(answered) })
  if (mail) {
    const error = mail === 'failed' ? { last_error: 'The mailbox is full.', last_cause: 'mailbox_full' as const } : {}
    const state = { state: mail, finished_at: db.fn.now(), ...error }
    await jobsOf(db, id, { purpose: 'provider' }).update(state)
  }
  return id
}
const clinic = async () => (await createProvider(database.db)).id

describe('the figures of a clinic', () => {
  it('count its requests of 90 days by their current outcome, with all that an outcome implies', async () => {
    const id = await clinic()
    await request(id, { outcome: { kind: 'attended' }, mail: 'done' })
    await request(id, { outcome: { kind: 'reached' }, mail: 'done' })
    await request(id, { outcome: { kind: 'declined', reason: 'no_capacity' }, mail: 'failed' })
    await request(id, { age: 40, outcome: { kind: 'opened' } })
    await request(id, { age: 100, outcome: { kind: 'booked' } })
    await request(id, { held: true })
    await request(await clinic(), { outcome: { kind: 'booked' } })

    const figures = await providerRecord.readFigures(database.db, id)
    expect(figures).toMatchObject({ requests: 4, opened: 4, reached: 2, booked: 1, delivered: 2, failed: 1 })
    expect(figures.declined).toEqual([{ reason: 'no_capacity', count: 1 }])
  })

  it('have the median time to the answer, and the share of those in time', async () => {
    const id = await clinic()
    await request(id, { answered: 2, due: 8 })
    await request(id, { answered: 4, due: 8 })
    await request(id, { answered: 12, due: 8 })
    await request(id, { due: 8 })
    // Its time has not passed.
    await request(id, { due: 48 })
    await request(id)

    const { answer_time, timed, in_time } = await providerRecord.readFigures(database.db, id)
    expect(answer_time).toBeCloseTo(4 * HOUR, -2)
    expect({ timed, in_time }).toEqual({ timed: 4, in_time: 2 })
  })

  it('have the distances, and the complaints, each person once', async () => {
    const id = await clinic()
    for (const miles of [1, 2, 3, 4, 100]) await request(id, { miles })
    const notCalled = await request(id, {
      miles: 3,
      outcome: { kind: 'no_answer', source: 'visitor', actor: 'visitor' },
    })
    await recordOutcome(database.db, notCalled, { kind: 'reached', source: 'clinic', actor: 'clinic' })
    await recordOutcome(database.db, notCalled, { kind: 'no_answer', source: 'visitor', actor: 'visitor' })
    await database
      .db('opt_outs')
      .insert({ lead_id: notCalled, provider_id: id, due_at: database.db.raw(`now() + interval '9 days'`) })

    const figures = await providerRecord.readFigures(database.db, id)
    expect(figures).toMatchObject({ not_called: 1, opted_out: 1, distance: { p50: 3, p90: expect.any(Number) } })
    expect(figures.distance.p90).toBeGreaterThan(4)
  })
})

it('the months of a clinic are those of the network’s zone, from the first one with a request', async () => {
  const { db } = database
  const id = await clinic()
  expect(await providerRecord.readMonths(db, id, 'UTC')).toEqual([])
  const now = new Date()
  const first = (monthsAgo: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1))
  const month = (monthsAgo: number) => first(monthsAgo).toISOString().slice(0, 7)
  const at = async (created_at: Date, of: Request = {}) =>
    db('leads')
      .where('id', await request(id, of))
      .update({ created_at })
  await at(first(2), { outcome: { kind: 'treated' }, answered: 2, due: 8 })
  await at(first(2), { outcome: { kind: 'reached' }, answered: 9, due: 8 })
  await at(first(2), { outcome: { kind: 'no_show' } })
  await at(first(2), { held: true })
  await at(first(0), { due: 48 })
  await request(await clinic())

  const counts = { requests: 0, reached: 0, booked: 0, came: 0, timed: 0, in_time: 0 }
  expect(await providerRecord.readMonths(db, id, 'UTC')).toEqual([
    { ...counts, month: month(0), requests: 1 },
    { ...counts, month: month(1) },
    { month: month(2), requests: 3, reached: 3, booked: 2, came: 1, timed: 2, in_time: 1 },
  ])
  // At midnight of London it is still the month before in New York.
  const [last, previous] = await providerRecord.readMonths(db, id, 'America/New_York')
  expect(last?.requests === 1 ? last : previous).toMatchObject({ month: month(1), requests: 1 })
})

it('the failed requests of a clinic are those whose own email failed and that it has not answered', async () => {
  const { db } = database
  const id = await clinic()
  const [failed, answered] = [await request(id, { mail: 'failed' }), await request(id, { mail: 'failed' })]
  await recordOutcome(db, answered, { source: 'clinic', actor: 'clinic', kind: 'reached' })
  const visitors = await request(id, { mail: 'done' })
  await db('jobs')
    .where({ subject_id: visitors, purpose: 'visitor' })
    .update({ state: 'failed', last_cause: 'refused', finished_at: db.fn.now() })
  expect(await providerRecord.listFailedLeads(db, id)).toEqual([failed])
})

it('the figures of the network are the medians of the clinics with enough requests', async () => {
  for (const booked of [1, 2, 5]) {
    const id = await clinic()
    for (let n = 0; n < 5; n++) {
      await request(id, { miles: booked, ...(n < booked && { outcome: { kind: 'booked' } }) })
    }
  }
  // Too few to say anything.
  await request(await clinic(), { outcome: { kind: 'booked' } })

  expect(await providerRecord.readNetwork(database.db)).toMatchObject({
    ...{ clinics: 3, requests: 5, booked: 0.4, reached: 0.4, opened: 0.4, in_time: null, distance: 2 },
  })
})

describe('the emails to the address of a clinic', () => {
  const ended = (leadId: number, job: object) =>
    jobsOf(database.db, leadId, { purpose: 'provider' }).update({ finished_at: database.db.fn.now(), ...job })
  const sentTo = (to: string) => ({ state: 'done', result: JSON.stringify({ to }) })

  it('are its last ten, with the words of the mail server', async () => {
    const id = (await createProvider(database.db, { email: 'desk@clinic.example' })).id
    for (let n = 0; n < 11; n++) await ended(await request(id), sentTo('desk@clinic.example'))
    await ended(await request(id), {
      ...{ state: 'failed', result: JSON.stringify({ to: 'desk@clinic.example' }) },
      ...{ last_error: 'The mailbox is full.', last_detail: '552 5.2.2 over quota', last_cause: 'mailbox_full' },
    })

    const mails = (await providers.listMails(database.db, [id])).get(id)
    expect(mails).toHaveLength(10)
    expect(mails?.[0]).toMatchObject({
      ...{ state: 'failed', purpose: 'provider', detail: '552 5.2.2 over quota', cause: 'mailbox_full' },
    })
    expect(mails?.[1]).toMatchObject({ state: 'delivered', error: null })
  })

  it('stay with the clinic after a request was passed on, and not with its former address', async () => {
    const id = (await createProvider(database.db, { email: 'old@clinic.example' })).id
    const leadId = await request(id)
    await ended(leadId, sentTo('old@clinic.example'))
    await database
      .db('leads')
      .where('id', leadId)
      .update({ provider_id: await clinic() })
    const count = async () => (await providers.listMails(database.db, [id])).get(id)?.length
    expect(await count()).toBe(1)

    await database.db('providers').where({ id }).update({ email: 'new@clinic.example' })
    expect(await count()).toBe(0)
    await createClinicPerson(database.db, { provider_id: id, email: 'old@clinic.example', gets: 'requests' })
    expect(await count()).toBe(1)
    expect((await clinicPeople.findInUse(database.db, id)).requests).toBe('old@clinic.example')
  })
})

it('the changes of a clinic come from the syncs that changed it and from the acts of staff, the newest first', async () => {
  const id = await clinic()
  const change = (provider_id: number) => ({
    ...{ kind: 'update' as const, wordpress_id: 9, provider_id, name: 'Dr. Test', zipCode: '78701', reason: null },
    fields: [{ field: 'phone', from: '1', to: '2' }],
  })
  const changes = JSON.stringify([change(id + 1000), change(id)])
  const run = await createSyncRun(database.db, { changes, finished_at: new Date(Date.now() - 1000) })
  await createSyncRun(database.db, { changes, dry_run: true })
  await database.db('audit_log').insert({
    ...{ actor: 'staff', action: 'confirm-email', entity: 'provider', entity_id: String(id) },
  })

  const listed = await providerRecord.listChanges(database.db, id)
  expect(listed).toHaveLength(2)
  expect(listed[0]).toMatchObject({ act: { action: 'confirm-email' } })
  expect(listed[1]).toMatchObject({ sync: { id: run.id, change: change(id) } })
})
