import type { Knex } from 'knex'

const LEADS = [
  ...['honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'many_to_clinic', 'many_in_all'],
  ...['other_site', 'unknown_wording'],
]
const APPLICATIONS = ['honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'other_site', 'unknown_wording']
const NEW = 'do_not_contact'

/** People who must not be contacted, and the clinics that have to confirm that they stopped. */
export async function up(knex: Knex): Promise<void> {
  await allow(knex, 'leads', [...LEADS, NEW])
  await allow(knex, 'provider_applications', [...APPLICATIONS, NEW])
  await knex.raw(`
    -- Keyed hashes only (core/rules/person-hash.ts). A row outlives its lead, so there is no foreign key.
    create table suppressions (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('email', 'phone')),
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      reason text not null check (reason in ('link', 'staff', 'stop')),
      lead_id integer,
      actor text not null,
      created_at timestamptz not null default now(),
      lifted_at timestamptz,
      lifted_by text,
      lifted_because text,
      check ((lifted_at is null) = (lifted_by is null)),
      check ((lifted_at is null) = (lifted_because is null))
    );
    create unique index suppressions_active_key on suppressions (hash, kind) where lifted_at is null;

    -- When a clinic was asked to stop contacting the person of a lead, and by when it has to confirm that.
    create table opt_outs (
      id integer generated always as identity primary key,
      lead_id integer not null,
      provider_id integer not null references providers,
      asked_at timestamptz not null default now(),
      due_at timestamptz not null check (due_at > asked_at),
      confirmed_at timestamptz,
      confirmed_by text,
      -- The person may be contacted again.
      withdrawn_at timestamptz,
      check ((confirmed_at is null) = (confirmed_by is null))
    );
    create unique index opt_outs_active_key on opt_outs (lead_id, provider_id) where withdrawn_at is null;
    create index opt_outs_open_idx on opt_outs (due_at) where confirmed_at is null and withdrawn_at is null;

    -- Rows of both end, and stay.
    create trigger kept before delete on suppressions for each row execute function refuse_change();
    create trigger kept before delete on opt_outs for each row execute function refuse_change();
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table opt_outs; drop table suppressions')
  for (const table of ['leads', 'provider_applications']) {
    // A version that does not know this reason still holds what is held.
    await knex(table).where('held_reason', NEW).update({ held_reason: 'odd_name' })
  }
  await allow(knex, 'leads', LEADS)
  await allow(knex, 'provider_applications', APPLICATIONS)
}

async function allow(knex: Knex, table: string, reasons: string[]): Promise<void> {
  const constraint = `${table}_held_reason_check`
  const list = reasons.map((reason) => `'${reason}'`).join(', ')
  await knex.raw(`
    alter table ${table} drop constraint ${constraint};
    alter table ${table} add constraint ${constraint} check (held_reason in (${list}));
  `)
}
