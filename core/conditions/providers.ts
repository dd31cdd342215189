import { PROMISED_AT } from '../applications/stores/applications.ts'
import { HELD_REASONS, type HeldReason } from '../contract/forms.ts'
import { hoursInWords } from '../contract/hours.ts'
import { countOf } from '../contract/texts.ts'
import { formatMoment } from '../dates.ts'
import { queryRows } from '../platform/db.ts'
import type { WeekHours } from '../providers/contract/provider-rules.ts'
import { REQUEST_EMAIL } from '../providers/stores/clinic-people.ts'
import { listMails } from '../providers/stores/providers.ts'
import { CLINIC, type Clinic, clinicSearch, defineCondition, leadSearch, ofClinic, searchOf } from './condition.ts'
import { BOUNCES, healthOf } from './rules/alerts.ts'

/** The time in which we promise to review an application, in hours. The email to the applicant says so. */
const REVIEW_HOURS = 48
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
const OWN_PAUSES = `
  select rule.provider_id, act.at
  from provider_rules rule
  join providers on providers.id = rule.provider_id and providers.status = 't'
  cross join lateral (
    ${actsOn('is_paused', 'paused_until')} and entity_id = rule.provider_id::text order by at desc, id desc limit 1
  ) act
  where is_paused and (paused_until is null or paused_until > now()) and act.actor = 'clinic'`

/** SQL for the newest changes of hours within so many days that clinics have made themselves. */
const ownHours = (days: number) => `
  select providers.id as provider_id, act.at
  from (
    select distinct on (entity_id) * from (${actsOn('hours')} and at > now() - interval '${days} days') acts
    order by entity_id, at desc
  ) act
  join providers on providers.id::text = act.entity_id and providers.status = 't'
  where act.actor = 'clinic'`

/** The most clinics that bounce: more than that is one problem, not many. */
const MAX_BOUNCING = 500

defineCondition<{ optOutId: number; leadId: number; name: string | null; clinic: Clinic }>({
  ...{ id: 'stop', label: 'Stop not confirmed' },
  about: 'A provider has not confirmed in time that it stopped contacting a person.',
  ...{ severity: 'high', act: 'confirm', alerts: 'start', isNotice: true },
  find: `select id as subject, due_at as newest, due_at as since, null::jsonb as data
    from opt_outs where confirmed_at is null and withdrawn_at is null and due_at < now()`,
  details: `
    select jsonb_build_object('optOutId', opt_outs.id, 'leadId', lead_id, 'name', first_name || ' ' || last_name,
      'clinic', ${CLINIC})
    from opt_outs join providers on providers.id = opt_outs.provider_id left join leads on leads.id = lead_id
    where opt_outs.id = subject::integer`,
  present({ name: person, clinic, optOutId, leadId }, { since, timeZone }) {
    const day = formatMoment(since, timeZone)
    return {
      title: clinic.name,
      words: `Had to confirm by ${day} that it stopped contacting ${person ?? 'a person'}, lead no. ${leadId}`,
      ...{ search: leadSearch(leadId), open: 'See the lead', clinic, leadId, optOutId, person },
      alert: `${clinic.name} has not confirmed that it stopped contacting the person of lead ${leadId}.`,
    }
  },
})

type Pause = { clinic: Clinic; until: string | null; because: string | null; leads: number }

/** `until` is null for a pause without an end. `leads` came in the last 30 days. */
defineCondition<Pause>({
  ...{ id: 'paused', label: 'Paused by the provider' },
  about: 'A provider has paused itself on its own pages.',
  ...{ severity: 'medium', act: 'open', alerts: 'start', alertsAgain: true },
  find: `
    select providers.id as subject, own.at as newest, own.at as since, jsonb_build_object('clinic', ${CLINIC},
      'until', paused_until, 'because', paused_because, 'leads', (
        select count(*)::integer from leads where provider_id = providers.id and matched_at > now() - interval '30 days' and not is_test)) as data
    from (${OWN_PAUSES}) own join providers on providers.id = own.provider_id
    join provider_rules on provider_rules.provider_id = providers.id`,
  present({ clinic, until, because, leads }, { timeZone }) {
    const end = until && formatMoment(until, timeZone)
    const said = because ? `. It said: “${because}”` : ''
    return {
      ...{ ...ofClinic(clinic), open: 'Open' },
      words: `Paused itself ${end ? `until ${end}` : '(no end)'} · ${countOf(leads, 'lead')} in 30 days${said}`,
      alert: `${clinic.name} paused itself ${end ? `until ${end}` : 'without an end'}.`,
    }
  },
})

