import { countOf } from '../contract/texts.ts'
import { MINUTE, SECOND } from '../contract/time.ts'
import { formatMoment } from '../dates.ts'
import { CAUSE_WORDS, type FailureCause, JobName } from '../deliveries/contract/jobs.ts'
import { JOBS } from '../deliveries/jobs.ts'
import { MIN_STREAK } from '../deliveries/rules/failures.ts'
import { PREVIOUS_PROVIDER, PROVIDER } from '../deliveries/stores/delivery-status.ts'
import { readFaults } from '../deliveries/stores/sending.ts'
import * as sendingPauses from '../deliveries/stores/sending-pauses.ts'
import { readBacklog } from '../insight/stores/reports.ts'
import { INBOX, listReadFailures } from '../leads/stores/outcomes.ts'
import {
  CLINIC,
  type Clinic,
  defineCondition,
  type Found,
  type Leads,
  leadsBy,
  ofClinic,
  searchOf,
} from './condition.ts'
import { SENDING_WORDS, SendingId } from './contract/integrations.ts'
import { IS_LEFT_TO_SUMMARY } from './stores/alerts.ts'

/**
 * SQL for the newest deliveries of their kind that failed permanently, or are retried for long. The conditions on the state are
 * those of the index `jobs_failing_idx`. A clinic that has opened or answered a request has it, whatever became of the email.
 */
export const FAILING = `
  select lead_id, name, purpose, state, last_cause as cause, last_error as error, last_detail as detail,
    coalesce(finished_at, created_at) as at,
    case when row_number() over (partition by name, clinic_id, lead_id order by created_at desc) = 1
      then lead_id end as distinct_lead,
    clinic_id
  from (
    select jobs.*, leads.crm_sync_status, case purpose when 'provider' then leads.provider_id
      when 'passed_on' then ${PREVIOUS_PROVIDER} else ${PROVIDER} end as clinic_id, subject_id as lead_id
    from jobs join leads on leads.id = subject_id
    where subject_kind = 'lead' and last_cause is not null and state in ('failed', 'waiting', 'enqueued') and not is_test
      and (name = 'sync-crm' or name = 'send-email' and (
        purpose in ('passed_on', 'opted_out', 'withdrawn') or purpose = 'provider' and outcome is null))
  ) jobs
  where (state = 'failed' or created_at < now() - :retriedFor * interval '1 ms')
    -- A CRM that has taken the lead once has it, and does not know yet that it must stop.
    and (name <> 'sync-crm' or crm_sync_status <> 'success' or purpose = 'opted_out')
    and (name = 'sync-crm' or clinic_id is not null)
    and not exists (
      select from jobs newer where newer.subject_id = jobs.lead_id and newer.subject_kind = 'lead' and newer.generation > 1
        and newer.name = jobs.name and newer.purpose = jobs.purpose and newer.generation > jobs.generation
        and newer.payload = jobs.payload offset 0)`

/** SQL for what lines about failing deliveries have in common. */
const FAILING_DATA = `'leads', ${leadsBy('at')},
  'cause', (array_agg(cause order by at desc))[1], 'error', (array_agg(error order by at desc))[1],
  'detail', (array_agg(detail order by at desc))[1], 'isRetrying', bool_and(state <> 'failed')`

/** `detail` holds the words of the other side. `isRetrying`: all are retried automatically, so for more than an hour. */
type Failing = {
  leads: Leads
  cause: FailureCause | null
  error: string | null
  detail: string | null
  isRetrying: boolean
}

const saidOf = (noun: string, { leads, isRetrying, error, detail }: Failing) =>
  [`${countOf(leads.total, noun)}${isRetrying ? ', still being tried' : ''}.`, error, detail && `It said: “${detail}”`]
    .filter(Boolean)
    .join(' ')

