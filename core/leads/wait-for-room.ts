import { jobsForNoMatch } from '../deliveries/rules/deliveries.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import type { Env } from '../env.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { DAY } from '../time.ts'
import { wantedBy } from './choose-providers.ts'
import type { Lead } from './contract/leads.ts'
import { chooseProvider, isWaitingForRoom, type NoMatch, WAITING_DAYS } from './rules/matching.ts'
import { findCandidates } from './stores/candidates.ts'
import * as leads from './stores/leads.ts'

type RoomEnv = Pick<Env, 'NO_ROOM' | 'MATCH_RADIUS_MILES'>

/**
 * Records that no provider takes a lead, and tells the team and the visitor once. With `NO_ROOM=wait`, a lead that only lacks
 * room waits, and they are told when it is too old. The caller holds the lock of the lead.
 */
export async function noteNoMatch(trx: Transaction, lead: Lead, match: NoMatch, env: RoomEnv): Promise<void> {
  await leads.noteSkipped(trx, lead.id, match.skipped)
  const lacksRoom = isWaitingForRoom(match)
  // A zip with clinics that are full is not one without clinics.
  if (!lacksRoom) await leads.noteUnreached(trx, lead.id)
  const isOld = Date.parse(lead.created_at) < Date.now() - WAITING_DAYS * DAY
  if (lacksRoom && env.NO_ROOM === 'wait' && !isOld) return
  const subject = `lead:${lead.id}` as const
  await jobs.add(trx, subject, jobsForNoMatch(await jobs.listLatest(trx, subject)))
}

/** Leads that are read at once. */
const BATCH = 200

/**
 * Adds a job that matches each waiting lead for which there is room by now: a pause has ended, a rule has changed, or a
 * new day, week or month has begun. One that became too old gets a last attempt, which tells the team.
 * @returns the number of leads
 */
export async function matchWhereRoom(db: Db, env: RoomEnv): Promise<number> {
  if (env.NO_ROOM === 'team') return 0
  const radiusMiles = env.MATCH_RADIUS_MILES
  let count = 0
  let after = 0
  for (;;) {
    const waiting = await leads.listWaiting(db, { after, limit: BATCH, days: WAITING_DAYS })
    const candidates = await findCandidates(db, await wantedBy(db, waiting), { radiusMiles })
    for (const [position, { id, isOld }] of waiting.entries()) {
      const hasRoom = chooseProvider({ ...candidates[position], radiusMiles }).providerId !== null
      if ((hasRoom || isOld) && (await matchAgain(db, id))) count += 1
    }
    if (waiting.length < BATCH) return count
    after = waiting.at(-1)?.id ?? 0
  }
}

async function matchAgain(db: Db, id: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    if (!lead || lead.provider_id !== null || lead.held_reason !== null) return false
    const latest = await jobs.listLatest(trx, `lead:${id}`)
    if (latest.some(({ name, state }) => name === 'match-lead' && jobs.OPEN.includes(state))) return false
    await jobs.add(trx, `lead:${id}`, [{ name: 'match-lead', purpose: 'nearest' }])
    return true
  })
}
