import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../core/contract/time.ts'
import { advanceClocks, type ClockSettings } from '../../../core/leads/advance-clocks.ts'
import { answerQuestion } from '../../../core/leads/answers.ts'
import { assignProvider } from '../../../core/leads/assign-provider.ts'
import { deleteLead, restoreLead } from '../../../core/leads/change-lead.ts'
import { recordOutcome } from '../../../core/leads/record-outcome.ts'
import { answerTimes, questionTime } from '../../../core/leads/rules/outcomes.ts'
import * as answerClocks from '../../../core/leads/stores/answer-clocks.ts'
import * as leads from '../../../core/leads/stores/leads.ts'
import { stopContactOfLead } from '../../../core/privacy/stop-contact.ts'
import { changeRules } from '../../../core/providers/change-provider.ts'
import { USUAL_HOURS, type WeekHours } from '../../../core/providers/contract/provider-rules.ts'
import { useDatabase } from '../../support/database.ts'
import { PERSON_KEY } from '../../support/env.ts'
import { createClinicPerson, createLead, createProvider, deliverAll, jobsOf } from '../../support/factories.ts'
import { found } from '../../support/found.ts'

const database = useDatabase()

const STAFF = { actor: 'staff' }
const ALWAYS = Object.fromEntries(
  ['1', '2', '3', '4', '5', '6', '7'].map((day) => [day, [['00:00', '24:00']]]),
) as WeekHours
const SETTINGS: ClockSettings = {
  usual: { hours: ALWAYS, timeZone: 'America/New_York', answerHours: 8 },
  passOn: 'offer',
  asksVisitor: true,
  radiusMiles: 100,
  personKey: PERSON_KEY,
}
const advance = (settings: Partial<ClockSettings> = {}) => advanceClocks(database.db, { ...SETTINGS, ...settings })
const clock = (id: number) => database.db('answer_clocks').where('lead_id', id).first()
/** Moves the lead's match, its jobs and its clock into the past. */
async function waitFor(id: number, hours: number) {
  const shift = database.db.raw(`? * interval '1 hour'`, [hours])
  await database
    .db('leads')
    .where({ id })
    .update({ matched_at: database.db.raw('matched_at - ?', [shift]) })
  await jobsOf(database.db, id).update({ created_at: database.db.raw('created_at - ?', [shift]) })
  await database
    .db('answer_clocks')
    .where('lead_id', id)
    .update({
      started_at: database.db.raw('started_at - ?', [shift]),
      due_at: database.db.raw('due_at - ?', [shift]),
      step_at: database.db.raw('step_at - ?', [shift]),
      offer_at: database.db.raw('offer_at - ?', [shift]),
      ask_visitor_at: database.db.raw('ask_visitor_at - ?', [shift]),
    })
}
const FAILED = { state: 'failed', last_error: 'Refused.', last_cause: 'refused' } as const
const ANSWERS = [
  'reminder',
  'late_clinic',
  'late_team',
  'no_other_clinic',
  'visitor_question',
  'visit_question',
  'not_called',
  'withdrawn',
]
const mails = (id: number) =>
  jobsOf(database.db, id).whereIn('purpose', ANSWERS).orderBy(['created_at', 'purpose']).pluck('purpose')
const arrive = (id: number) => deliverAll(database.db, id)

/** A lead whose provider and visitor were notified, and whose clock is worked out. */
async function notifiedLead(rules: Record<string, unknown> = {}) {
  const { id: providerId } = await createProvider(database.db)
  await database.db('provider_rules').insert({ provider_id: providerId, updated_by: 'staff', ...rules })
  const id = await createLead(database.db, { providerId })
  await arrive(id)
  expect(await advance()).toBe(1)
  return { id, providerId }
}

