import type { Knex } from 'knex'

/**
 * Forms beyond the caps on mail are held as well. `recipient_of` makes one address of those that reach the same mailbox:
 * case does not count, nor does a tag after a plus sign (RFC 5233).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(String.raw`
    create function recipient_of(email text) returns text
      language sql immutable strict parallel safe
      return lower(regexp_replace(email, '\+[^@]*@', '@'));

    alter table leads drop constraint leads_held_reason_check;
    alter table leads add constraint leads_held_reason_check check (
      held_reason in ('honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'many_to_clinic', 'many_in_all'));
    alter table provider_applications drop constraint provider_applications_held_reason_check;
    alter table provider_applications add constraint provider_applications_held_reason_check check (
      held_reason in ('honeypot', 'too_fast', 'odd_name', 'many_to_visitor'));

    create index leads_recipient_idx on leads (recipient_of(email)) where held_reason is null;
    create index leads_held_reason_idx on leads (held_reason, created_at) where held_reason is not null;
    create index provider_applications_recipient_idx on provider_applications (recipient_of(email), created_at);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index leads_recipient_idx, leads_held_reason_idx, provider_applications_recipient_idx;
    drop function recipient_of(text);
    -- A version that knows two reasons still holds what is held.
    update leads set held_reason = 'too_fast' where held_reason not in ('honeypot', 'too_fast');
    update provider_applications set held_reason = 'too_fast' where held_reason not in ('honeypot', 'too_fast');
    alter table leads drop constraint leads_held_reason_check;
    alter table leads add constraint leads_held_reason_check check (held_reason in ('honeypot', 'too_fast'));
    alter table provider_applications drop constraint provider_applications_held_reason_check;
    alter table provider_applications add constraint provider_applications_held_reason_check check (
      held_reason in ('honeypot', 'too_fast'));
  `)
}
