import type { Knex } from 'knex'

const CAUSES = [
  ...['unknown_mailbox', 'mailbox_full', 'blocked', 'bad_address', 'credentials', 'unreachable', 'busy'],
  ...['server_error', 'wrong_address', 'unknown_property', 'refused', 'no_provider', 'our_side'],
]

/**
 * Why a delivery failed becomes a value, and what the other side said gets a column of its own. Until now both were in one
 * sentence: our words, a colon, and theirs.
 */
export async function up(knex: Knex): Promise<void> {
  const causes = CAUSES.map((cause) => `'${cause}'`).join(', ')
  await knex.raw(`
    alter table jobs
      add column last_cause text check (last_cause in (${causes})),
      -- What the other side said, which may name a visitor.
      add column last_detail text check (length(last_detail) <= 2000);
    alter table job_attempts
      add column cause text check (cause in (${causes})),
      add column detail text check (length(detail) <= 2000);
  `)
  await knex.raw(FUNCTIONS)
  await knex.raw(`
    update jobs set
      last_cause = case when state <> 'cancelled'
        then pg_temp.cause_of(name, (result->>'status')::integer, pg_temp.ours(last_error), last_error) end,
      last_error = case when state = 'cancelled' then last_error else pg_temp.ours(last_error) end,
      last_detail = case when state <> 'cancelled' then pg_temp.theirs(last_error) end
    where last_error is not null;
    update jobs set last_cause = 'our_side' where state = 'failed' and last_cause is null;

    update job_attempts set
      cause = pg_temp.cause_of(jobs.name, status, pg_temp.ours(error), error),
      error = pg_temp.ours(error), detail = pg_temp.theirs(error)
    from jobs
    where jobs.id = job_id and outcome = 'failed' and error is not null;

    alter table jobs add check (state <> 'failed' or last_cause is not null);
    drop function pg_temp.cause_of, pg_temp.ours, pg_temp.theirs, pg_temp.wall;
  `)
}

/** The sentences that senders made until now, taken apart. */
const FUNCTIONS = String.raw`
  -- Where the other side's words begin; 0 where there are none.
  create function pg_temp.wall(said text) returns integer language sql immutable as $$
    select case
      when said ~ '^[^:]*: it answered \d{3}\.' then coalesce(nullif(strpos(said, ' It said: '), 0) + 10, 0)
      when strpos(said, ': ') > 0 then strpos(said, ': ') + 2
      else 0
    end
  $$;
  create function pg_temp.ours(said text) returns text language sql immutable as $$
    select case when pg_temp.wall(said) = 0 then said
      else rtrim(regexp_replace(left(said, pg_temp.wall(said) - 1), '( It said|): $', ''), '.') || '.'
        || case when said like '% We have stopped trying.' then ' We have stopped trying.' else '' end end
  $$;
  create function pg_temp.theirs(said text) returns text language sql immutable as $$
    select case when pg_temp.wall(said) > 0
      then left(regexp_replace(substr(said, pg_temp.wall(said)), ' We have stopped trying\.$', ''), 2000) end
  $$;
  create function pg_temp.cause_of(job text, status integer, ours text, said text) returns text language sql immutable as $$
    with code as (select substring(said from '\m[45]\.\d{1,3}\.\d{1,3}\M') as enhanced),
      parts as (select enhanced, split_part(enhanced, '.', 2) as subject, split_part(enhanced, '.', 3) as reason from code)
    select case
      when ours ~ 'refused our credentials' then 'credentials'
      when ours ~ 'no valid e-mail address' then 'bad_address'
      when ours ~ 'cannot be sent as it is' then 'bad_address'
      when ours ~ 'has no provider' then 'no_provider'
      when ours ~ 'could not be reached' then 'unreachable'
      when ours ~ '^The mail server answered with something that is no SMTP' then 'server_error'
      when ours ~ 'does not let us send|refused our connection' then 'blocked'
      when ours ~ '^The CRM takes no more calls for now' then 'busy'
      when ours ~ '^HubSpot has no contact property' then 'unknown_property'
      when ours ~ '^HubSpot (did not say what became of|could not take) this contact' then 'server_error'
      when ours ~ '^The CRM answered with more than 1 MB' then 'server_error'
      when status is null then 'our_side'
      when job = 'send-email' then case
        when status = 503 then 'server_error'
        when status = 530 then 'credentials'
        when (subject = '2' and reason = '2') or (status = 552 and enhanced is null) then 'mailbox_full'
        when status < 500 then 'busy'
        when subject = '7' or (status = 554 and enhanced is null) then 'blocked'
        when subject = '1' and reason in ('7', '8') then 'blocked'
        when subject = '1' or (subject = '2' and reason = '1') then 'unknown_mailbox'
        when status = 550 and enhanced in ('5.4.1', '5.5.0') then 'unknown_mailbox'
        when status in (550, 551, 553) and enhanced is null then 'unknown_mailbox'
        else 'refused' end
      when status = 207 then 'refused'
      when status in (401, 403) then 'credentials'
      when status in (408, 425, 429) then 'busy'
      when status >= 500 then 'server_error'
      when status < 400 or status in (404, 405, 410) then 'wrong_address'
      else 'refused' end
    from parts
  $$;
`

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update jobs set last_error = last_error || ': ' || last_detail where last_detail is not null;
    update job_attempts set error = error || ': ' || detail where detail is not null;
    alter table jobs drop column last_cause, drop column last_detail;
    alter table job_attempts drop column cause, drop column detail;
  `)
}