describe('the clock of a clinic’s answer', () => {
  it('works out the times of a new lead, and then waits', async () => {
    const { id } = await notifiedLead()
    const { started_at, due_at, step, step_at, ask_visitor_at } = found(await clock(id))
    const from = started_at.getTime()
    expect(due_at?.getTime()).toBe(from + 8 * HOUR)
    expect(step_at?.getTime()).toBe(from + 4 * HOUR)
    expect(step).toBe('remind')
    expect(ask_visitor_at?.getTime()).toBe(from + 2 * DAY)
    expect(await advance()).toBe(0)
    expect(await mails(id)).toEqual([])
  })

  it('takes each step once: reminder, late, and the offer to pass it on', async () => {
    const { id, providerId } = await notifiedLead()
    await createClinicPerson(database.db, { provider_id: providerId, email: 'second@clinics.example', gets: 'late' })
    await waitFor(id, 4)
    expect(await advance()).toBe(1)
    expect(await mails(id)).toEqual(['reminder'])
    expect(await advance()).toBe(0)

    await waitFor(id, 4)
    await advance()
    expect(await mails(id)).toEqual(['reminder', 'late_clinic', 'late_team'])

    await waitFor(id, 4)
    await advance()
    expect(await clock(id)).toMatchObject({ step: 'offer', step_at: null, answered_at: null })
    expect(await advance()).toBe(0)
    expect(await mails(id)).toHaveLength(3)
  })

  it('by two workers at once sends each email once', async () => {
    const ids: number[] = []
    for (let lead = 0; lead < 12; lead += 1) ids.push((await notifiedLead()).id)
    for (const id of ids) await waitFor(id, 4)
    const counts = await Promise.all([advance(), advance(), advance()])
    expect(counts.reduce((all, count) => all + count)).toBe(12)
    for (const id of ids) expect(await mails(id)).toEqual(['reminder'])
  })

  it('takes a step and its emails together or not at all', async () => {
    const { id } = await notifiedLead()
    await waitFor(id, 4)
    await database.db.raw(`alter table jobs add constraint no_reminder check (purpose <> 'reminder') not valid`)
    try {
      await expect(advance()).rejects.toThrow('clocks of 1 leads')
      expect(await clock(id)).toMatchObject({ step: 'remind', step_at: expect.any(Date) })
    } finally {
      await database.db.raw('alter table jobs drop constraint no_reminder')
    }
    expect(await advance()).toBe(1)
    expect(await mails(id)).toEqual(['reminder'])
  })

  it('works out the other clocks when one of them fails', async () => {
    const lost = await createProvider(database.db)
    await database.db('provider_rules').insert({ provider_id: lost.id, updated_by: 'staff', hours: '{"1":5}' })
    const well = await createProvider(database.db)
    const broken = await createLead(database.db, { providerId: lost.id })
    const id = await createLead(database.db, { providerId: well.id })
    await expect(advance()).rejects.toThrow('clocks of 1 leads')
    expect(await clock(broken)).toMatchObject({ step: 'start', due_at: null })
    expect(await clock(id)).toMatchObject({ step: 'remind', due_at: expect.any(Date) })
    await database.db('provider_rules').where({ provider_id: lost.id }).update({ hours: null })
    expect(await advance()).toBe(1)
  })

  it('reminds no clinic that has not got the request, and none whose answer is late already', async () => {
    const unsent = await notifiedLead()
    await jobsOf(database.db, unsent.id, { purpose: 'provider' }).update(FAILED)
    const late = await notifiedLead()
    await waitFor(unsent.id, 4)
    await waitFor(late.id, 9)
    await advance()
    expect(await mails(unsent.id)).toEqual([])
    await advance()
    expect(await mails(late.id)).toEqual(['late_team'])
  })

  it('stops with an answer, and goes on after the clinic only opened its page', async () => {
    const [answered, opened] = [await notifiedLead(), await notifiedLead()]
    await recordOutcome(database.db, answered.id, { kind: 'no_answer', source: 'clinic', actor: 'clinic' })
    await recordOutcome(database.db, opened.id, { kind: 'opened', source: 'clinic', actor: 'clinic' })
    for (const { id } of [answered, opened]) await waitFor(id, 4)
    await advance()
    expect(await mails(answered.id)).toEqual([])
    expect(await mails(opened.id)).toEqual(['reminder'])
  })

  it('rests while a lead is deleted, goes on when it is restored, and ends when its person asks to stop', async () => {
    const [deleted, stopped] = [await notifiedLead(), await notifiedLead()]
    for (const { id } of [deleted, stopped]) await waitFor(id, 4)
    await deleteLead(database.db, deleted.id, STAFF)
    await stopContactOfLead(database.db, stopped.id, STAFF, { key: PERSON_KEY, timeZone: 'UTC' })
    await advance()
    expect(await mails(deleted.id)).toEqual([])
    expect(await mails(stopped.id)).toEqual([])
    expect(await clock(stopped.id)).toMatchObject({ step_at: null, ask_visitor_at: null })

    await restoreLead(database.db, deleted.id, STAFF)
    expect(await advance()).toBe(1)
    expect(await mails(deleted.id)).toEqual(['reminder'])
  })

  it('uses the clinic’s own hours and answer time, in the zone of its zip', async () => {
    const hours: WeekHours = { 3: [['10:00', '16:00']] }
    const { id: providerId } = await createProvider(database.db, { zip_code: '97201' })
    await database
      .db('provider_rules')
      .insert({ provider_id: providerId, updated_by: 'staff', hours: JSON.stringify(hours), answer_hours: 4 })
    const id = await createLead(database.db, { providerId })
    await advance()
    const { started_at, due_at } = found(await clock(id))
    const portland = { hours, timeZone: 'America/Los_Angeles', pauses: [] }
    expect(due_at?.getTime()).toBe(answerTimes(started_at.getTime(), 4, portland)?.late)
  })

  it('is worked out again around a new pause, and takes no step before', async () => {
    const { id } = await notifiedLead()
    const before = found(await clock(id))
    await waitFor(id, 4)
    await database.db.transaction(async (trx) => {
      const now = Date.now()
      await trx('network_pauses').insert({
        starts_at: new Date(now - HOUR),
        ends_at: new Date(now + DAY),
        reason: 'Thanksgiving',
        created_by: 'staff',
      })
      await answerClocks.markStale(trx)
    })
    expect(await advance()).toBe(1)
    expect(await advance()).toBe(0)
    expect(await mails(id)).toEqual([])
    const { due_at, step, is_stale } = found(await clock(id))
    expect({ step, is_stale }).toEqual({ step: 'remind', is_stale: false })
    expect(Number(due_at)).toBe(Number(before.due_at) - 4 * HOUR + DAY + HOUR)
  })

  const MONDAYS = { hours: { 1: [['09:00', '17:00']] } } satisfies { hours: WeekHours }

  it('keeps its deadlines when the clinic changes its hours itself, and moves only a running one when staff do', async () => {
    const [running, late] = [await notifiedLead(), await notifiedLead()]
    await waitFor(running.id, 4)
    await waitFor(late.id, 9)
    const before = [found(await clock(running.id)), found(await clock(late.id))]
    for (const { providerId } of [running, late]) {
      await changeRules(database.db, providerId, { ...MONDAYS, time_zone: 'Pacific/Honolulu' }, { actor: 'clinic' })
    }
    await advance()
    await waitFor(running.id, 4)
    await advance()
    expect(await mails(running.id)).toEqual(['reminder', 'late_team'])
    expect(await clock(running.id)).toMatchObject({
      due_at: new Date(Number(before[0]?.due_at) - 4 * HOUR),
      step_at: new Date(Number(before[0]?.offer_at) - 4 * HOUR),
    })

    const other = await notifiedLead()
    for (const { providerId } of [late, other]) {
      await changeRules(database.db, providerId, { hours: { 2: [['09:00', '17:00']] } }, STAFF)
    }
    await advance()
    expect((await clock(late.id))?.due_at).toEqual(before[1]?.due_at)
    const { started_at, due_at } = found(await clock(other.id))
    expect(Number(due_at)).toBeGreaterThan(started_at.getTime() + 8 * HOUR)
  })

  it('passes a lead on automatically where that is set, and notifies the team when no provider is left', async () => {
    const { id, providerId } = await notifiedLead()
    const { id: next } = await createProvider(database.db, { zip_code: '78660' })
    const late = async () => {
      await arrive(id)
      for (const hours of [4, 4, 4]) {
        await waitFor(id, hours)
        await advance({ passOn: 'auto' })
      }
    }
    await late()
    expect(await leads.find(database.db, id)).toMatchObject({ provider_id: next, match_kind: 'nearest' })
    expect(await database.db('audit_log').where('action', 'pass-on').first()).toMatchObject({
      actor: 'system',
      details: { from: providerId, to: next },
    })
    expect(await clock(id)).toMatchObject({ provider_id: next, step: 'start' })
    const notified = await jobsOf(database.db, id, { state: 'waiting' }).orderBy('purpose').pluck('purpose')
    expect(notified).toEqual(['matched', 'new_clinic', 'passed_on', 'provider'])

    await advance()
    await late()
    expect(await leads.find(database.db, id)).toMatchObject({ provider_id: next })
    expect(await mails(id)).toContain('no_other_clinic')
  })
})

