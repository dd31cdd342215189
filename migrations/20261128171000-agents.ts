import type { Knex } from 'knex'

/**
 * A third role: agents see e-mails and phone numbers, which viewers see masked from now on. Those who were viewers become
 * agents, so that they lose nothing that they work with.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table staff_accounts drop constraint staff_accounts_role_check;
    alter table staff_accounts add constraint staff_accounts_role_check check (role in ('viewer', 'agent', 'manager'));
    update staff_accounts set role = 'agent' where role = 'viewer';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table staff_accounts drop constraint staff_accounts_role_check;
    update staff_accounts set role = 'viewer' where role = 'agent';
    alter table staff_accounts add constraint staff_accounts_role_check check (role in ('viewer', 'manager'));
  `)
}
