import type { Knex } from 'knex'

/**
 * Evidence of consent that cannot be changed unnoticed. Each row is signed (`mac`), and a seal for each row links it to the
 * one before it (docs/decisions/0027-consent-chain.md). Rows from before have no signature; their seals cover them from the
 * first sealing on. The keys are not in the database.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The id of the receipt: random, so that it says nothing about other leads. The signature binds the consent to it.
    alter table leads add column reference bigint;
    alter table provider_applications add column reference bigint;
    alter table consents
      add column reference bigint, add column sharing_version text, add column sharing_wording text, add column mac text;
    alter table application_consents
      add column reference bigint, add column sharing_version text, add column sharing_wording text, add column mac text;

    create table consent_seals (
      seq bigint primary key check (seq > 0),
      source text not null check (source in ('lead', 'application')),
      row_id integer not null,
      -- Keyed hashes, which stay when the address and the browser are removed from the row.
      ip_hash text not null,
      browser_hash text not null,
      sealed_at timestamptz not null,
      mac text not null,
      unique (source, row_id)
    );
    create trigger consent_seals_append_only before update on consent_seals
      for each row execute function refuse_change();

    -- Where the chain starts after old evidence was purged: the last seal that is gone, signed.
    create table consent_anchors (
      seq bigint primary key check (seq > 0),
      seal_mac text not null,
      purged_before timestamptz not null,
      mac text not null
    );
    create trigger consent_anchors_append_only before update or delete on consent_anchors
      for each row execute function refuse_change();
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table consent_anchors, consent_seals;
    alter table application_consents
      drop column reference, drop column sharing_version, drop column sharing_wording, drop column mac;
    alter table consents
      drop column reference, drop column sharing_version, drop column sharing_wording, drop column mac;
    alter table provider_applications drop column reference;
    alter table leads drop column reference;
  `)
}
