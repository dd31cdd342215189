import { HELD_REASONS, type HeldReason } from '../contract/forms.ts'
import { countOf, milesInWords } from '../contract/texts.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { RECENT_DAYS } from '../leads/contract/lead-changes.ts'
import { askedToStop, onLead } from '../leads/record-outcome.ts'
import * as leads from '../leads/stores/leads.ts'
import { MILES, POINT } from '../leads/stores/places.ts'
import { deriveKey } from '../platform/data-key.ts'
import { type Db, queryRows } from '../platform/db.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import {
  CLINIC,
  type Clinic,
  type ConditionEnv,
  type Context,
  defineCondition,
  type Leads,
  leadsBy,
  ofClinic,
  ofLead,
  searchOf,
} from './condition.ts'

/** `since` is the first deadline that a provider missed. */
defineCondition<{ clinic: Clinic; leads: Leads }>({
  ...{ id: 'no-answer', label: 'No answer in time' },
  about: 'A provider has not answered a request in time.',
  ...{ severity: 'medium', act: 'pass-on', alerts: 'start', alertsAgain: true, isMailedToTeam: true },
  find: `
    select providers.id as subject, newest, oldest as since,
      jsonb_build_object('clinic', ${CLINIC}, 'leads', leads || jsonb_build_object('older', older)) as data
    from (
      select provider_id, max(due_at) as newest, min(due_at) as oldest, ${leadsBy('due_at')} as leads,
        count(*) filter (where created_at < now() - interval '${RECENT_DAYS} days') as older
      from (
        select leads.id as distinct_lead, leads.provider_id, due_at, created_at
        from answer_clocks join leads on leads.id = lead_id and leads.provider_id = answer_clocks.provider_id
        -- As in the index.
        where due_at < now() and due_at is not null and answered_at is null and held_reason is null
      ) late
      group by provider_id
    ) late
    join providers on providers.id = provider_id`,
  present({ clinic, leads }) {
    const { total, older } = leads
    const age = `older than ${RECENT_DAYS} days`
    const aged = older === 0 ? '' : older === total ? `, ${age}` : `, ${older} of them ${age}`
    const words = `${countOf(total, 'request')} without an answer in time${aged}`
    return {
      ...{ ...ofClinic(clinic), words, leads },
      alert: `${clinic.name}: ${countOf(total, 'request')} without an answer in time.`,
    }
  },
})

type OfLead = { leadId: number; name: string; zip: string; do_not_contact?: boolean }

defineCondition<OfLead & { clinic: string | null; asked: boolean }>({
  ...{ id: 'wrong-number', label: 'Wrong number' },
  about: 'The phone number of a lead is wrong, and nobody has corrected it.',
  ...{ severity: 'medium', act: 'correct' },
  find: `select id as subject, outcome_at as newest, outcome_at as since, null::jsonb as data
    from leads where outcome = 'wrong_number' and held_reason is null and not is_test`,
  details: `
    select jsonb_build_object('leadId', leads.id, 'name', first_name || ' ' || last_name,
      'clinic', coalesce(practice_name, providers.name), 'asked', exists (
        select from jobs where subject_kind = 'lead' and subject_id = leads.id and jobs.name = 'send-email'
          and purpose = 'wrong_number'
          and state not in ('failed', 'cancelled') and jobs.created_at >= matched_at))
    from leads left join providers on providers.id = provider_id where leads.id = subject::integer`,
  complete: markSuppressed,
  present({ clinic, asked, do_not_contact = false, ...lead }) {
    const asks = do_not_contact ? 'asked not to be contacted' : asked ? 'asked by email' : 'not asked by email'
    const words = `Wrong number: ${asks}${clinic === null ? '' : `. ${clinic} waits for the right one`}`
    return { ...ofLead(lead), words, do_not_contact }
  },
})

type Place = {
  zip: string
  city: string | null
  state: string | null
  nearest: { name: string; miles: number } | null
}

/** SQL for the email of `sayNoProvider` about the lead `leads`. */
const NO_PROVIDER_EMAIL = `select from jobs where subject_kind = 'lead' and subject_id = leads.id and jobs.name = 'send-email'
  and purpose = 'no_provider' and jobs.state not in ('failed', 'cancelled')`

/** Returns whether no clinic is within the radius of a place. Clinics that are paused or full are. */
const isFar = (place: Place | undefined, { MATCH_RADIUS_MILES }: ConditionEnv) =>
  !place?.nearest || place.nearest.miles > MATCH_RADIUS_MILES

/**
 * Writes to the person of a lead that no clinic is within reach yet, once.
 * @throws AppError `not_found`; `conflict` when that is not so, the lead is held, or the person knows or asked for no contact
 */
export async function sayNoProvider(db: Db, env: ConditionEnv, id: number, { actor }: Actor): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (lead.held_reason !== null) throw new AppError('conflict', 'This lead is held. Release it first.')
    if (await suppressions.isSuppressed(trx, deriveKey(env.DATA_KEY, 'person-hash'), lead)) throw askedToStop()
    const place = (await findPlaces(trx, [lead.zip_code])).get(lead.zip_code)
    if (lead.provider_id !== null || !isFar(place, env)) {
      throw new AppError('conflict', 'A provider is within reach of this lead. Match it instead.')
    }
    const said = await queryRows(trx, `select from leads where id = ? and exists (${NO_PROVIDER_EMAIL})`, [id])
    if (said.length > 0) throw new AppError('conflict', 'This person was already notified that no provider is near.')
    await jobs.add(trx, `lead:${id}`, [{ name: 'send-email', purpose: 'no_provider' }])
    await auditLog.record(trx, { actor, action: 'no-provider', entity: 'lead', entityId: id })
  })
}

