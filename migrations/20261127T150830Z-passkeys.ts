import type { Knex } from 'knex'

/**
 * Passkeys are gone. An account with no other second factor signs in with its password, and has to set up an authenticator
 * app where one is required. The audit log says whose passkeys were removed.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    insert into audit_log (actor, action, entity, entity_id, details)
    select 'system', 'remove-factor', 'staff', account_id::text, jsonb_build_object('kind', 'passkey', 'removed', count(*))
    from staff_passkeys group by account_id;
    drop table staff_passkeys, staff_challenges;

    delete from staff_totp where confirmed_at is null;
    delete from staff_recovery_codes where account_id not in (select account_id from staff_totp);
    alter table staff_totp
      drop constraint staff_totp_confirmed_by_code,
      drop column created_at,
      alter confirmed_at set not null,
      alter last_step set not null;
  `)
}
