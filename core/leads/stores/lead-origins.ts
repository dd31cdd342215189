import { type Db, only, queryRows } from '../../platform/db.ts'
import { type Lead, type LeadFilterValues, type ListedLead, MAX_FILTER_VALUES } from '../contract/leads.ts'

/** Where a visitor lives and came from. `lead_source` and `lead_campaign` are functions of the database. */
type Origin = Pick<ListedLead, 'place' | 'source' | 'campaign'>

/** Adds its place, source and campaign to each lead, in one query. */
export async function add<Row extends Pick<Lead, 'id'>>(db: Db, leads: Row[]): Promise<(Row & Origin)[]> {
  const rows = await queryRows<Origin & { id: number }>(
    db,
    `select id, lead_source(attribution) as source, lead_campaign(attribution) as campaign,
       (select nullif(concat_ws(', ', city, state), '') from zip_codes where zip = zip_code) as place
     from leads where id = any(?::integer[])`,
    [leads.map(({ id }) => id)],
  )
  const origins = new Map(rows.map(({ id, ...origin }) => [id, origin]))
  return leads.map((lead) => ({ ...lead, ...(origins.get(lead.id) ?? { place: null, source: null, campaign: null }) }))
}

/** SQL for the different values of an indexed expression, up to a number. Looks up one after the other, not every lead. */
const valuesOf = (expression: string) => `array(
  with recursive each (value) as (
    (select ${expression} from leads where ${expression} is not null order by ${expression} limit 1)
    union all
    select (select ${expression} from leads where ${expression} > value order by ${expression} limit 1)
    from each where value is not null
  )
  select value from each where value is not null limit ${MAX_FILTER_VALUES}
)`

/** Lists the states, sources and campaigns that leads have, in the order of the alphabet. */
export async function listValues(db: Db): Promise<LeadFilterValues> {
  const rows = await queryRows<LeadFilterValues>(
    db,
    `select ${valuesOf('lead_source(attribution)')} as sources, ${valuesOf('lead_campaign(attribution)')} as campaigns,
       array(
         select state from (select distinct state from zip_codes where state is not null) known
         where exists (select from zip_codes join leads on zip_code = zip where zip_codes.state = known.state)
         order by 1
       ) as states`,
  )
  return only(rows)
}
