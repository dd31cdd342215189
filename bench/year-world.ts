import { DAY, HOUR, MINUTE, SECOND } from '../core/time.ts'
import { DeliveryError } from '../worker/delivery-error.ts'
import { refusal } from '../worker/senders/crm-http.ts'
import { createHubspotSender, hubspot } from '../worker/senders/hubspot.ts'
import { mailRefusal } from '../worker/senders/mail-refusal.ts'

// The assumptions of `npm run bench -- year` about everything that is not ours: visitors, clinics, mail servers, the CRM.

/** The load of each hour of a day and of each day of a week (Monday first), as multiples of the mean. */
const HOURS = normalized([
  ...[0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0.4, 0.7, 1, 1.2, 1.4, 1.8],
  ...[2.2, 1.9, 1.4, 1.2, 1.2, 1.4, 1.7, 2.1, 2.2, 1.7, 1, 0.5],
])
const WEEKDAYS = normalized([1.2, 1.2, 1.1, 1.1, 1, 0.7, 0.7])

/** Returns the loads as multiples of their mean. */
function normalized(loads: number[]): number[] {
  const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length
  return loads.map((load) => load / mean)
}

/** A day with ten times the mean. `at`, here and below, is a share of the simulated time. */
const CAMPAIGN = { at: 0.8, factor: 10 }

/** Returns the load at a time, as a multiple of the mean. */
export function loadAt(time: number, end: number): number {
  const day = Math.floor(time / DAY)
  const isCampaign = day === Math.floor((CAMPAIGN.at * end) / DAY)
  return (isCampaign ? CAMPAIGN.factor : (WEEKDAYS[day % 7] ?? 1)) * (HOURS[Math.floor((time % DAY) / HOUR)] ?? 1)
}

/** Each begins at noon. `of` is what does not answer; `worker` stands for all workers. */
export const OUTAGES = [
  { name: 'CRM away for an hour', of: 'sync-crm', at: 0.1, lasts: HOUR },
  { name: 'worker down for 20 minutes', of: 'worker', at: 0.3, lasts: 20 * MINUTE },
  { name: 'CRM away for a day', of: 'sync-crm', at: 0.55, lasts: DAY },
  { name: 'worker down on the campaign day', of: 'worker', at: CAMPAIGN.at, lasts: 20 * MINUTE },
] as const

/** Shares of forms and, below, of clinics. */
export const FORMS = { automated: 0.005, unmatched: 0.03, mistyped: 0.015, refusedByCrm: 0.001 }
const CLINICS = { greylisting: 0.15, full: 0.05, dead: 0.005 }
/** Postgrey's defaults: it refuses a sender for five minutes, and remembers one for 35 days. */
const GREYLISTED = { refused: 5 * MINUTE, known: 35 * DAY }
/** A full mailbox lasts up to ten days. Staff correct the address of a dead domain after two weeks. */
const FULL_AT_MOST = 10 * DAY
const DEAD_FOR = 14 * DAY

const said = (response: string) =>
  mailRefusal({ ...new Error(response), code: 'EENVELOPE', command: 'RCPT TO', response })
export const REFUSALS = {
  greylisted: said('450 4.2.0 Greylisted, try again later'),
  fullForNow: said('452 4.2.2 Mailbox full'),
  full: said('552 5.2.2 Mailbox full'),
  // Postfix's default for a domain that is not found (unknown_address_reject_code).
  dead: said('450 4.1.2 Domain not found'),
  mistyped: said('550 5.1.1 User unknown'),
  refusedByCrm: refusal(new Response(null, { status: 400 })),
  crmAway: new DeliveryError('The CRM did not answer.', { cause: 'unreachable', retry: 'later' }),
}

/** Milliseconds of processor time of a worker for a delivery, as measured by `drain`: 870 a second. */
export const WORK = SECOND / 870
/** Milliseconds of an answer: at least the first, and the second more on average. */
export const ANSWERS = { 'send-email': [100, 200], 'sync-crm': [200, 300] } as const
/** The default limit of HubSpot's calls, in a second: ten seconds touch eleven (worker/senders/rate-limit.ts). */
export const CRM_CALLS = Math.floor(Number(hubspot.settings.shape.HUBSPOT_RATE?.parse(undefined)) / 11)
const crm = createHubspotSender({
  ...{ url: 'http://localhost', token: '', mapping: [], erasure: 'never' },
  limit: { take: async () => {}, pause: async () => {}, close: () => {} },
})

/**
 * The places of one worker, and the deliveries that a place takes at once. A worker has ten connections to the mail server
 * (worker/senders/mailer.ts).
 */
export const PLACES = {
  'send-email': { free: 10, batch: 1 },
  'sync-crm': { free: crm.concurrency, batch: crm.batchSize },
}

/** A clinic. Its mailbox is full and its domain dead from and to these times. */
export type Clinic = { full: [number, number]; isSoft: boolean; dead: [number, number]; grey: Greylisting | null }
/** When the mail server first refused us, and until when it knows us. */
type Greylisting = { first: number; knownUntil: number }

export function newClinic(random: () => number, end: number): Clinic {
  const begin = random() * end
  return {
    full: random() < CLINICS.full ? [begin, begin + random() * FULL_AT_MOST] : [end, end],
    isSoft: random() < 0.5,
    dead: random() < CLINICS.dead ? [begin, begin + DEAD_FOR] : [end, end],
    grey: random() < CLINICS.greylisting ? { first: -Infinity, knownUntil: -Infinity } : null,
  }
}

/** Returns how a clinic's mail server refuses an e-mail, or null when it takes it. */
export function refusalBy({ full, isSoft, dead, grey }: Clinic, now: number): DeliveryError | null {
  if (dead[0] <= now && now < dead[1]) return REFUSALS.dead
  if (full[0] <= now && now < full[1]) return isSoft ? REFUSALS.fullForNow : REFUSALS.full
  if (!grey) return null
  if (now > grey.knownUntil) {
    if (now > grey.first + GREYLISTED.known) grey.first = now
    if (now < grey.first + GREYLISTED.refused) return REFUSALS.greylisted
  }
  grey.knownUntil = now + GREYLISTED.known
  return null
}