defineCondition<Failing & { clinic: Clinic }>({
  ...{ id: 'not-reached', label: 'Provider not reached' },
  about: 'An email to a provider about a request failed permanently, or has been retried for an hour.',
  ...{ severity: 'high', act: 'resend', alerts: 'start-and-end' },
  find: `
    select clinic_id as subject, max(at) as newest, min(at) as since,
      jsonb_build_object('clinic', ${CLINIC}, ${FAILING_DATA}) as data
    from failing join providers on providers.id = clinic_id
    where failing.name = 'send-email'
    group by clinic_id, providers.id`,
  present: ({ clinic, ...failing }) => ({
    ...{ ...ofClinic(clinic), words: saidOf('request', failing), leads: failing.leads },
    alert: `${clinic.name} did not get ${countOf(failing.leads.total, 'request')}. ${failing.error ?? ''}`.trim(),
  }),
})

/**
 * SQL for the answer of a CRM without what differs from lead to lead: words that have a digit or an `@`. So one mistake makes
 * one line.
 */
const ANSWER = `regexp_replace(coalesce(error, '') || ' ' || coalesce(detail, ''), '[^[:space:]"'']*[0-9@][^[:space:]"'']*', '', 'g')`

/** SQL for the lead of a stop that the CRM does not take: each one has a line of its own, until it is noted there by hand. */
const STOPPED = `case when purpose = 'opted_out' and state = 'failed' then lead_id end`

/** A line for each answer. `isStop`: the CRM does not know that a person must not be contacted. */
defineCondition<Failing & { isStop: boolean }>({
  ...{ id: 'crm', label: 'CRM does not accept leads' },
  about: 'A CRM call about a lead failed permanently, or has been retried for an hour.',
  ...{ severity: 'high', act: 'resend', alerts: 'start-and-end' },
  find: `
    select cause || ':' || md5(${ANSWER}) || coalesce(':' || ${STOPPED}, '') as subject, max(at) as newest, min(at) as since,
      jsonb_build_object(${FAILING_DATA}, 'isStop', ${STOPPED} is not null) as data
    from failing where name = 'sync-crm'
    group by cause, md5(${ANSWER}), ${STOPPED}`,
  present({ isStop, ...failing }) {
    const { cause, leads, error } = failing
    const known = cause && CAUSE_WORDS[cause]?.replace(/\.$/, '')
    return {
      title: isStop ? 'Stop not in the CRM' : (known ?? 'Refused'),
      words: saidOf('lead', failing),
      search: searchOf('leads', { target: 'crm', ...(known && cause && { cause }) }),
      ...{ leads, is_by_hand: isStop },
      alert: isStop
        ? `The CRM does not know that the person of lead ${leads.ids[0]} must not be contacted. ${error ?? ''}`.trim()
        : `The CRM did not take ${countOf(leads.total, 'lead')}. ${error ?? ''}`.trim(),
    }
  },
})

const before = (now: Date, ms: number) => new Date(now.getTime() - ms).toISOString()

/** Attempts in a row that failed because of an integration. From so many on, over `MIN_STREAK`, it fails. */
const MIN_FAULTS = 3
/** In milliseconds: work that has been due for so long is taken up by no worker. */
const LATE = 5 * MINUTE

