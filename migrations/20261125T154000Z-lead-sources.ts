import type { Knex } from 'knex'

/** The visit that brought a lead. */
const VISIT = `coalesce(attribution->'last', attribution->'first')`

/** Source and campaign of a lead, and the words by which a search finds clinics and places. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The source in lower case: the one that the link names, the network of its click id, or the referring host. Null: none
    -- of them, as for a visitor who typed the address. One expression each, so that queries contain it and not a call.
    create function lead_source(attribution jsonb) returns text language sql immutable parallel safe as $$
      select lower(coalesce(
        nullif(trim(${VISIT}->>'utm_source'), ''),
        case when ${VISIT}->>'gclid' is not null then 'google' when ${VISIT}->>'msclkid' is not null then 'microsoft'
          when ${VISIT}->>'fbclid' is not null then 'facebook' end,
        nullif(regexp_replace(split_part(${VISIT}->>'referrer', '/', 3), '^www[.]', ''), '')
      ))
    $$;
    create function lead_campaign(attribution jsonb) returns text language sql immutable parallel safe as $$
      select lower(nullif(trim(${VISIT}->>'utm_campaign'), ''))
    $$;

    -- The words of a folded text, split like the names in lead_words.
    create function name_words(names text) returns tsvector language sql immutable strict parallel safe as $$
      select array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ\`', ''), '[\\s!-/:-@[-\`{-~]+'), ''))
    $$;
    create index providers_words_idx on providers using gin (name_words(folded(name || ' ' || coalesce(practice_name, ''))));
    create index zip_codes_words_idx on zip_codes
      using gin (name_words(folded(coalesce(city, '') || ' ' || coalesce(state, ''))));
    create index zip_codes_state_idx on zip_codes (state);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index zip_codes_state_idx, zip_codes_words_idx, providers_words_idx;
    drop function name_words, lead_campaign, lead_source;
  `)
}
