import { REACHED } from '../../leads/rules/outcomes.ts'
import { type Db, queryRows } from '../../platform/db.ts'
import { MAILS_JUDGED, type ProviderFigures } from '../contract/provider-record.ts'
import { REQUEST_EMAIL } from './clinic-people.ts'

/**
 * Lists the figures of all clinics for the table of providers. Reads the leads of the last 30 days once, and the last lead and
 * the last e-mails of each clinic from their indexes, the e-mails as `provider-health.ts` does. A clock counts only for the clinic that it was started for.
 */
export async function list(db: Db): Promise<ProviderFigures[]> {
  const rows = await queryRows<Omit<ProviderFigures, 'place' | 'last_lead_at'> & Place & { last_lead_at: Date | null }>(
    db,
    `with recent as (
       select leads.provider_id, count(*)::integer as leads,
         (count(*) filter (where outcome = any(:reached)))::double precision / count(*) as reached,
         percentile_cont(0.5) within group (order by (extract(epoch from answered_at - started_at) * 1000)::double precision)
           as answer_time
       from leads
       left join answer_clocks on lead_id = leads.id and answer_clocks.provider_id = leads.provider_id
       where leads.provider_id is not null and held_reason is null and not is_test and created_at >= now() - interval '30 days'
       group by leads.provider_id
     )
     select providers.id, city, state, coalesce(leads, 0) as leads, reached, answer_time, last.created_at as last_lead_at,
       undelivered
     from (select id, zip_code, ${REQUEST_EMAIL} as mailbox from providers offset 0) providers
     left join zip_codes on zip = zip_code
     left join recent on provider_id = providers.id
     left join lateral (
       select created_at from leads where leads.provider_id = providers.id and not is_test order by created_at desc limit 1
     ) last on true
     left join lateral (
       select (count(*) filter (where state <> 'done'))::double precision / nullif(count(*), 0) as undelivered
       from (
         select state from jobs
         where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' = mailbox
           and state <> 'cancelled'
         order by created_at desc limit ${MAILS_JUDGED}
       ) mail
     ) mails on true
     order by providers.id`,
    { reached: REACHED },
  )
  return rows.map(({ city, state, last_lead_at, ...figures }) => ({
    ...figures,
    place: city && state ? { city, state } : null,
    last_lead_at: last_lead_at?.toISOString() ?? null,
  }))
}

type Place = { city: string | null; state: string | null }
