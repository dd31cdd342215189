import { dayOf } from '../dates.ts'
import { jobsForNoMatch, type NewLeadJob } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import { hasArrived } from '../deliveries/stores/delivery-status.ts'
import { listLatest } from '../deliveries/stores/failed-jobs.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import * as clinicPeople from '../providers/stores/clinic-people.ts'
import type { Lead } from './contract/leads.ts'
import { passOnFrom } from './pass-on.ts'
import { isNoRoom, type NoMatch } from './rules/matching.ts'
import { answerTimes, isAsked, questionTime, visitQuestionTime } from './rules/outcomes.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'

/** Clocks that are worked out in one transaction, and leads that are looked for at once. */
const BATCH = 100

export type ClockSettings = {
  usual: answerClocks.UsualAnswers
  /** `auto`: a lead that stays unanswered goes to the next clinic by itself. */
  passOn: 'offer' | 'auto'
  asksVisitor: boolean
  radiusMiles: number
  /** Of the purpose `person-hash`. */
  personKey: Buffer
}

/**
 * Takes the steps of all clocks that are due by the time of the database: works out times, reminds clinics, reports late
 * answers, passes leads on, and asks visitors whether they were called and clinics whether they came. A step and its emails are one transaction, and a lead that another worker
 * holds is left to it, so that each email goes once. A lead at which our side fails does not keep the others waiting.
 * @returns the number of leads whose clock was advanced
 * @throws AggregateError after all others, with the failures
 */
