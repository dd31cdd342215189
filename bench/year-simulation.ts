import { type HeldReason, TOLD_HOURLY } from '../core/contract/forms.ts'
import type { FailureCause } from '../core/contract/jobs.ts'
import { JOBS } from '../core/jobs/jobs.ts'
import { heldReason } from '../core/rules/automation.ts'
import { jobsForNewLead, jobsForNoMatch } from '../core/rules/deliveries.ts'
import { holdBeyondCaps, type MailCaps } from '../core/rules/mail-caps.ts'
import { retryDelay } from '../core/rules/retry.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../core/time.ts'
import { seededRandom } from '../tests/support/random.ts'
import { DeliveryError } from '../worker/delivery-error.ts'
import { HTTP_TIMEOUT } from '../worker/http.ts'
import {
  ANSWERS,
  type Clinic,
  CRM_CALLS,
  FORMS,
  loadAt,
  newClinic,
  OUTAGES,
  PLACES,
  REFUSALS,
  refusalBy,
  WORK,
} from './year-world.ts'

/** `weekly` is in leads per clinic. */
export type Size = { clinics: number; days: number; weekly: number; workers: number }

type Name = 'send-email' | 'sync-crm'
type Outage = { name: string; of: Name | 'worker'; from: number; to: number; held: number; drained: number }
type Delivery = { name: Name; at: number; to: Clinic | DeliveryError | null; attempts: number; outage?: Outage }
/** The places of all workers for one kind of delivery. Deliveries from `next` on are due; those before it were taken. */
type Station = { name: Name; due: Delivery[]; next: number; free: number; batch: number; nextCall: number }
export type Quarter = ReturnType<typeof newQuarter>
export type Year = { quarters: Quarter[]; outages: Outage[] }

const newQuarter = () => ({
  ...{ leads: 0, held: 0, deliveries: 0, attempts: 0, retrying: 0 },
  delays: [] as number[],
  due: [] as number[],
  failed: new Map<FailureCause, number>(),
})

/**
 * Plays a year. Times are in milliseconds since its beginning. The same arguments give the same year.
 * @throws Error when a delivery is lost
 */
