import { tz } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { addHours } from 'date-fns/addHours'
import { setHours } from 'date-fns/setHours'
import { startOfHour } from 'date-fns/startOfHour'
import { MINUTE } from '../../contract/time.ts'
import type { DeliveryHealth } from '../../providers/contract/provider-record.ts'
import { isInPrivateNetwork, isPlainWeb } from '../../settings/read-settings.ts'
import type { ConditionId } from '../contract/conditions.ts'

/** Something that is wrong at present. `subject` tells it from others of its event. `path` is a page of the dashboard. */
export type Finding = { event: ConditionId; subject: string; title: string; path: string }
/** An open state, as far as the decision to end it depends on it. */
export type OpenState = { id: number; event: ConditionId; subject: string; lastSeenAt: Date }

/** Events of which the team gets an email for each lead, or names it in a summary: none of them may be dropped. */
export const NAMED_TO_TEAM = ['unmatched', 'held'] as const satisfies ConditionId[]

/** In milliseconds: a state ends once it was not found for this time, so that one that comes and goes is told once. */
const CALM = 3 * MINUTE
/** In milliseconds: a worker counts as silent when nothing looked for alerts for this time. */
export const SILENCE = 5 * MINUTE

const keyOf = ({ event, subject }: Pick<Finding, 'event' | 'subject'>) => `${event} ${subject}`

/**
 * Compares what is wrong now with the open states.
 * @returns findings without a state, states that go on with their finding, and states that have ended
 */
export function compare<Found extends Finding, State extends OpenState>(found: Found[], open: State[], now: Date) {
  const states = new Map(open.map((state) => [keyOf(state), state]))
  const seen = new Map(found.map((finding) => [keyOf(finding), finding]))
  return {
    opened: [...seen.values()].filter((finding) => !states.has(keyOf(finding))),
    goingOn: open.flatMap((state) => {
      const finding = seen.get(keyOf(state))
      return finding ? [{ state, finding }] : []
    }),
    ended: open.filter((state) => !seen.has(keyOf(state)) && now.getTime() - state.lastSeenAt.getTime() >= CALM),
  }
}

/**
 * Returns when a channel is told: now, at the next full hour, or at the next `dailyHour` of the time zone. An hour that is
 * skipped in spring counts as the one after it.
 */
export function dueAt(
  rhythm: 'at_once' | 'hourly' | 'daily',
  now: Date,
  { dailyHour, timeZone }: { dailyHour: number; timeZone: string },
): Date {
  if (rhythm === 'at_once') return now
  if (rhythm === 'hourly') return addHours(startOfHour(now), 1)
  const zone = { in: tz(timeZone) }
  const today = setHours(startOfHour(now, zone), dailyHour, zone)
  const next = today > now ? today : setHours(addDays(startOfHour(now, zone), 1, zone), dailyHour, zone)
  return new Date(next.getTime())
}

/**
 * Returns why alerts may not be posted to an address, or null: it must begin with https and name a public host. Hosts of
 * `privateHosts` may be private and plain. Where a name leads is checked when the connection is made.
 */
export function targetProblem(address: string, privateHosts: string[]): string | null {
  const { hostname, username, password } = new URL(address)
  if (username || password) return 'The address must not contain a user name or a password.'
  if (privateHosts.includes(hostname)) return null
  if (isInPrivateNetwork(address)) {
    return 'This host is in a private network. Name it in ALERT_PRIVATE_HOSTS to allow it.'
  }
  return isPlainWeb(address) ? 'The address must begin with https://.' : null
}

/** Shows as much of a secret address as tells it from others: its host and its last four characters. */
export function maskAddress(address: string): string {
  const { host, pathname, search } = new URL(address)
  const rest = `${pathname}${search}`
  return rest.length > 8 ? `${host}/…${rest.slice(-4)}` : `${host}/…`
}

/** An email to a clinic, as far as its health depends on it. `at` is ISO 8601. */
type Mail = { state: 'delivered' | 'failed' | 'retrying'; at: string }

/** So many failures in a row, up to the newest email, mean that the address does not work at present. */
export const BOUNCES = 3

/**
 * Judges an address by its last emails, the newest first. `bouncing`: the newest ones failed, or fail and are retried;
 * `trouble`: some did. `since` is the time of the first failure in that row.
 */
export function healthOf(mails: Mail[]): DeliveryHealth {
  const bad = mails.filter(({ state }) => state !== 'delivered').length
  const firstGood = mails.findIndex(({ state }) => state === 'delivered')
  const row = firstGood === -1 ? mails : mails.slice(0, firstGood)
  const counts = { failed: bad, of: mails.length }
  if (mails.length === 0) return { state: 'none', since: null, ...counts }
  if (row.length >= BOUNCES) return { state: 'bouncing', since: row.at(-1)?.at ?? null, ...counts }
  return { state: bad > 0 ? 'trouble' : 'ok', since: null, ...counts }
}