export async function advanceClocks(db: Db, settings: ClockSettings): Promise<number> {
  const failures: unknown[] = []
  const seen = new Set<number>()
  // Together, because each form starts a clock: one by one they took nine statements for each lead of a backlog.
  while ((await db.transaction((trx) => workOutSome(trx, settings, { seen, failures }))) === BATCH);
  let advanced = seen.size - failures.length
  for (;;) {
    // Those that failed or that another worker holds are listed again: they come with the next call.
    const due = (await answerClocks.listDue(db, BATCH + seen.size)).filter((id) => !seen.has(id))
    if (due.length === 0) break
    for (const id of due) {
      seen.add(id)
      try {
        if (await db.transaction((trx) => advance(trx, id, settings))) advanced += 1
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `The clocks of ${failures.length} leads were not advanced.`)
  return advanced
}

/** Works out the times of a batch of clocks that are not among the `seen`, and adds its leads to them. Returns their number. */
async function workOutSome(
  trx: Transaction,
  settings: ClockSettings,
  { seen, failures }: { seen: Set<number>; failures: unknown[] },
): Promise<number> {
  const clocks = await answerClocks.takeUnset(trx, BATCH, [...seen])
  if (clocks.length === 0) return 0
  const suppressed = await suppressions.among(trx, settings.personKey, clocks)
  const times = clocks.flatMap((clock) => {
    const { lead_id, step, due_at, offer_at } = clock
    seen.add(lead_id)
    if (suppressed.has(clock)) return { lead_id, step, due_at, offer_at, ...NOTHING_DUE }
    try {
      return workOut(clock, settings)
    } catch (error) {
      failures.push(error)
      return []
    }
  })
  await answerClocks.writeTimes(trx, times)
  await changes.announce(trx, { leads: times.map(({ lead_id }) => lead_id) })
  return clocks.length
}

const NOTHING_DUE = { step_at: null, ask_visitor_at: null, ask_visit_at: null }

/** Takes the due step of one lead, and asks its due questions. Returns false when another transaction holds the lead, or was faster. */
async function advance(trx: Transaction, id: number, settings: ClockSettings): Promise<boolean> {
  const [isFree] = await leads.lockFree(trx, [id])
  const lead = isFree === undefined ? null : await leads.find(trx, id)
  const clock = lead && (await answerClocks.read(trx, id))
  if (!lead || !clock || clock.is_stale || clock.step === 'start') return false
  const isDue = (time: Date | null) => time !== null && time <= clock.now
  const [hasStep, asksCalled, asksCame] = [clock.step_at, clock.ask_visitor_at, clock.ask_visit_at].map(isDue)
  if (!hasStep && !asksCalled && !asksCame) return false

  if (await suppressions.isSuppressed(trx, settings.personKey, lead)) {
    await answerClocks.write(trx, id, NOTHING_DUE)
  } else {
    if (hasStep) await takeStep(trx, lead, clock, settings)
    if (asksCalled) await askVisitor(trx, lead)
    if (asksCame) await askWhetherCame(trx, lead, clock, settings)
  }
  await changes.announce(trx, { leads: [id] })
  return true
}

/**
 * Works out the times of a clock. Its next step stays the same. A question that was asked is not asked again. A deadline that has
 * passed, or was met, is history: no later change of hours or pauses moves it.
 */
function workOut(clock: answerClocks.UnsetClock, { usual, asksVisitor }: ClockSettings): answerClocks.ClockTimes {
  const {
    lead_id,
    started_at: since,
    step,
    due_at,
    step_at,
    offer_at,
    answered_at,
    ask_visitor_at,
    ask_visit_at,
  } = clock
  const { calendar, answerHours } = answerClocks.answersOf(clock, usual)
  const times = answerTimes(since.getTime(), answerHours, calendar)
  const isNew = step === 'start'
  const asksLater = asksVisitor && (isNew || ask_visitor_at !== null)
  const network = asksLater ? { ...usual, pauses: calendar.pauses } : null
  const isOver = due_at !== null && (answered_at !== null || due_at <= clock.now)
  const ended = answered_at !== null || (step_at === null && !isNew)
  const next = isNew ? 'remind' : step

  // Throws where a calendar makes no sense. JSON would take a time that is none for a clock without one.
  const asTime = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  const worked = {
    // Without opening hours for a year there is no next step. A change of hours or pauses starts again.
    step: times ? next : ('start' as const),
    due_at: asTime(times?.late ?? null),
    step_at: ended ? null : asTime(times?.[next] ?? null),
    offer_at: asTime(times?.offer ?? null),
  }
  return {
    ...{ lead_id, ask_visit_at, ask_visitor_at: asTime(network && questionTime(since.getTime(), network)) },
    ...(isOver ? { step, step_at, due_at, offer_at: offer_at ?? worked.offer_at } : worked),
  }
}

type Step = 'remind' | 'late' | 'offer'
const NEXT: Record<Step, 'late' | 'offer' | null> = { remind: 'late', late: 'offer', offer: null }

async function takeStep(trx: Transaction, lead: Lead, clock: answerClocks.TickingClock, settings: ClockSettings) {
  const step = clock.step as Step
  const { provider_id: providerId } = clock
  const next = NEXT[step]
  // As worked out before: the clinic may have changed its hours since, which counts for later requests only.
  const next_at = next && { late: clock.due_at, offer: clock.offer_at }[next]
  await answerClocks.write(trx, lead.id, { ...(next && { step: next }), step_at: next_at })

  // When no worker ran for a while, the reminder would come with the notice that the answer is late.
  const isLate = next_at !== null && next_at <= clock.now
  if (step === 'remind' && !isLate) await jobs.add(trx, `lead:${lead.id}`, await reminder(trx, lead, providerId))
  if (step === 'late') await jobs.add(trx, `lead:${lead.id}`, await lateNotices(trx, providerId))
  if (step === 'offer' && settings.passOn === 'auto') await passOnOrNotify(trx, lead, settings)
}

/** A clinic that has not got the request is not reminded of it. The team is told of that when the answer is late. */
async function reminder(trx: Transaction, lead: Lead, providerId: number): Promise<NewLeadJob[]> {
  const hasMail = await hasArrived(trx, lead, ['provider'])
  return hasMail ? [{ name: 'send-email', purpose: 'reminder', payload: { providerId } }] : []
}

async function lateNotices(trx: Transaction, providerId: number): Promise<NewLeadJob[]> {
  return [
    ...((await clinicPeople.findLate(trx, providerId))
      ? [{ name: 'send-email', purpose: 'late_clinic', payload: { providerId } } as const]
      : []),
    { name: 'send-email', purpose: 'late_team' },
  ]
}

async function passOnOrNotify(trx: Transaction, lead: Lead, { radiusMiles }: ClockSettings): Promise<void> {
  const changed = await passOnFrom(trx, lead, { actor: 'system', radiusMiles })
  if (!changed) await jobs.add(trx, `lead:${lead.id}`, [{ name: 'send-email', purpose: 'no_other_clinic' }])
}

/** Asks the visitor once, if our emails reach them and there is something to ask. */
async function askVisitor(trx: Transaction, lead: Lead): Promise<void> {
  await answerClocks.write(trx, lead.id, { ask_visitor_at: null })
  if (!isAsked(lead.outcome)) return
  if (!(await hasArrived(trx, lead, ['visitor', 'new_clinic']))) return
  await jobs.add(trx, `lead:${lead.id}`, [{ name: 'send-email', purpose: 'visitor_question' }])
}

/**
 * Asks the clinic once for each booking whether the person came. The stored time is only the earliest possible; the time zone,
 * the hours and the pauses of that day give the real one.
 */
async function askWhetherCame(
  trx: Transaction,
  lead: Lead,
  clock: answerClocks.TickingClock,
  { usual }: ClockSettings,
) {
  const { provider_id: providerId, now } = clock
  const booking = (await outcomes.findCurrent(trx, [lead.id])).get(lead.id)
  const day = booking?.booked_for ?? null
  let time: number | null = null
  if (booking && day !== null) {
    const { calendar } = await answerClocks.findOfClinic(trx, providerId, new Date(day), usual)
    const recorded = dayOf(booking.at, calendar.timeZone)
    // A booking of the past is asked about on the next morning, not at once.
    time = visitQuestionTime([day, recorded].toSorted().at(-1) ?? day, calendar)
  }
  const isLater = time !== null && time > now.getTime()
  await answerClocks.write(trx, lead.id, { ask_visit_at: isLater && time !== null ? new Date(time) : null })
  if (time !== null && !isLater) {
    await jobs.add(trx, `lead:${lead.id}`, [{ name: 'send-email', purpose: 'visit_question', payload: { providerId } }])
  }
}

/** Records that no provider takes a lead, and tells the team and the visitor once. The caller holds the lock of the lead. */
export async function noteNoMatch(trx: Transaction, lead: Lead, match: NoMatch): Promise<void> {
  await leads.noteSkipped(trx, lead.id, match.skipped)
  // A zip code with providers that are full is not one without providers.
  const lacksRoom = match.skipped?.some(({ obstacle }) => isNoRoom(obstacle))
  if (!lacksRoom) await leads.noteUnreached(trx, lead.id)
  const subject = `lead:${lead.id}` as const
  await jobs.add(trx, subject, jobsForNoMatch(await listLatest(trx, subject)))
}
