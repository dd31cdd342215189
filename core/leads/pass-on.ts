import { DAY } from '../contract/time.ts'
import type * as jobs from '../deliveries/stores/jobs.ts'
import { JOBS_CHANNEL, OPEN } from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import * as providers from '../providers/stores/providers.ts'
import { listInReach } from '../providers/stores/providers.ts'
import { MAX_IDS } from '../staff/contract/bulk.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { assignTo, choose, chooseWithinCaps } from './assign-provider.ts'
import { type MatchCandidates, RECENT_DAYS, type WaitingLeads } from './contract/lead-changes.ts'
import type { Lead } from './contract/leads.ts'
import { isSettled, waitsForAnswer } from './contract/outcomes.ts'
import { askedToStop, onLead } from './record-outcome.ts'
import { chooseProviders, WAITING_DAYS, type Wanted } from './rules/matching.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import { findCandidates } from './stores/candidates.ts'
import * as leadChanges from './stores/lead-changes.ts'
import * as leads from './stores/leads.ts'
import * as requests from './stores/requests.ts'

/** `radiusMiles` is how far the next clinic may be. */
type Options = Actor & { radiusMiles: number; delay?: number }

/**
 * Gives a lead to the next nearest clinic that has not had it. The clinic that had it, the new one, the visitor and the CRM
 * are told once each, after `delay` milliseconds, in which it can be undone.
 * @param personKey of the purpose `person-hash`
 * @param waitingAt the clinic that must have the lead still, without an answer; then the lead must be of the last `RECENT_DAYS`
 * days
 * @throws AppError `not_found`; `conflict` when the lead is held, has no clinic or an appointment, its person asked not to be
 * contacted, or no other clinic is in reach
 */
