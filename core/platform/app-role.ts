import { type Db, queryRows } from './db.ts'

/**
 * The columns that API and worker may change in tables whose rows are evidence: they end a row, and what it says stays. The
 * columns of all others are theirs.
 */
const CHANGEABLE = {
  suppressions: ['lifted_at', 'lifted_by', 'lifted_because'],
  opt_outs: ['confirmed_at', 'confirmed_by', 'withdrawn_at'],
}

/**
 * Grants a role the rights of API and worker: to read and write rows; in append-only tables (those whose triggers call
 * `refuse_change`, or a similar name) only to read and add them; in the do-not-contact list to add rows and to end them; and to
 * read the list of migrations. Tables of later
 * migrations are granted when they are made, and `migrate` repeats all grants.
 * @param db a connection of the role that owns the tables
 */
export async function grantToApp(db: Db, role: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw(
      `grant usage on schema public to :role:;
       grant select, insert, update, delete on all tables in schema public to :role:;
       grant usage on all sequences in schema public to :role:;
       alter default privileges in schema public grant select, insert, update, delete on tables to :role:;
       alter default privileges in schema public grant usage on sequences to :role:;
       revoke insert, update, delete on knex_migrations, knex_migrations_lock from :role:`,
      { role },
    )
    // Bits of TRIGGER_TYPE_DELETE and _UPDATE. Source: PostgreSQL, src/include/catalog/pg_trigger.h.
    const rows = await queryRows<{ name: string; deletes: boolean; updates: boolean }>(
      trx,
      `select relname as name, bool_or(tgtype & 8 > 0) as deletes, bool_or(tgtype & 16 > 0) as updates from pg_trigger
       join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
       where proname ~ '^refuse_.*change$' and relnamespace = 'public'::regnamespace
       group by relname`,
    )
    for (const { name, deletes, updates } of rows) {
      const refused = ['truncate', ...(deletes ? ['delete'] : []), ...(updates ? ['update'] : [])]
      await trx.raw(`revoke ${refused.join(', ')} on ?? from ??`, [name, role])
    }
    for (const [table, columns] of Object.entries(CHANGEABLE)) {
      await trx.raw('revoke update, truncate on ?? from ??', [table, role])
      await trx.raw(`grant update (${columns.map(() => '??').join(', ')}) on ?? to ??`, [...columns, table, role])
    }
  })
}

/** Returns the role in a database URL. Returns undefined when there is none. */
export function roleOf(address: string): string | undefined {
  return decodeURIComponent(new URL(address).username) || undefined
}