describe('the question to the clinic whether the person came', () => {
  const asked = async (id: number) => (await mails(id)).filter((purpose) => purpose === 'visit_question').length
  const visitAt = async (id: number) => (await clock(id))?.ask_visit_at?.getTime()
  const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
  const CLINIC = { source: 'clinic', actor: 'clinic' } as const

  /** A lead that was booked some days ago for the day after that. */
  async function book({ id, providerId }: Awaited<ReturnType<typeof notifiedLead>>, daysAgo = 4) {
    const at = new Date(Date.now() - daysAgo * DAY)
    const booking = { kind: 'booked', booked_for: day(1 - daysAgo), at, happened_at: at, ...CLINIC } as const
    await database.db('lead_outcomes').insert({ lead_id: id, provider_id: providerId, ...booking })
    await database.db('leads').where({ id }).update({ outcome: 'booked', outcome_at: at })
    await database
      .db('answer_clocks')
      .where('lead_id', id)
      .update({ ask_visit_at: at, step_at: null, ask_visitor_at: null })
    return id
  }

  it('comes once for each booking, and not before the morning after its day', async () => {
    const leads = [await notifiedLead(), await notifiedLead()] as const
    const [id, early] = [await book(leads[0]), await book(leads[1], 0)]
    for (let turn = 0; turn < 3; turn += 1) await advance()
    expect(await asked(id)).toBe(1)
    expect(await visitAt(id)).toBeUndefined()
    expect(await asked(early)).toBe(0)
    expect(await visitAt(early)).toBeGreaterThan(Date.now())
    await recordOutcome(database.db, id, { kind: 'booked', booked_for: day(9), ...CLINIC })
    expect(await visitAt(id)).toBe(Date.parse(day(10)))
  })

  it('does not come again when somebody else states the same booking', async () => {
    const id = await book(await notifiedLead())
    await advance()
    const same = { kind: 'booked', booked_for: day(-3), source: 'staff', actor: 'ada@leadwell.example' } as const
    expect(await recordOutcome(database.db, id, same)).toBe(true)
    expect(await visitAt(id)).toBeUndefined()
  })

  it('does not come after an outcome, after STOP, or without a day', async () => {
    const leads = [await notifiedLead(), await notifiedLead(), await notifiedLead()] as const
    const [came, stopped, dayless] = [await book(leads[0]), await book(leads[1]), await book(leads[2])]
    await recordOutcome(database.db, came, { kind: 'attended', ...CLINIC })
    await recordOutcome(database.db, dayless, { kind: 'booked', ...CLINIC })
    await stopContactOfLead(database.db, stopped, STAFF, { key: PERSON_KEY, timeZone: 'UTC' })
    await advance()
    for (const id of [came, stopped, dayless]) expect([await asked(id), await visitAt(id)]).toEqual([0, undefined])
  })

  it('ends with the next clinic', async () => {
    const id = await book(await notifiedLead())
    await assignProvider(database.db, id, (await createProvider(database.db)).id, STAFF)
    await advance()
    expect([await asked(id), await visitAt(id)]).toEqual([0, undefined])
  })
})