/** Within a week. Null are the usual hours. */
defineCondition<{ clinic: Clinic; hours: WeekHours | null }>({
  ...{ id: 'hours', label: 'Hours changed by the provider' },
  about: 'A provider has changed its opening hours on its own pages.',
  ...{ severity: 'low', act: 'open', alerts: 'start', alertsAgain: true },
  find: `
    select providers.id as subject, own.at as newest, own.at as since,
      jsonb_build_object('clinic', ${CLINIC}, 'hours', hours) as data
    from (${ownHours(7)}) own join providers on providers.id = own.provider_id
    join provider_rules on provider_rules.provider_id = providers.id`,
  present({ clinic, hours: changed }) {
    const words = hoursInWords(changed)
    return {
      ...{ ...ofClinic(clinic), words: `Changed its hours: ${words}`, open: 'Open' },
      alert: `${clinic.name} changed its hours: ${words}.`,
    }
  },
})

defineCondition<{ clinic: Clinic; zip: string }>({
  ...{ id: 'activation', label: 'New providers' },
  about: 'A provider that is new in WordPress gets no leads before it is activated.',
  ...{ severity: 'medium', act: 'activate' },
  find: `select id as subject, created_at as newest, created_at as since,
      jsonb_build_object('clinic', ${CLINIC}, 'zip', zip_code) as data
    from providers where activation = 'waiting'`,
  present: ({ clinic, zip }) => ({
    ...ofClinic(clinic),
    words: `${zip}, ${clinic.email}. New in WordPress: gets no leads until its address confirms, or a manager activates it`,
  }),
})

type Application = { applicationId: number; practice: string; name: string; zip: string; heldReason: HeldReason | null }

defineCondition<Application>({
  ...{ id: 'application', label: 'Applications' },
  about: 'A provider’s application is held, or has been new for more than 48 hours.',
  ...{ severity: 'low', act: 'open', alerts: 'start' },
  find: `
    select id as subject,
      case when held_reason is null then ${PROMISED_AT} + ${REVIEW_HOURS} * interval '1 hour' else created_at end as newest,
      case when held_reason is null then ${PROMISED_AT} else created_at end as since, null::jsonb as data
    from provider_applications
    where status = 'new' and (held_reason is not null or ${PROMISED_AT} < now() - ${REVIEW_HOURS} * interval '1 hour')`,
  details: `
    select jsonb_build_object('applicationId', id, 'practice', practice_name, 'name', name, 'zip', zip_code,
      'heldReason', held_reason)
    from provider_applications where id = subject::integer`,
  present({ applicationId, practice, name, zip, heldReason }) {
    const why = heldReason
      ? `Held: ${HELD_REASONS[heldReason]}`
      : `New for longer than the promised ${REVIEW_HOURS} hours`
    return {
      ...{ title: practice, words: `${name}, ${zip}. ${why}`, applicationId, open: 'Review' },
      search: searchOf('applications', { application: applicationId }),
      alert: heldReason
        ? `Application ${applicationId} is held for review.`
        : `Application ${applicationId} has been new for more than ${REVIEW_HOURS} hours.`,
    }
  },
})

/**
 * The address of a clinic does not work, as the dots in lists say. Looks only at clinics of which an email failed lately or is
 * retried, or of which this is known.
 */
defineCondition<{ id: number; name: string; error: string | null }>({
  ...{ id: 'bouncing', label: 'Provider bounces' },
  about: 'Three emails in a row to a provider’s address did not arrive.',
  ...{ severity: 'medium', alerts: 'start-and-end' },
  async find(db) {
    const suspects = await queryRows<{ id: number; name: string }>(
      db,
      `with failing as (
         select result->>'to' as address from jobs
         where state = 'failed' and finished_at > now() - interval '30 days' and name = 'send-email'
         union
         select result->>'to' from jobs where state = 'waiting' and attempts > 0 and name = 'send-email'
       )
       select id, coalesce(practice_name, name) as name from providers where status = 't' and (
         ${REQUEST_EMAIL} in (select address from failing) or providers.id::text in (
           select subject from alert_states where recovered_at is null and event = 'bouncing'))
       order by id limit ${MAX_BOUNCING}`,
    )
    const ids = suspects.map(({ id }) => id)
    const mails = await listMails(db, ids)
    return suspects.flatMap(({ id, name }) => {
      const own = mails.get(id) ?? []
      const { state, since } = healthOf(own)
      if (state !== 'bouncing' || since === null) return []
      const version = Date.parse(own[0]?.at ?? since)
      return [{ subject: String(id), version, since, data: { id, name, error: own[0]?.error ?? null } }]
    })
  },
  present({ id, name, error }) {
    const wordsOf = (it: string) => `The last ${BOUNCES} emails to ${it} did not arrive. ${error ?? ''}`.trim()
    return { title: name, words: wordsOf('it'), search: clinicSearch(id), alert: wordsOf(name) }
  },
})
