import type { AlertEvent } from '../contract/alerts.ts'
import { hoursInWords } from '../contract/hours-words.ts'
import { JobName } from '../contract/jobs.ts'
import type { WeekHours } from '../contract/provider-rules.ts'
import { formatMoment } from '../dates.ts'
import { JOBS } from '../jobs/jobs.ts'
import { type Db, queryRows } from '../platform/db.ts'
import type { Finding } from '../rules/alerts.ts'
import { businessTimeBetween } from '../rules/business-hours.ts'
import { isOverdue } from '../rules/sync-schedule.ts'
import { DAY, HOUR } from '../time.ts'
import * as alerts from './alerts.ts'
import { PROMISED_AT } from './applications.ts'
import * as calendars from './calendars.ts'
import { REQUEST_EMAIL } from './clinic-people.ts'
import { readBacklog } from './metrics.ts'
import { OWN_PAUSES, ownHours } from './own-changes.ts'
import * as syncRuns from './sync-runs.ts'

/*
 * What is wrong at present, found in the stored facts. Titles name clinics and numbers of leads, never a visitor. Each query
 * reads what is recent or open, by an index, because all of them run every minute.
 */

export type FindingSettings = {
  usual: calendars.UsualAnswers
  noLeadHours: number
  wordpress: { schedule?: string | null; isConnected: boolean }
}

/** The most findings of one event: more than that is one problem, not many. */
const MAX_FOUND = 500
/** Mails that have to fail in a row, up to the newest, before a clinic counts as bouncing. */
const BOUNCES = 3
/** In milliseconds: more than the business hours that staff can choose. */
const MAX_QUIET = 120 * DAY
/** In seconds: a due job that has waited so long means that no worker takes its kind. */
const STUCK_AFTER = 600

/** Finds everything that is wrong. The queries run one after the other, because no request waits for them. */
export async function findAll(db: Db, settings: FindingSettings, now: Date): Promise<Finding[]> {
  return [
    ...(await crmFailing(db)),
    ...(await credentialsRefused(db)),
    ...(await stuckQueues(db)),
    ...(await clinicMail(db)),
    ...(await sync(db, settings, now)),
    ...(await noLeads(db, settings, now)),
    ...(await leads(db)),
    ...(await lateClinics(db)),
    ...(await ownChanges(db, settings)),
    ...(await applications(db)),
    ...(await unconfirmedStops(db)),
  ]
}

/** A pause of staff is no failure, and neither is what has not been tried again since its end. */
async function crmFailing(db: Db): Promise<Finding[]> {
  const [row] = await queryRows<{ waiting: number; error: string | null }>(
    db,
    `select count(*)::integer as waiting, (array_agg(last_error order by created_at desc))[1] as error from jobs
     where state = 'waiting' and name = 'sync-crm' and attempts > 0 and created_at < now() - interval '10 minutes'
       and not exists (${successOf('sync-crm', `interval '10 minutes'`)})
       and not exists (select from sending_pauses where integration = 'crm' and kind = 'staff'
         and coalesce(ended_at, until) > now() - interval '10 minutes')`,
  )
  if (!row || row.waiting === 0) return []
  const calls = row.waiting === 1 ? '1 call waits' : `${row.waiting} calls wait`
  const title = `The CRM has accepted nothing for ten minutes, and ${calls} for the next attempt. ${row.error ?? ''}`
  return [{ event: 'crm_failing', subject: 'crm', title: title.trim(), path: leadsPath({ failed: 'true' }) }]
}

/** SQL that finds a successful attempt at a kind of job within this time. */
const successOf = (name: JobName, within: string) =>
  `select from job_attempts join jobs done on done.id = job_id
   where job_attempts.started_at > now() - ${within} and outcome = 'done' and done.name = '${name}'`

const REFUSERS = { 'sync-crm': 'CRM', 'send-email': 'mail server' } as const

/** The newest of successes and refusals counts. Attempts are at most six hours apart, so that seven hours have one. */
async function credentialsRefused(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ name: keyof typeof REFUSERS; error: string | null }>(
    db,
    `with recent as (
       select jobs.name, job_attempts.started_at, outcome, job_attempts.cause, error
       from job_attempts join jobs on jobs.id = job_id
       where job_attempts.started_at > now() - interval '7 hours' and jobs.name in ('sync-crm', 'send-email')
         and (outcome = 'done' and not ${alerts.IS_LEFT_TO_SUMMARY} or job_attempts.cause = 'credentials')
     ), newest as (
       select distinct on (name) name, cause, error from recent order by name, started_at desc
     )
     select name, error from newest where cause = 'credentials'`,
  )
  return rows.map(({ name, error }) => ({
    event: 'credentials_refused',
    subject: name,
    title: `The ${REFUSERS[name]} refuses our key or password. ${error ?? ''}`.trim(),
    path: leadsPath({ cause: 'credentials' }),
  }))
}