export async function passOn(
  db: Db,
  id: number,
  {
    delay = leadChanges.undoDelay(),
    personKey,
    waitingAt,
    ...options
  }: Options & { personKey: Buffer; waitingAt?: number },
): Promise<Lead> {
  return onLead(db, id, async (trx, lead) => {
    if (lead.held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
    if (lead.provider_id === null) throw new AppError('conflict', 'No provider has this lead. Match it with one.')
    const isWaiting = lead.provider_id === waitingAt && waitsForAnswer(lead.outcome)
    if (waitingAt !== undefined && !isWaiting) {
      throw new AppError('conflict', 'The provider has answered, or no longer has this lead.')
    }
    if (waitingAt !== undefined && !isRecent(lead.created_at)) {
      throw new AppError('conflict', `This lead is older than ${RECENT_DAYS} days. Close it as unanswered instead.`)
    }
    if (await suppressions.isSuppressed(trx, personKey, lead)) throw askedToStop()
    if (isSettled(lead.outcome)) {
      throw new AppError('conflict', 'This lead has an appointment or asked to stop. Change the provider instead.')
    }

    const clock = await answerClocks.keep(trx, id)
    const changed = await passOnFrom(trx, lead, { ...options, delay })
    if (!changed) {
      throw new AppError('conflict', `No other provider within ${options.radiusMiles} miles can take this lead.`)
    }
    await leadChanges.record(trx, lead, { ...changed, clock })
    return (await leads.find(trx, id)) ?? lead
  })
}

/**
 * Does the same in a transaction that holds the lock of a lead with a clinic, and announces the change. Checks nothing else.
 * @returns the jobs that it changed; null when no other clinic is in reach
 */
export async function passOnFrom(
  trx: Transaction,
  lead: Lead,
  { actor, radiusMiles, delay }: Options,
): Promise<jobs.JobChanges | null> {
  const next = await chooseWithinCaps(trx, await wantedBy(trx, lead), radiusMiles)
  if (next.providerId === null) return null
  const changed = await assignTo(trx, lead, next, { delay })
  const details = { from: lead.provider_id, to: next.providerId }
  await auditLog.record(trx, { actor, action: 'pass-on', entity: 'lead', entityId: lead.id, details })
  return changed
}

/** Leads whose candidates are read at once. */
const BATCH = 200

/** Tells whether a lead is new enough to be passed on for the lack of an answer. */
const isRecent = (createdAt: string) => Date.now() - Date.parse(createdAt) < RECENT_DAYS * DAY

/**
 * Plans where the recent leads of a clinic that wait for its answer would go, those that wait longest first. A clinic with a limit
 * is not given more than its room; then leads may find a clinic that is not in the plan, because only the nearest are read.
 * @param personKey of the purpose `person-hash`
 */
export async function planPassingOn(
  db: Db,
  providerId: number,
  { radiusMiles, personKey, late }: { radiusMiles: number; personKey: Buffer; late?: boolean },
): Promise<WaitingLeads> {
  const found = await requests.listWaiting(db, providerId, { limit: MAX_IDS, key: personKey, late })
  const waiting = found.leads.filter(({ created_at }) => isRecent(created_at.toISOString()))
  const olderIds = found.leads.filter((lead) => !waiting.includes(lead)).map(({ id }) => id)
  const had = await leads.listClinicsOf(
    db,
    waiting.map(({ id }) => id),
  )
  const wanted = waiting.map(({ id, zip_code: zip }) => ({ zip, except: had.get(id) ?? [providerId] }))
  const candidates = []
  for (let at = 0; at < wanted.length; at += BATCH) {
    candidates.push(...(await findCandidates(db, wanted.slice(at, at + BATCH), { radiusMiles })))
  }
  const counts = new Map<number, number>()
  const ids = chooseProviders(candidates, { radiusMiles }).flatMap(({ providerId: next }, position) => {
    if (next === null) return []
    counts.set(next, 1 + (counts.get(next) ?? 0))
    return waiting[position]?.id ?? []
  })
  const named = await providers.findMany(db, [...counts.keys()])
  const clinics = named.map(({ id, name, practiceName }) => ({
    ...{ id, name: practiceName || name },
    leads: counts.get(id) ?? 0,
  }))
  return {
    ...{ total: found.total, ids, unplaced: waiting.length - ids.length },
    ...(olderIds.length > 0 && { olderIds }),
    clinics: clinics.toSorted((a, b) => b.leads - a.leads || a.name.localeCompare(b.name)),
  }
}

/** Finds the clinic that a lead would be passed on to; null when no other one in reach can take it. */
export async function findNext(db: Db, lead: Lead, radiusMiles: number): Promise<MatchCandidates['next']> {
  const found = await choose(db, await wantedBy(db, lead), radiusMiles)
  if (found.providerId === null) return null
  const provider = await providers.find(db, found.providerId)
  return provider && { id: provider.id, name: provider.name, practiceName: provider.practiceName, miles: found.miles }
}

async function wantedBy(db: Db, lead: Lead): Promise<Wanted> {
  return { zip: lead.zip_code, except: await leads.listClinics(db, lead.id) }
}

/**
 * Adds a job that matches each lead without a provider again, unless the lead is held, older than `since`, or was tried
 * after the newest change of an active provider. Cancels open jobs of the same kind, which may have read the old providers.
 * @param syncId the run that asks for it; null for a provider that staff made
 * @returns the ids of the leads
 */
export async function matchWaitingLeads(
  trx: Transaction,
  syncId: number | null,
  since = new Date(Date.now() - WAITING_DAYS * DAY),
): Promise<number[]> {
  const placed = `(select coalesce(max(placed_at), '-infinity') from providers where status = 't')`
  const leads: number[] = await trx('leads')
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('created_at', '>=', since)
    // `placed_at` is the beginning of a transaction that ended a little later: hence the minute. The jobs of this run see
    // what this run writes.
    .whereRaw(`not exists (
      select from jobs where subject_kind = 'lead' and subject_id = leads.id and name = 'match-lead' and state <> 'cancelled'
        and (created_at > ${placed} + interval '1 minute' or (payload ->> 'syncId' is not null and created_at >= ${placed})))`)
    .orderBy('id')
    .forUpdate()
    .pluck('id')
  if (leads.length === 0) return []

  await trx('jobs')
    .whereRaw(`subject_kind = 'lead' and subject_id = any(?)`, [leads])
    .where('name', 'match-lead')
    .whereIn('state', OPEN)
    .update({ state: 'cancelled', finished_at: trx.fn.now(), last_error: 'Replaced by a newer attempt.' })
  await trx.raw(
    `insert into jobs (name, purpose, subject_kind, subject_id, generation, payload)
     select 'match-lead', 'nearest', 'lead', lead, 1 + coalesce((
       select max(generation) from jobs
       where subject_kind = 'lead' and subject_id = lead and name = 'match-lead' and purpose = 'nearest'), 0), ?
     from unnest(?::integer[]) lead`,
    [JSON.stringify(syncId === null ? {} : { syncId }), leads],
  )
  await trx.raw('select pg_notify(?, ?)', [JOBS_CHANNEL, ''])
  return leads
}

/**
 * Lists the leads from before that moment that have no provider but one within the radius, in miles. Staff decide about
 * them, because their senders no longer expect a call.
 */
export async function listOldLeads(trx: Transaction, before: Date, radiusMiles: number): Promise<number[]> {
  const waiting: { zip: string; ids: number[] }[] = await trx('leads')
    .select('zip_code as zip', trx.raw('array_agg(id) as ids'))
    .whereNull('provider_id')
    .whereNull('held_reason')
    .where('is_test', false)
    .where('created_at', '<', before)
    .whereRaw(
      `not exists (select from jobs
        where subject_kind = 'lead' and subject_id = leads.id and name = 'match-lead' and state in ('waiting', 'enqueued'))`,
    )
    .groupBy('zip_code')
  const inReach = await listInReach(
    trx,
    waiting.map(({ zip }) => zip),
    radiusMiles,
  )
  return waiting.flatMap(({ zip, ids }) => (inReach.has(zip) ? ids : [])).toSorted((a, b) => a - b)
}
