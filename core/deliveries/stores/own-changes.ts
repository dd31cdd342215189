/*
 * SQL for what active clinics have changed on their own pages and staff have not changed since: pauses that last, and new hours. The
 * audit log knows who did it. Both have the columns `provider_id` and `at`.
 */

/** The acts of the audit log that changed one of these rules of a provider, the newest first. */
const actsOn = (...rules: string[]) => `
  select entity_id, at, actor from audit_log
  where entity = 'provider' and action = 'change-rules'
    and (${rules.map((rule) => `details -> 'to' -> '${rule}' is not null`).join(' or ')})`

/** SQL for the pauses that clinics have begun or changed themselves. */
export const OWN_PAUSES = `
  select rule.provider_id, act.at
  from provider_rules rule
  join providers on providers.id = rule.provider_id and providers.status = 't'
  cross join lateral (
    ${actsOn('is_paused', 'paused_until')} and entity_id = rule.provider_id::text order by at desc, id desc limit 1
  ) act
  where is_paused and (paused_until is null or paused_until > now()) and act.actor = 'clinic'`

/** SQL for the newest changes of hours within so many days that clinics have made themselves. */
export const ownHours = (days: number) => `
  select providers.id as provider_id, act.at
  from (
    select distinct on (entity_id) * from (${actsOn('hours')} and at > now() - interval '${days} days') acts
    order by entity_id, at desc
  ) act
  join providers on providers.id::text = act.entity_id and providers.status = 't'
  where act.actor = 'clinic'`