/** Alerts are left out: one about themselves would have to wait, too. */
async function stuckQueues(db: Db): Promise<Finding[]> {
  const backlog = await readBacklog(db)
  return backlog
    .filter(({ name, oldestDue }) => name !== 'send-alert' && isQuick(name) && oldestDue > STUCK_AFTER)
    .map(({ name, oldestDue }) => ({
      event: 'worker_silent',
      subject: `queue ${name}`,
      title: `${JOBS[name].label}: the oldest one that is due has waited for ${Math.floor(oldestDue / 60)} minutes.`,
      path: '/admin?tab=overview',
    }))
}

/** Bulk actions, exports, syncs and purges may take long. */
const isQuick = (name: JobName) => JobName.extract(['match-lead', 'send-email', 'sync-crm']).safeParse(name).success

/**
 * Clinics whose newest e-mails did not arrive. Looks at those alone of which an e-mail failed lately or is retried, or that
 * have an open alert.
 */
async function clinicMail(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ id: number; name: string; states: string[]; error: string | null }>(
    db,
    `with suspect as (
       select result->>'to' as address from jobs
       where state = 'failed' and finished_at > now() - interval '30 days' and name = 'send-email'
       union
       select result->>'to' from jobs where state = 'waiting' and attempts > 0 and name = 'send-email'
     ), clinic as (
       select id, coalesce(practice_name, name) as name, ${REQUEST_EMAIL} as address from providers where status = 't'
     )
     select clinic.id, clinic.name, mail.states, mail.error
     from clinic
     cross join lateral (
       select array_agg(state order by created_at desc) as states,
         (array_agg(last_error order by created_at desc))[1] as error
       from (
         select created_at, last_error, case when state = 'enqueued' then 'waiting' else state end as state from jobs
         where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' = clinic.address
           and state <> 'cancelled'
         order by created_at desc limit ${BOUNCES}
       ) newest
     ) mail
     where address in (select address from suspect)
       or clinic.id::text in (
         select subject from alert_states where recovered_at is null and event in ('clinic_mail_refused', 'clinic_bouncing')
       )
     order by clinic.id limit ${MAX_FOUND}`,
  )
  return rows.flatMap(({ id, name, states, error }): Finding[] => {
    const about = { subject: String(id), path: `/admin?tab=providers&provider=${id}` }
    const why = error ? ` ${error}` : ''
    const isBouncing = states?.length >= BOUNCES && states.every((state) => state !== 'done')
    return [
      ...(states?.[0] === 'failed'
        ? [
            {
              event: 'clinic_mail_refused' as const,
              title: `The newest e-mail to ${name} was refused.${why}`,
              ...about,
            },
          ]
        : []),
      ...(isBouncing
        ? [
            {
              event: 'clinic_bouncing' as const,
              title: `The last ${BOUNCES} e-mails to ${name} did not arrive.${why}`,
              ...about,
            },
          ]
        : []),
    ]
  })
}

async function sync(db: Db, { wordpress, usual }: FindingSettings, now: Date): Promise<Finding[]> {
  if (!wordpress.isConnected) return []
  const path = '/admin?tab=providers'
  const { lastSuccessAt, needsApproval } = await syncRuns.status(db)
  const newest = await db('provider_syncs')
    .where({ dry_run: false })
    .whereNotNull('finished_at')
    .orderBy('id', 'desc')
    .first('state', 'error')
  const { schedule } = wordpress
  const isLate = schedule && lastSuccessAt && isOverdue(schedule, lastSuccessAt, now, usual.timeZone)
  const found = (subject: string, title: string): Finding => ({ event: 'sync', subject, title, path })
  return [
    ...(newest?.state === 'failed'
      ? [found('failed', `The newest sync of providers failed. ${newest.error ?? ''}`)]
      : []),
    ...(isLate ? [found('overdue', 'The sync of providers is overdue.')] : []),
    ...(needsApproval === null ? [] : [found('approval', `Sync no. ${needsApproval} waits for approval.`)]),
  ]
}

