import { TZDate } from '@date-fns/tz'
import { DAY, HOUR, MINUTE, SECOND } from '../core/contract/time.ts'
import { dayOf } from '../core/dates.ts'
import * as changes from '../core/deliveries/stores/changes.ts'
import type { OutcomeReason } from '../core/leads/contract/outcomes.ts'
import * as outcomes from '../core/leads/stores/outcomes.ts'
import { type Db, queryRows, type Transaction } from '../core/platform/db.ts'
import { USUAL_HOURS } from '../core/providers/contract/provider-rules.ts'
import { addBusinessTime } from '../core/providers/rules/business-hours.ts'
import { type Clinic, type Delivery, emailOf, type MadeUp, type Step, store } from './demo-rows.ts'

/** The length of the demo's history: a month, and the month before. */
const DAYS = 60
/** The newest lead of the history is older than this, so that no limit of an hour counts it. */
const MIN_AGE = 2 * HOUR
const LEADS_PER_DAY = 10
/** The time that clinics have for the first answer, in business hours. */
const ANSWER_HOURS = 8
const CHUNK = 200

const FIRST_NAMES =
  'Adrian Bruno Callum Dario Elias Felix Gareth Hamid Ivo Jonas Kenji Leon Mateo Nils Orson Pavel'.split(' ')
const LAST_NAMES = 'Ardent Brookvale Copperfield Dunmore Eastlake Fairwater Goldcrest Hollins Ironwood Larkspur'.split(
  ' ',
)

/** Where visitors come from, by frequency. */
const VISITS = [
  { weight: 30, utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'fall-consults' },
  { weight: 14, utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'clinic-names' },
  { weight: 16, utm_source: 'microsoft', utm_medium: 'cpc', utm_campaign: 'fall-consults' },
  { weight: 12, utm_source: 'facebook', utm_medium: 'social', utm_campaign: 'steady-again' },
  { weight: 8, utm_source: 'radio', utm_medium: 'audio', utm_campaign: 'evening-drive' },
  { weight: 6, referrer: 'https://www.oakmoor-review.example/clinics' },
  { weight: 14 },
]
/** Shares of a day's leads by the hour, from midnight, and of a week's by the weekday, from Sunday. */
const HOURS = [1, 1, 0, 0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 6, 5, 5, 5, 6, 7, 9, 10, 9, 6, 3]
const WEEKDAYS = [0.7, 1.2, 1.2, 1.1, 1, 0.9, 0.7]
const DECLINED: OutcomeReason[] = ['no_capacity', 'too_far', 'not_a_fit', 'price', 'no_longer_wanted']

/** How well a clinic answers: the shares of opened and of answered requests, and the business hours that it takes. */
type Manner = { opens: number; answers: number; hours: number; mail: 'works' | 'bounces' }
const USUAL: Manner = { opens: 0.97, answers: 0.93, hours: 3, mail: 'works' }
/** Clinics by their rank among the busiest that give the owner something to do. */
const UNUSUAL: Record<number, Partial<Manner>> = {
  2: { opens: 0.9, answers: 0.55, hours: 9 },
  4: { opens: 0.1, answers: 0 },
  7: { mail: 'bounces' },
}

/**
 * Adds two months of made-up leads with deliveries and outcomes to a database without leads. They are
 * history: all jobs have ended, so that nothing is sent. The same at every call, but for the day on which it ends.
 * @returns the number of leads that were added
 */
export async function addDemoHistory(db: Db, { timeZone, now = Date.now() }: { timeZone: string; now?: number }) {
  return db.transaction(async (trx) => {
    if (await trx('leads').first('id')) return 0
    const clinics = await placesOf(trx)
    const remote = await remoteZips(trx)
    if (clinics.length === 0) return 0

    const random = createRandom(2026)
    const history = createHistory({ clinics, remote, timeZone, now, random })
    for (let at = 0; at < history.length; at += CHUNK) await store(trx, history.slice(at, at + CHUNK))
    await changes.announce(trx, { all: true })
    return history.length
  })
}

/** Deletes everything that `addDemoHistory` has added. Returns the number of deleted leads. */
export async function removeDemoHistory(db: Db): Promise<number> {
  return db.transaction(async (trx) => {
    const rows = await queryRows<{ id: number }>(
      trx,
      `select id from all_leads where attribution->'made_up' is not null order by id`,
    )
    const ids = rows.map(({ id }) => id)
    const own = trx('jobs').where('subject_kind', 'lead').whereIn('subject_id', ids)
    await trx('job_attempts').whereIn('job_id', own.clone().select('id')).delete()
    await trx('match_changes').whereIn('lead_id', ids).delete()
    await own.delete()
    await trx('answer_clocks').whereIn('lead_id', ids).delete()
    await trx('all_leads').whereIn('id', ids).delete()
    for (const id of ids) await outcomes.remove(trx, id)
    await changes.announce(trx, { all: true })
    return ids.length
  })
}