defineCondition<OfLead & Partial<Place> & { notified: boolean; isFar?: boolean }>({
  ...{ id: 'unmatched', label: 'Unmatched' },
  about: 'A lead has no provider, and none is looked for automatically.',
  ...{ severity: 'medium', act: 'match', alerts: 'start', isMailedToTeam: true },
  find: `
    select id as subject, created_at as newest, created_at as since, null::jsonb as data
    from leads
    where provider_id is null and held_reason is null and not is_test
      -- Is being matched. The open jobs are read by their indexes, one for each state.
      and id not in (${['waiting', 'enqueued']
        .map(
          (state) => `select subject_id from jobs where state = '${state}' and name = 'match-lead'
            and created_at > now() - :retriedFor * interval '1 ms'`,
        )
        .join(' union all ')})`,
  details: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code,
      'notified', exists (${NO_PROVIDER_EMAIL}))
    from leads where id = subject::integer`,
  async complete(db, lines, context) {
    await markSuppressed(db, lines, context)
    const places = await findPlaces(db, [...new Set(lines.map(({ zip }) => zip))])
    for (const line of lines) {
      const place = places.get(line.zip)
      Object.assign(line, place, { isFar: isFar(place, context.env) })
    }
  },
  present({ zip, city, state, nearest, notified, isFar = false, do_not_contact = false, ...lead }) {
    const place = city && state ? `${city}, ${state} ${zip}` : zip
    const near = nearest
      ? `Nearest: ${nearest.name}, ${milesInWords(nearest.miles)}`
      : 'No provider can be placed on the map'
    return {
      ...{ ...ofLead(lead), do_not_contact },
      words: `${place}. ${do_not_contact ? 'Asked not to be contacted, so no provider is needed' : near}${notified ? '. Notified by email' : ''}`,
      ...(isFar && { no_provider_near: notified ? ('said' as const) : ('unsaid' as const) }),
      alert: alertOfLead('unmatched', lead.leadId),
    }
  },
})

defineCondition<OfLead & { reason: HeldReason }>({
  ...{ id: 'held', label: 'Held for review' },
  about: 'A lead is held for review.',
  ...{ severity: 'low', act: 'release', alerts: 'start', isMailedToTeam: true },
  find: `select id as subject, created_at as newest, created_at as since, null::jsonb as data
    from leads where held_reason is not null and not is_test`,
  details: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code, 'reason', held_reason)
    from leads where id = subject::integer`,
  present: ({ zip, reason, ...lead }) => ({
    ...{ ...ofLead(lead), words: `${zip}. ${HELD_REASONS[reason]}`, heldReason: reason },
    alert: alertOfLead('held', lead.leadId),
  }),
})

export const alertOfLead = (kind: 'held' | 'unmatched', id: number) =>
  kind === 'held' ? `Lead ${id} is held for review.` : `Lead ${id} has no provider.`

/** Marks the leads whose person asked not to be contacted. */
async function markSuppressed(db: Db, lines: OfLead[], { env }: Context): Promise<void> {
  const leadIds = lines.map(({ leadId }) => leadId)
  const people = await leads.findMany(db, leadIds)
  const suppressed = await suppressions.among(db, deriveKey(env.DATA_KEY, 'person-hash'), people)
  const ids = new Set([...suppressed].map(({ id }) => id))
  for (const line of lines) line.do_not_contact = ids.has(line.leadId)
}

/** Finds the places of zip codes, and the nearest active clinic to each, at any distance. */
async function findPlaces(db: Db, zips: string[]): Promise<Map<string, Place>> {
  const places = await queryRows<Place>(
    db,
    `select wanted.zip, place.city, place.state, case when nearest.name is not null then
       jsonb_build_object('name', nearest.name, 'miles', nearest.miles) end as nearest
     from unnest(?::text[]) as wanted (zip)
     left join zip_codes place on place.zip = wanted.zip
     cross join lateral (select ${POINT} as point offset 0) here
     left join lateral (
       select coalesce(practice_name, name) as name, ${MILES} as miles from providers
       where status = 't' and location is not null and point is not null
       order by location <-> point, id limit 1
     ) nearest on true`,
    [zips],
  )
  return new Map(places.map((place) => [place.zip, place]))
}

defineCondition<{ leads: number; runId: number }>({
  ...{ id: 'old-leads', label: 'Old leads with a new provider' },
  about: 'A sync brought a provider in reach of leads that are too old to be matched automatically.',
  ...{ severity: 'medium', act: 'open' },
  find: `
    select run.id as subject, run.finished_at as newest, run.finished_at as since,
      jsonb_build_object('leads', count(*), 'runId', run.id) as data
    from provider_syncs run join leads on leads.id = any(run.old_leads)
    where run.old_leads <> '{}' and run.finished_at is not null and not dry_run
      and leads.provider_id is null and held_reason is null and not is_test
    group by run.id`,
  present({ leads, runId }) {
    const [have, are] = leads === 1 ? ['has', 'is'] : ['have', 'are']
    return {
      title: countOf(leads, 'lead'),
      words: `${have} a provider in reach since a sync, and ${are} too old to be matched automatically`,
      ...{ search: searchOf('leads', { asked_by_sync: runId }), open: 'See the leads' },
    }
  },
})