/** Counts business hours of the network since the newest lead. A network that never had one gets no alert. */
async function noLeads(db: Db, { usual, noLeadHours }: FindingSettings, now: Date): Promise<Finding[]> {
  const newest = await db('leads').where('is_test', false).orderBy('created_at', 'desc').first('created_at')
  if (!newest) return []
  const calendar = await calendars.findOfNetwork(db, newest.created_at, usual)
  // A long quiet time must not cost more each day.
  const since = Math.max(newest.created_at.getTime(), now.getTime() - MAX_QUIET)
  if (businessTimeBetween(since, now.getTime(), calendar) < noLeadHours * HOUR) return []
  const hours = noLeadHours === 1 ? 'one business hour' : `${noLeadHours} business hours`
  return [{ event: 'no_leads', subject: 'network', title: `No lead has come for ${hours}.`, path: leadsPath({}) }]
}

async function leads(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ id: number; isHeld: boolean }>(
    db,
    `select id, held_reason is not null as "isHeld" from leads
     where created_at > now() - interval '7 days' and not is_test and (held_reason is not null or provider_id is null)
     order by created_at desc limit ${MAX_FOUND}`,
  )
  return rows.map(leadFinding)
}

/** Describes a lead that is held or has no clinic. */
export function leadFinding({ id, isHeld }: { id: number; isHeld: boolean }): Finding & { event: alerts.NamedEvent } {
  return {
    event: isHeld ? 'held_lead' : 'unmatched_lead',
    subject: String(id),
    title: isHeld ? `Lead ${id} is held for review.` : `Lead ${id} has no clinic.`,
    path: `/admin?lead=${id}`,
  }
}

async function lateClinics(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ id: number; name: string }>(
    db,
    `select lead_id as id, coalesce(practice_name, name) as name from answer_clocks
     join leads on leads.id = lead_id join providers on providers.id = answer_clocks.provider_id
     where due_at < now() and due_at is not null and answered_at is null and held_reason is null
     order by due_at desc limit ${MAX_FOUND}`,
  )
  return rows.map(({ id, name }) => finding('clinic_late', id, `${name} is late with its answer to lead ${id}.`))
}

/** A change of hours is found for a day, which is long enough for each worker to see it. */
async function ownChanges(db: Db, { usual }: FindingSettings): Promise<Finding[]> {
  type Change = { id: number; name: string; at: Date; until: Date | null; isPause: boolean; hours: WeekHours | null }
  const rows = await queryRows<Change>(
    db,
    `select providers.id, coalesce(practice_name, name) as name, at, paused_until as until, "isPause", hours
     from (select *, true as "isPause" from (${OWN_PAUSES}) pauses
       union all select *, false from (${ownHours(1)}) hours) own
     join providers on providers.id = own.provider_id
     join provider_rules on provider_rules.provider_id = providers.id
     order by at desc limit ${MAX_FOUND}`,
  )
  return rows.map(({ id, name, at, until, isPause, hours }) => ({
    event: 'clinic_changed',
    subject: `${isPause ? 'pause' : 'hours'} ${id} ${at.getTime()}`,
    title: isPause
      ? `${name} paused itself ${until ? `until ${formatMoment(until.toISOString(), usual.timeZone)}` : 'without an end'}.`
      : `${name} changed its hours: ${hoursInWords(hours)}.`,
    path: `/admin?tab=providers&provider=${id}`,
  }))
}

async function applications(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ id: number }>(
    db,
    `select id from provider_applications where status = 'new' and ${PROMISED_AT} < now() - interval '48 hours'
     order by id desc limit ${MAX_FOUND}`,
  )
  return rows.map(({ id }) => ({
    ...finding('application_waiting', id, `Application ${id} has been new for more than 48 hours.`),
    path: '/admin?tab=applications',
  }))
}

async function unconfirmedStops(db: Db): Promise<Finding[]> {
  const rows = await queryRows<{ id: number; lead_id: number; name: string }>(
    db,
    `select opt_outs.id, lead_id, coalesce(practice_name, name) as name
     from opt_outs join providers on providers.id = provider_id
     where confirmed_at is null and withdrawn_at is null and due_at < now() order by due_at desc limit ${MAX_FOUND}`,
  )
  return rows.map(({ id, lead_id, name }) => ({
    ...finding(
      'stop_unconfirmed',
      lead_id,
      `${name} has not confirmed that it stopped contacting the person of lead ${lead_id}.`,
    ),
    subject: String(id),
  }))
}

const finding = (event: AlertEvent, lead: number, title: string): Finding => ({
  ...{ event, title, subject: String(lead) },
  path: `/admin?lead=${lead}`,
})

function leadsPath(filter: Record<string, string>): string {
  return `/admin?${new URLSearchParams({ tab: 'leads', ...filter })}`
}
