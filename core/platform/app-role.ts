import type { Db } from './db.ts'

/**
 * Lets a role do what API and worker do: read and write rows, of append-only tables (those whose triggers call
 * `refuse_change`, or one with a name like it) only read and add them. It gets no other right, and none on the list of migrations but to read it.
 * Tables of later migrations are granted as they are made; `migrate` repeats this, so that nothing is left out.
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
    const { rows } = await trx.raw(
      `select relname as name, bool_or(tgtype & 8 > 0) as deletes, bool_or(tgtype & 16 > 0) as updates from pg_trigger
       join pg_proc on pg_proc.oid = tgfoid join pg_class on pg_class.oid = tgrelid
       where proname ~ '^refuse_.*change$' and relnamespace = 'public'::regnamespace
       group by relname`,
    )
    for (const { name, deletes, updates } of rows) {
      const refused = ['truncate', ...(deletes ? ['delete'] : []), ...(updates ? ['update'] : [])]
      await trx.raw(`revoke ${refused.join(', ')} on ?? from ??`, [name, role])
    }
  })
}

/** Returns the role that an address of a database signs in as; undefined where it names none. */
export function roleOf(address: string): string | undefined {
  return decodeURIComponent(new URL(address).username) || undefined
}