/** Lists places near active clinics, the clinics in a fixed order, with up to six zips each. */
async function placesOf(trx: Transaction): Promise<Clinic[][]> {
  const rows = await queryRows<Clinic>(
    trx,
    `select providers.id, providers.email, near.zip, round((earth_distance(providers.location, near.location) / 1609.344)::numeric, 1)::float
       as miles
     from providers cross join lateral (
       select zip, location from zip_codes order by location <-> providers.location, zip limit 6
     ) near where status = 't' and providers.location is not null order by providers.id, near.zip`,
  )
  const byId = new Map<number, Clinic[]>()
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
  return [...byId.values()]
}

/** Lists some zips without an active clinic within 150 miles. */
async function remoteZips(trx: Transaction): Promise<string[]> {
  const rows = await queryRows<{ zip: string }>(
    trx,
    `select zip from (select zip, location from zip_codes order by md5(zip) limit 500) place
     cross join lateral (
       select earth_distance(providers.location, place.location) / 1609.344 as miles from providers where status = 't'
       order by providers.location <-> place.location limit 1
     ) nearest where miles between 150 and 1500 order by zip limit 8`,
  )
  return rows.map(({ zip }) => zip)
}

/** A function that returns numbers from 0 to 1. */
type Random = () => number
type World = { clinics: Clinic[][]; remote: string[]; timeZone: string; now: number; random: Random }

/** The inbox of the network's team. No mail reaches a reserved name. */
const TEAM = 'team@made-up.example'

/** Makes up the leads, the oldest first. */
function createHistory(world: World): MadeUp[] {
  const { random, timeZone, now } = world
  const times: number[] = []
  for (const day of daysBefore(now, timeZone)) {
    const weekday = new Date(day).getUTCDay()
    // The network grows a little.
    const growth = 0.85 + (0.3 * (DAYS - (now - Date.parse(day)) / DAY)) / DAYS
    const count = Math.round(LEADS_PER_DAY * (WEEKDAYS[weekday] ?? 1) * growth * (0.7 + 0.6 * random()))
    for (let n = 0; n < count; n++) {
      times.push(localTime(day, pickIndex(random, HOURS), random() * 60, timeZone))
    }
  }
  return times
    .filter((at) => at < now - MIN_AGE)
    .toSorted((a, b) => a - b)
    .map((at, number) => createLead(world, at, number))
}

function createLead({ clinics, remote, random, now, timeZone }: World, at: number, number: number): MadeUp {
  const visit = pickBy(random, VISITS, ({ weight }) => weight)
  const name = { first: pick(random, FIRST_NAMES), last: pick(random, LAST_NAMES), number }
  const isRemote = remote.length > 0 && random() < 0.05
  // The first clinics get most of the leads.
  const rank = Math.floor(random() ** 2 * Math.min(30, clinics.length))
  const clinic = isRemote ? null : pick(random, clinics[rank] ?? [])
  const manner = { ...USUAL, ...UNUSUAL[rank] }
  const isRecent = now - at < 25 * DAY
  const bounces = clinic !== null && manner.mail === 'bounces' && isRecent
  const steps = clinic && !bounces ? stepsOf({ random, at, now, timeZone }, isRecent ? manner : USUAL) : []
  const due = clinic ? afterBusinessHours(at, ANSWER_HOURS, timeZone) : null
  const jobs = deliveriesOf(random, { at, clinic, bounces, visitor: emailOf(name) })
  const late =
    clinic && due
      ? lateNotices({ clinic, steps, due, bounces, remind: afterBusinessHours(at, ANSWER_HOURS / 2, timeZone) }, now)
      : []
  return {
    ...{ at, name, visit, clinic, steps, due },
    zip: clinic?.zip ?? pick(random, remote),
    jobs: [...jobs, ...late],
  }
}

type Waited = { clinic: Clinic; steps: Step[]; due: number; remind: number; bounces: boolean }