/** A pause of staff is no failure, and neither is what has not been tried again since its end. */
defineCondition<{ of: SendingId; reason: string }>({
  ...{ id: 'sending', label: 'Sending fails' },
  about: 'The CRM or the mail server has refused everything for five minutes: three attempts in a row or more.',
  ...{ severity: 'high', alerts: 'start-and-end' },
  async find(db, { now }) {
    const pauses = await sendingPauses.list(db)
    const found: Found<{ of: SendingId; reason: string }>[] = []
    for (const of of SendingId.options) {
      const pause = pauses.find(({ integration }) => integration === of)
      if (pause?.kind === 'staff') continue
      const streak = pause ? null : await readFaults(db, of)
      const add = (since: string, reason: string) =>
        found.push({ subject: of, version: Date.parse(since), since, data: { of, reason } })
      if (pause) add(pause.paused_at, pause.reason)
      if (streak && streak.faults >= MIN_FAULTS && streak.lasts >= MIN_STREAK)
        add(before(now, streak.lasts), streak.error ?? '')
    }
    return found
  },
  present({ of, reason }) {
    const { name, deliveries } = SENDING_WORDS[of]
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)} fails`
    const alert = `${title}. Its ${deliveries} wait and are retried. ${reason}`.trim()
    return { title, words: reason, search: searchOf('health'), alert }
  },
})

const REFUSERS = { 'sync-crm': 'CRM', 'send-email': 'mail server' } as const

/** The newest of successes and refusals counts. Attempts are at most six hours apart, so that seven hours have one. */
defineCondition<{ name: keyof typeof REFUSERS; error: string | null }>({
  ...{ id: 'credentials', label: 'Credentials refused' },
  about: 'The CRM or the mail server refuses our key or password.',
  ...{ severity: 'high', alerts: 'start-and-end' },
  find: `
    select name as subject, started_at as newest, started_at as since, jsonb_build_object('name', name, 'error', error) as data
    from (
      select distinct on (jobs.name) jobs.name, job_attempts.started_at, job_attempts.cause, error
      from job_attempts join jobs on jobs.id = job_id
      where job_attempts.started_at > now() - interval '7 hours' and jobs.name in ('sync-crm', 'send-email')
        and (outcome = 'done' and not ${IS_LEFT_TO_SUMMARY} or job_attempts.cause = 'credentials')
      order by jobs.name, job_attempts.started_at desc
    ) newest where cause = 'credentials'`,
  present({ name, error }) {
    const words = `The ${REFUSERS[name]} refuses our key or password. ${error ?? ''}`.trim()
    return { title: REFUSERS[name], words, search: searchOf('leads', { cause: 'credentials' }) }
  },
})

/** Alerts are left out: one about themselves would have to wait, too. Bulk actions, exports, syncs and purges may take long. */
const QUICK = JobName.extract(['match-lead', 'send-email', 'sync-crm'])

defineCondition<{ name: JobName; minutes: number }>({
  ...{ id: 'worker', label: 'Worker silent' },
  about: 'No worker ran for five minutes, or due deliveries of a kind have waited for five.',
  ...{ severity: 'high', alerts: 'start-and-end' },
  async find(db, { now }) {
    const backlog = await readBacklog(db)
    return backlog
      .filter(({ name, oldestDue }) => QUICK.safeParse(name).success && oldestDue * SECOND > LATE)
      .map(({ name, oldestDue }) => {
        const since = before(now, oldestDue * SECOND)
        const data = { name, minutes: Math.floor(oldestDue / 60) }
        return { subject: `queue ${name}`, version: Date.parse(since), since, data }
      })
  },
  present({ name, minutes }) {
    const words = `${JOBS[name].label}: the oldest due job has waited for ${minutes} minutes.`
    return { title: JOBS[name].label, words, search: searchOf('health') }
  },
})

defineCondition<{ source: string; error: string }>({
  ...{ id: 'outcomes', label: 'Outcomes are missing' },
  about: 'The CRM could not be asked for outcomes, or the mailbox for replies, for a quarter of an hour.',
  ...{ severity: 'high', alerts: 'start-and-end', isNotice: true },
  async find(db) {
    return (await listReadFailures(db)).map(({ source, since, error }) => ({
      ...{ subject: source === INBOX ? source : 'crm', version: Date.parse(since), since },
      data: { source, error },
    }))
  },
  present({ source, error }, { since, timeZone }) {
    const [title, where] = source === INBOX ? ['Replies by email', 'the mailbox'] : ['Outcomes', 'the CRM']
    const words = `Not read since ${formatMoment(since, timeZone)}. ${error} Nothing is lost: they are read as soon as ${where} responds`
    const alert = `${title} could not be read from ${where}. ${error}`
    return { title, words, search: searchOf('health'), open: 'See the health', alert }
  },
})
