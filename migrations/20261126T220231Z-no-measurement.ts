import type { Knex } from 'knex'

export const config = { transaction: false }

/** The visit that brought a lead. */
const VISIT = `coalesce(attribution->'last', attribution->'first')`

/** The parameters with which advertising networks mark a click. */
const CLICK_IDS = `array['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid']`
const NETWORK = (touch: string) => `case when ${touch} ?| array['gclid', 'gbraid', 'wbraid'] then 'google'
  when ${touch} ? 'msclkid' then 'microsoft' when ${touch} ? 'fbclid' then 'facebook' end`

/** A batch of leads. No form waits for one, because each only locks rows that it changes. */
const BATCH = 10_000

/**
 * Page views, web vitals, experiments and marketing costs are gone. Of a click on an ad, only its network is kept, and of the
 * consent to ad measurement nothing. Each statement may be repeated.
 */
export async function up(knex: Knex): Promise<void> {
  await raw(knex, `drop table if exists experiment_counts, web_vital_counts, page_view_counts, marketing_costs`)
  await raw(knex, `drop index concurrently if exists leads_ad_consent_idx`)
  await raw(knex, `drop index concurrently if exists deleted_leads_ad_consent_idx`)
  await raw(
    knex,
    `with gone as (delete from jobs where name = 'purge' and purpose = 'page-views' returning id)
    delete from job_attempts where job_id in (select id from gone)`,
  )

  // The ids still count, for leads that the earlier release stores until it is replaced.
  await raw(knex, sourceFunction(`coalesce(${VISIT}->>'network', ${NETWORK(VISIT)})`))
  await raw(
    knex,
    `create or replace function without_click_ids(touch jsonb) returns jsonb language sql immutable as $$
      select (touch - ${CLICK_IDS}) || jsonb_strip_nulls(jsonb_build_object('network',
        coalesce(touch->>'network', ${NETWORK('touch')})))
    $$`,
  )
  await raw(
    knex,
    `create or replace function without_measurement(attribution jsonb) returns jsonb language sql immutable as $$
      select (attribution - 'ad_consent')
        || case when jsonb_typeof(attribution->'first') = 'object'
          then jsonb_build_object('first', without_click_ids(attribution->'first')) else '{}' end
        || case when jsonb_typeof(attribution->'last') = 'object'
          then jsonb_build_object('last', without_click_ids(attribution->'last')) else '{}' end
    $$`,
  )
  const { rows } = await raw(knex, 'select min(id) as first, max(id) as last from leads')
  const { first, last } = rows[0]
  for (let from = first ?? 0; from <= (last ?? -1); from += BATCH) {
    await raw(
      knex,
      `update leads set attribution = without_measurement(attribution)
       where id >= ${from} and id < ${from + BATCH} and without_measurement(attribution) <> attribution`,
    )
  }
  await raw(
    knex,
    `update deleted_leads set lead = jsonb_set(lead, '{attribution}', without_measurement(lead->'attribution'))
     where jsonb_typeof(lead->'attribution') = 'object'
       and without_measurement(lead->'attribution') <> lead->'attribution'`,
  )
  await raw(knex, 'drop function without_measurement, without_click_ids')
}

export async function down(knex: Knex): Promise<void> {
  await raw(
    knex,
    sourceFunction(`case when ${VISIT}->>'gclid' is not null then 'google' when ${VISIT}->>'msclkid' is not null then 'microsoft'
      when ${VISIT}->>'fbclid' is not null then 'facebook' end`),
  )
  await raw(
    knex,
    `create table page_view_counts (
      day date not null,
      source text not null,
      campaign text not null,
      page text not null check (page in ('home', 'start', 'findProvider', 'microsite')),
      device text not null check (device in ('phone', 'tablet', 'desktop')),
      event text not null check (event in ('seen', 'started', 'zip_accepted', 'submitted',
        'first_name', 'last_name', 'email', 'phone', 'zip_code', 'consent', 'server', 'connection')),
      count integer not null check (count > 0),
      primary key (day, source, campaign, page, device, event)
    );
    create table web_vital_counts (
      day date not null,
      page text not null check (page in ('home', 'start', 'findProvider', 'microsite')),
      device text not null check (device in ('phone', 'tablet', 'desktop')),
      vital text not null check (vital in ('lcp', 'inp', 'cls', 'ttfb')),
      bucket smallint not null check (bucket >= 0),
      count integer not null check (count > 0),
      primary key (day, page, device, vital, bucket)
    );
    create table experiment_counts (
      heading text not null check (heading <> ''),
      day date not null,
      variant text not null check (variant in ('original', 'other')),
      seen integer not null default 0 check (seen >= 0),
      submitted integer not null default 0 check (submitted >= 0),
      primary key (heading, day, variant)
    );
    create index experiment_counts_day_idx on experiment_counts (day);
    create table marketing_costs (
      day date not null,
      source text not null check (source <> ''),
      campaign text not null default '',
      cost_cents integer not null check (cost_cents >= 0),
      primary key (day, source, campaign)
    )`,
  )
  await raw(
    knex,
    `create index concurrently leads_ad_consent_idx on leads (reference) where attribution->'ad_consent' is not null`,
  )
  await raw(
    knex,
    `create index concurrently deleted_leads_ad_consent_idx on deleted_leads (((lead->>'reference')::bigint))
     where lead->'attribution'->'ad_consent' is not null`,
  )
}

/** Runs SQL, in which a question mark is an operator. */
const raw = (knex: Knex, sql: string) => knex.raw(sql.replaceAll('?', '\\?'))

/** Returns the function for the source of a lead: the one that the link names, the network of its click, or the referring host. */
const sourceFunction = (network: string) => `
  create or replace function lead_source(attribution jsonb) returns text language sql immutable parallel safe as $$
    select lower(coalesce(
      nullif(trim(${VISIT}->>'utm_source'), ''),
      ${network},
      nullif(regexp_replace(split_part(${VISIT}->>'referrer', '/', 3), '^www[.]', ''), '')
    ))
  $$`