/** Reminds the clinic and notifies the team, where there was no answer by then. A clinic without the request is not reminded. */
function lateNotices({ clinic, steps, due, remind, bounces }: Waited, now: number): Delivery[] {
  const answeredAt = steps.find(({ kind }) => kind !== 'opened')?.at ?? Number.POSITIVE_INFINITY
  const isOwed = (at: number) => at < answeredAt && at < now - MINUTE
  const email = { name: 'send-email', state: 'done', cause: 'busy' } as const
  return [
    ...(isOwed(remind) && !bounces
      ? [{ ...email, purpose: 'reminder', attempts: [remind + SECOND], to: clinic.email, recipient: clinic.id }]
      : []),
    ...(isOwed(due) ? [{ ...email, purpose: 'late_team', attempts: [due + SECOND], to: TEAM }] : []),
  ]
}

type Sent = { at: number; clinic: Clinic | null; bounces: boolean; visitor: string }

function deliveriesOf(random: Random, { at, clinic, bounces, visitor }: Sent): Delivery[] {
  const attempts = (share: number) => {
    const first = at + (1 + 4 * random()) * SECOND
    return random() < share ? [first, first + 65 * SECOND, first + (4 + 3 * random()) * MINUTE] : [first]
  }
  const email = (purpose: string, to: string, fails = false): Delivery => {
    const state = fails ? 'failed' : 'done'
    return {
      name: 'send-email',
      purpose,
      to,
      attempts: fails ? [at + 3 * SECOND] : attempts(0.06),
      state,
      cause: fails ? 'unknown_mailbox' : 'busy',
    }
  }
  const isRefused = random() < 0.02
  return [
    clinic ? email('provider', clinic.email, bounces) : email('team', TEAM),
    email('visitor', visitor, random() < 0.01),
    {
      name: 'sync-crm',
      purpose: 'created',
      attempts: isRefused ? [at + 2 * SECOND] : attempts(0.05),
      state: isRefused ? 'failed' : 'done',
      cause: isRefused ? 'refused' : 'busy',
    },
  ]
}

type Moment = { random: Random; at: number; now: number; timeZone: string }

/** Makes up what a clinic did with a request, as far as it has happened yet. */
function stepsOf({ random, at, now, timeZone }: Moment, { opens, answers, hours }: Manner): Step[] {
  const steps: Step[] = []
  const later = (from: number, business: number) => afterBusinessHours(from, business, timeZone)
  const add = (step: Step) => {
    steps.push(step)
    return step.at
  }
  if (random() > opens) return []
  let time = add({ kind: 'opened', at: later(at, hours * (0.1 + 0.5 * random())) })
  if (random() < answers) {
    // Some answers are late, as long tails are.
    time = later(time, hours * (0.2 + 3 * random() ** 4))
    const fate = random()
    if (fate < 0.09) add({ kind: 'declined', at: time, reason: pick(random, DECLINED) })
    else if (fate < 0.2) add({ kind: 'no_answer', at: time })
    else if (fate < 0.21) add({ kind: 'opted_out', at: time, reason: 'asked_to_stop' })
    else if (fate < 0.23) add({ kind: 'wrong_number', at: time })
    else addVisit(add({ kind: 'reached', at: time }))
  }
  return steps.filter((step) => step.at < now - MINUTE)

  function addVisit(reached: number): void {
    if (random() > 0.62) return
    const appointment = later(reached, 16 + 40 * random())
    const booked = add({
      kind: 'booked',
      at: reached + 4 * MINUTE,
      booked_for: dayOf(new Date(appointment), timeZone),
    })
    if (random() < 0.2) {
      add({ kind: 'no_show', at: Math.max(booked, appointment) + HOUR })
      return
    }
    const attended = add({ kind: 'attended', at: Math.max(booked, appointment) + HOUR })
    const value_cents = 100 * (900 + Math.round(random() * 33) * 100)
    if (random() < 0.55) add({ kind: 'treated', at: attended + 2 * DAY, value_cents })
  }
}

/** Returns the days of the history in this time zone, the oldest first. */
function daysBefore(now: number, timeZone: string): string[] {
  const today = Date.parse(dayOf(new Date(now), timeZone))
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10),
  )
}

function localTime(day: string, hour: number, minute: number, timeZone: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new TZDate(year, month - 1, date, hour, minute, timeZone).getTime()
}

/** Returns the time after so many business hours, of a clinic with the usual ones. */
function afterBusinessHours(from: number, hours: number, timeZone: string): number {
  return addBusinessTime(from, hours * HOUR, { hours: USUAL_HOURS, timeZone, pauses: [] }) ?? from
}

/** Returns a generator of numbers that are the same for the same seed. Source: mulberry32, Tommy Ettinger. */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

function pickIndex(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  return Math.max(0, index)
}

const pickBy = <T>(random: Random, list: readonly T[], weightOf: (item: T) => number): T =>
  list[pickIndex(random, list.map(weightOf))] as T