describe('the question to the visitor', () => {
  const asked = async (id: number) => (await mails(id)).filter((purpose) => purpose === 'visitor_question').length

  it('comes once, two business days after the match', async () => {
    const { id } = await notifiedLead()
    const { started_at } = found(await clock(id))
    const usual = { hours: USUAL_HOURS, timeZone: 'America/New_York', pauses: [] }
    expect(questionTime(Date.parse('2026-11-27T15:00:00-05:00'), usual)).toBe(Date.parse('2026-12-01T15:00:00-05:00'))
    expect(questionTime(started_at.getTime(), { ...usual, hours: ALWAYS })).toBe(started_at.getTime() + 2 * DAY)

    await waitFor(id, 48)
    for (let turn = 0; turn < 5; turn += 1) await advance()
    expect(await asked(id)).toBe(1)
    expect(await clock(id)).toMatchObject({ ask_visitor_at: null })
  })

  it('also comes after the clinic says that it called, but not when more is known or our emails do not arrive', async () => {
    const [reached, booked, bounced] = [await notifiedLead(), await notifiedLead(), await notifiedLead()]
    await recordOutcome(database.db, reached.id, { kind: 'reached', source: 'clinic', actor: 'clinic' })
    await recordOutcome(database.db, booked.id, { kind: 'booked', source: 'clinic', actor: 'clinic' })
    await jobsOf(database.db, bounced.id, { purpose: 'visitor' }).update(FAILED)
    for (const { id } of [reached, booked, bounced]) await waitFor(id, 48)
    await advance()
    expect(await Promise.all([reached, booked, bounced].map(({ id }) => asked(id)))).toEqual([1, 0, 0])
  })

  it('does not come where it is switched off', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await createLead(database.db, { providerId })
    await advance({ asksVisitor: false })
    expect(await clock(id)).toMatchObject({ ask_visitor_at: null, step: 'remind' })
  })

  it('is over when another clinic has the lead', async () => {
    const { id, providerId } = await notifiedLead()
    const { matched_at } = found(await leads.find(database.db, id))
    const link = { of: 'visitor', leadId: id, providerId, matchedAt: String(matched_at), expiresOn: 30_000 } as const
    await assignProvider(database.db, id, (await createProvider(database.db)).id, STAFF)
    await expect(answerQuestion(database.db, link, 'not_yet')).rejects.toMatchObject({ code: 'conflict' })
  })
})