export function playYear({ clinics, days, weekly, workers }: Size, caps: MailCaps, seed = 1): Year {
  const random = seededRandom(seed)
  const exponential = (mean: number) => -Math.log(1 - random()) * mean
  const end = days * DAY
  const agenda = createAgenda()
  const quarters = Array.from({ length: 4 }, newQuarter)
  const quarterAt = (at: number) => quarters[Math.floor((at / end) * 4)] as Quarter
  const outages = OUTAGES.map(({ at, lasts, ...outage }): Outage => {
    const from = Math.floor(at * days) * DAY + 12 * HOUR
    return { ...outage, from, to: from + lasts, held: 0, drained: 0 }
  })
  const outageOf = (of: Outage['of']) =>
    outages.find((outage) => outage.of === of && outage.from <= agenda.now() && agenda.now() < outage.to)
  const network = Array.from({ length: clinics }, () => newClinic(random, end))
  const newStation = (name: Name): Station => {
    const { free, batch } = PLACES[name]
    return { name, due: [], next: 0, free: workers * free, batch, nextCall: 0 }
  }
  const stations = { 'send-email': newStation('send-email'), 'sync-crm': newStation('sync-crm') }
  let [underWay, retrying] = [0, 0]

  /** Starts what is due while there are places. */
  function work(station: Station): void {
    while (station.free > 0 && dueAt(station) > 0 && !outageOf('worker')) {
      const batch = take(station)
      const isAway = outageOf(station.name)
      const [least, more] = ANSWERS[station.name]
      const answer = isAway ? HTTP_TIMEOUT : least + exponential(more)
      const start = Math.max(agenda.now(), station.nextCall)
      if (station.name === 'sync-crm') station.nextCall = start + SECOND / CRM_CALLS
      station.free -= 1
      underWay += batch.length
      agenda.add(start + Math.max(answer, batch.length * WORK), () => {
        station.free += 1
        underWay -= batch.length
        for (const delivery of batch) settle(delivery, isAway ? REFUSALS.crmAway : faultOf(delivery), isAway)
        work(station)
      })
    }
  }

  const faultOf = ({ to }: Delivery) => (to === null || to instanceof DeliveryError ? to : refusalBy(to, agenda.now()))
  /** Records an attempt, as worker/attempt.ts does. */
  function settle(delivery: Delivery, fault: DeliveryError | null, outage: Outage | undefined): void {
    const quarter = quarterAt(delivery.at)
    delivery.attempts += 1
    quarter.attempts += 1
    if (outage) holdUp(delivery, outage)
    else if (delivery.outage) {
      delivery.outage.drained = agenda.now() - delivery.outage.to
      delivery.outage = undefined
    }
    if (!fault) return void quarter.delays.push(agenda.now() - delivery.at)

    const options = { retryAfter: fault.retryAfter, random: random() }
    const delay = fault.retry === 'never' ? null : retryDelay(JOBS[delivery.name].retry, delivery.attempts, options)
    if (delay === null) return void count(quarter.failed, fault.cause, 1)
    retrying += 1
    agenda.add(agenda.now() + delay, () => {
      retrying -= 1
      put(delivery)
    })
  }

  function holdUp(delivery: Delivery, outage: Outage): void {
    if (delivery.outage !== outage) outage.held += 1
    delivery.outage = outage
  }

  function put(delivery: Delivery): void {
    const stoppage = outageOf('worker')
    if (stoppage) holdUp(delivery, stoppage)
    stations[delivery.name].due.push(delivery)
    work(stations[delivery.name])
  }

  const clinicsOfHour = new Map<number, number>()
  const lastTold = new Map<HeldReason, number>()
  let ofHour = 0

  /** Takes one form, as api/intake.ts does. */
  function submit(): void {
    const at = agenda.now()
    const quarter = quarterAt(at)
    const isMatched = random() >= FORMS.unmatched
    // The first clinics of the list are the popular ones: the first hundredth gets a tenth of the leads.
    const id = Math.floor(clinics * random() ** 2)
    const form = {
      email: `visitor${quarter.leads}@visitors.example`,
      network: null,
      providerId: isMatched ? id : null,
      heldReason: heldReason({ topic: random() < FORMS.automated ? 'filled in' : '' }),
      repeatKey: String(quarter.leads),
    }
    const [reason = null] = holdBeyondCaps(
      [form],
      { visitors: new Map(), addresses: new Map(), clinics: clinicsOfHour, all: ofHour },
      caps,
    )
    quarter.leads += 1
    if (reason === null) {
      ofHour += 1
      if (isMatched) count(clinicsOfHour, id, 1)
      agenda.add(at + HOUR, () => {
        ofHour -= 1
        if (isMatched) count(clinicsOfHour, id, -1)
      })
    } else quarter.held += 1
    const isTold = reason !== null && TOLD_HOURLY.includes(reason) && (lastTold.get(reason) ?? -HOUR) > at - HOUR
    if (reason !== null && !isTold) lastTold.set(reason, at)

    const owed = isTold ? [] : jobsForNewLead({ matched: isMatched, held: reason !== null })
    // A job that finds no clinic takes milliseconds.
    const told = reason === null && !isMatched ? jobsForNoMatch([]) : []
    for (const { name, purpose } of [...owed, ...told]) {
      if (name === 'match-lead') continue
      quarter.deliveries += 1
      put({ name, at, to: recipientOf(purpose, network[id] as Clinic), attempts: 0 })
    }
  }

  /** Returns who gets a delivery: a clinic, one that takes it (null), or one that refuses it for good. */
  function recipientOf(purpose: string, clinic: Clinic): Delivery['to'] {
    if (purpose === 'provider') return clinic
    if (purpose === 'visitor') return random() < FORMS.mistyped ? REFUSALS.mistyped : null
    return purpose === 'created' && random() < FORMS.refusedByCrm ? REFUSALS.refusedByCrm : null
  }

  const arrive = () => {
    if (agenda.now() > 0) submit()
    agenda.add(agenda.now() + exponential((7 * DAY) / (clinics * weekly * loadAt(agenda.now(), end))), arrive)
  }
  const look = () => {
    const quarter = quarterAt(agenda.now())
    quarter.due.push(dueAt(stations['send-email']) + dueAt(stations['sync-crm']))
    quarter.retrying = Math.max(quarter.retrying, retrying)
    agenda.add(agenda.now() + MINUTE, look)
  }
  for (const begin of [arrive, look]) begin()
  for (const outage of outages) agenda.add(outage.to, () => Object.values(stations).forEach(work))
  agenda.play(end)

  const waiting = underWay + retrying + Object.values(stations).reduce((sum, station) => sum + dueAt(station), 0)
  const open = quarters.reduce((sum, quarter) => sum + openOf(quarter), 0)
  if (open !== waiting) throw new Error(`${open - waiting} deliveries are lost`)
  return { quarters, outages }
}

const dueAt = ({ due, next }: Station) => due.length - next

/** Takes the next batch. Drops what was taken before only now and then, because moving a long queue takes time. */
function take(station: Station): Delivery[] {
  const batch = station.due.slice(station.next, station.next + station.batch)
  station.next += batch.length
  if (station.next * 2 > station.due.length) {
    station.due = station.due.slice(station.next)
    station.next = 0
  }
  return batch
}

/** Returns how many deliveries of a quarter are neither accepted nor failed for good. */
export function openOf({ deliveries, delays, failed }: Quarter): number {
  return deliveries - delays.length - [...failed.values()].reduce((sum, times) => sum + times, 0)
}

function count<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more)
}

/** Makes a simulated clock with the things to do, in a binary heap. */
function createAgenda() {
  const heap: { at: number; run(): void }[] = []
  let now = 0
  const isBefore = (a: number, b: number) => (heap[a]?.at ?? Infinity) < (heap[b]?.at ?? Infinity)
  const swap = (a: number, b: number) => {
    ;[heap[a], heap[b]] = [heap[b] as (typeof heap)[0], heap[a] as (typeof heap)[0]]
  }
  return {
    now: () => now,
    add(at: number, run: () => void): void {
      heap.push({ at, run })
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1
        if (!isBefore(child, parent)) break
        swap(child, parent)
        child = parent
      }
    },
    play(end: number): void {
      for (let next = heap[0]; next && next.at < end; next = heap[0]) {
        swap(0, heap.length - 1)
        heap.pop()
        for (let parent = 0, child = 1; child < heap.length; child = 2 * parent + 1) {
          if (isBefore(child + 1, child)) child += 1
          if (!isBefore(child, parent)) break
          swap(child, parent)
          parent = child
        }
        now = next.at
        next.run()
      }
    },
  }
}
