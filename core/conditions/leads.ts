import { countOf } from '../contract/format.ts'
import { HELD_REASONS, type HeldReason } from '../contract/forms.ts'
import * as leads from '../leads/stores/leads.ts'
import { MILES, POINT } from '../leads/stores/zip-codes.ts'
import { deriveKey } from '../platform/data-key.ts'
import { type Db, queryRows } from '../platform/db.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import { type Context, defineCondition, leadSearch } from './condition.ts'

type OfLead = { leadId: number; name: string; zip: string; do_not_contact?: boolean }

/** A clinic or staff said that the phone number of a lead is wrong, and nobody has corrected it. */
export const wrongNumber = defineCondition<OfLead & { clinic: string | null; asked: boolean }>({
  find: `select id as subject, outcome_at as newest, outcome_at as since, null::jsonb as data
    from leads where outcome = 'wrong_number' and held_reason is null and not is_test`,
  details: `
    select jsonb_build_object('leadId', leads.id, 'name', first_name || ' ' || last_name,
      'clinic', coalesce(practice_name, providers.name), 'asked', exists (
        select from jobs where lead_id = leads.id and jobs.name = 'send-email' and purpose = 'wrong_number'
          and state not in ('failed', 'cancelled') and jobs.created_at >= matched_at))
    from leads left join providers on providers.id = provider_id where leads.id = subject::integer`,
  complete: markSuppressed,
  present({ leadId, name, clinic, asked, do_not_contact = false }) {
    const asks = do_not_contact ? 'asked not to be contacted' : asked ? 'asked by email' : 'not asked by email'
    const words = `Wrong number: ${asks}${clinic === null ? '' : `. ${clinic} waits for the right one`}`
    return { title: name, words, search: leadSearch(leadId), leadId, do_not_contact }
  },
})

type Place = {
  zip: string
  city: string | null
  state: string | null
  nearest: { name: string; miles: number } | null
}

/** No clinic has a lead, and none is looked for automatically. */
export const unmatched = defineCondition<OfLead & Partial<Place>>({
  find: `
    select id as subject, created_at as newest, created_at as since, null::jsonb as data
    from leads
    where provider_id is null and held_reason is null and not is_test
      -- Waits for a clinic that has no room, and is matched as soon as it has.
      and id not in (
        select id from leads where provider_id is null and match_skipped is not null
          and created_at > now() - :waitingDays * interval '1 day' and (
            match_skipped @> '[{"obstacle": {"reason": "paused"}}]' or match_skipped @> '[{"obstacle": {"reason": "full"}}]'))
      -- Is being matched. The open jobs are read by their indexes, one for each state.
      and id not in (${['waiting', 'enqueued']
        .map(
          (state) => `select lead_id from jobs where state = '${state}' and name = 'match-lead' and lead_id is not null
            and created_at > now() - :retriedFor * interval '1 ms'`,
        )
        .join(' union all ')})`,
  details: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code)
    from leads where id = subject::integer`,
  async complete(db, lines, context) {
    await markSuppressed(db, lines, context)
    const places = await findPlaces(db, [...new Set(lines.map(({ zip }) => zip))])
    for (const line of lines) Object.assign(line, places.get(line.zip))
  },
  present({ leadId, name, zip, city, state, nearest, do_not_contact = false }) {
    const place = city && state ? `${city}, ${state} ${zip}` : zip
    const near = nearest
      ? `Nearest: ${nearest.name}, ${milesInWords(nearest.miles)}`
      : 'No clinic can be placed on the map'
    return {
      title: name,
      words: `${place}. ${do_not_contact ? 'Asked not to be contacted, so no clinic is needed' : near}`,
      ...{ search: leadSearch(leadId), leadId, do_not_contact },
      alert: alertOfLead('unmatched', leadId),
    }
  },
})

export const held = defineCondition<OfLead & { reason: HeldReason }>({
  find: `select id as subject, created_at as newest, created_at as since, null::jsonb as data
    from leads where held_reason is not null and not is_test`,
  details: `
    select jsonb_build_object('leadId', id, 'name', first_name || ' ' || last_name, 'zip', zip_code, 'reason', held_reason)
    from leads where id = subject::integer`,
  present: ({ leadId, name, zip, reason }) => ({
    ...{
      title: name,
      words: `${zip}. ${HELD_REASONS[reason]}`,
      search: leadSearch(leadId),
      leadId,
      heldReason: reason,
    },
    alert: alertOfLead('held', leadId),
  }),
})

export const alertOfLead = (kind: 'held' | 'unmatched', id: number) =>
  kind === 'held' ? `Lead ${id} is held for review.` : `Lead ${id} has no clinic.`

function milesInWords(miles: number): string {
  if (miles < 1) return 'less than a mile'
  return countOf(Math.round(miles), 'mile')
}

/** Marks the leads whose person asked not to be contacted. */
async function markSuppressed(db: Db, lines: OfLead[], { env }: Context): Promise<void> {
  const people = await leads.findMany(
    db,
    lines.map(({ leadId }) => leadId),
  )
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
