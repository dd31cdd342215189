import type { Knex } from 'knex'

/** Daily counts of what visitors do on the pages with a lead form. No row is about a person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table page_view_counts (
      -- In the time zone of the network.
      day date not null,
      -- Empty: the visitor came directly, or without a campaign.
      source text not null,
      campaign text not null,
      page text not null check (page in ('home', 'start', 'findProvider', 'microsite')),
      device text not null check (device in ('phone', 'tablet', 'desktop')),
      -- A step, or a fault of a form.
      event text not null check (event in ('seen', 'started', 'zip_accepted', 'submitted',
        'first_name', 'last_name', 'email', 'phone', 'zip_code', 'consent', 'server', 'connection')),
      count integer not null check (count > 0),
      primary key (day, source, campaign, page, device, event)
    );

    -- Histograms of the web vitals. A bucket is the place of its upper end in core/rules/web-vitals.ts.
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
      -- The heading beside the original names the experiment.
      heading text not null check (heading <> ''),
      day date not null,
      variant text not null check (variant in ('original', 'other')),
      seen integer not null default 0 check (seen >= 0),
      submitted integer not null default 0 check (submitted >= 0),
      primary key (heading, day, variant)
    );
    create index experiment_counts_day_idx on experiment_counts (day);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table experiment_counts, web_vital_counts, page_view_counts')
}
