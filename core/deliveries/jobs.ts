import { HOUR, MINUTE, SECOND } from '../contract/time.ts'
import { EMAIL_LABELS, type Subject, type SubjectKind } from './emails.ts'

/*
 * The registry of job kinds. Queues, workers, watchdog, metrics, the dashboard's labels, retry actions, the command line
 * and the checks of the database derive from it. A new kind needs an entry here, a handler in
 * `worker/handlers/index.ts`, and a test.
 */

/** When a failed attempt is retried. Delays in milliseconds. */
export type RetryPolicy = { attempts: number; firstDelay: number; maxDelay: number }

/** What a job may be about. `none`: many rows, such as a bulk action or a purge. */
export type JobSubject = SubjectKind | 'none'

export type JobDefinition<Name extends string = string, Purpose extends string = string> = {
  name: Name
  /** The plural that staff see. */
  label: string
  /** A sentence for the pages of the queues. */
  subjects: readonly JobSubject[]
  /** The only purposes that have no subject, where others have one. */
  subjectless?: readonly NoInfer<Purpose>[]
  /** The purposes that a row of this kind may have, with their labels for staff. */
  purposes: Readonly<Record<Purpose, string>>
  retry: RetryPolicy
  /** What helps staff after one has failed permanently. */
  advice: string
  /** The act of staff who retry one, in the audit log. */
  retryAction: 'retry-match' | 'retry-email' | 'retry-sync' | 'retry-job'
  /** Jobs that one worker process takes at once. */
  concurrency: number
  /**
   * The upper bound of an attempt, in milliseconds: the longest wait for a connection and for the receiver, and more than
   * a minute for an outage of the database. A worker that ends none for so long is stuck.
   */
  timeout: number
}

function defineJob<const Name extends string, const Purpose extends string>(
  definition: JobDefinition<Name, Purpose>,
): JobDefinition<Name, Purpose> {
  return definition
}

const deliveries = { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR }

/** Every kind of job, by name. */
export const JOBS = {
  'match-lead': defineJob({
    name: 'match-lead',
    label: 'Matching',
    subjects: ['lead'],
    purposes: { nearest: 'Matching' },
    // Fails only when the database fails.
    retry: { attempts: 250, firstDelay: SECOND, maxDelay: 15 * MINUTE },
    advice: 'Match the lead with a provider yourself.',
    retryAction: 'retry-match',
    concurrency: 10,
    timeout: 3 * MINUTE,
  }),
  'send-email': defineJob({
    name: 'send-email',
    label: 'Emails',
    subjects: ['lead', 'application', 'account', 'sync', 'provider', 'report', 'none'],
    // Staff test the mail server.
    subjectless: ['test'],
    purposes: EMAIL_LABELS,
    retry: deliveries,
    advice: 'Press “Resend Email” once the mail server works again.',
    retryAction: 'retry-email',
    // More than there are connections to the mail server: some are begun and recorded while others are sent.
    concurrency: 50,
    timeout: 3 * MINUTE,
  }),
  'sync-crm': defineJob({
    name: 'sync-crm',
    label: 'CRM calls',
    subjects: ['lead', 'none'],
    // Staff test the connection.
    subjectless: ['test'],
    purposes: {
      created: 'CRM: lead created',
      matched: 'CRM: provider assigned',
      outcome: 'CRM: outcome',
      opted_out: 'CRM: no more contact',
      deleted: 'CRM: lead deleted',
      test: 'CRM: test of the connection',
    },
    retry: deliveries,
    advice: 'Press “Retry CRM Sync” once the CRM works again.',
    retryAction: 'retry-sync',
    concurrency: 50,
    // 75 s for a HubSpot contact that is read, renamed and upserted.
    timeout: 3 * MINUTE,
  }),
  bulk: defineJob({
    name: 'bulk',
    label: 'Bulk actions',
    subjects: ['none'],
    purposes: {
      'retry-sync': 'Bulk action: retry CRM calls',
      'retry-email': 'Bulk action: resend emails',
      'assign-provider': 'Bulk action: choose a provider',
      'pass-on': 'Bulk action: pass on',
      'undo-match': 'Bulk action: undo matches',
      'record-outcome': 'Bulk action: record an outcome',
      'change-work': 'Bulk action: assign or tag',
      release: 'Bulk action: release',
      delete: 'Bulk action: delete',
      restore: 'Bulk action: restore',
      'retry-failed': 'Retry of failed deliveries',
    },
    // Fails only when the database fails.
    retry: { attempts: 250, firstDelay: SECOND, maxDelay: 15 * MINUTE },
    advice: 'It may be partly done. Report it to the developers, then start it again: nothing is done twice.',
    retryAction: 'retry-job',
    // Mostly they wait for deliveries.
    concurrency: 10,
    // 50,000 rows, and the first attempts of their deliveries.
    timeout: HOUR,
  }),
  'send-alert': defineJob({
    name: 'send-alert',
    label: 'Alerts',
    subjects: ['none'],
    purposes: { alert: 'Alert', digest: 'Summary of alerts', test: 'Test of a channel' },
    // Retried for about a day: an older alert is out of date.
    retry: { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR },
    advice: 'Check the channel under Alerts, then retry.',
    retryAction: 'retry-job',
    concurrency: 5,
    timeout: 3 * MINUTE,
  }),
  'sync-providers': defineJob({
    name: 'sync-providers',
    label: 'Provider syncs',
    subjects: ['sync'],
    purposes: { run: 'Provider sync' },
    // Fails only when the database fails: a run that WordPress refuses has ended.
    retry: { attempts: 250, firstDelay: SECOND, maxDelay: 15 * MINUTE },
    advice: 'Report it to the developers, then start the sync again.',
    retryAction: 'retry-job',
    concurrency: 1,
    // 10 minutes for reading every page.
    timeout: 15 * MINUTE,
  }),
  purge: defineJob({
    name: 'purge',
    label: 'Purges',
    subjects: ['none'],
    purposes: { nightly: 'Nightly deletion' },
    // Fails only when the database fails, and then before the next night, where staff see it.
    retry: { attempts: 20, firstDelay: MINUTE, maxDelay: HOUR },
    advice: 'Report it to the developers. The next scheduled run continues where this one ended.',
    retryAction: 'retry-job',
    concurrency: 1,
    // 50,000 leads take some minutes.
    timeout: HOUR,
  }),
}

export type JobName = keyof typeof JOBS
/** The purposes of a kind of job. */
export type PurposeOf<Name extends JobName> = keyof (typeof JOBS)[Name]['purposes'] & string

export function purposesOf<Name extends JobName>(name: Name): PurposeOf<Name>[] {
  return Object.keys(JOBS[name].purposes) as PurposeOf<Name>[]
}

/** The names of all kinds. */
export const JOB_NAMES = Object.keys(JOBS) as [JobName, ...JobName[]]

/** The columns of `jobs` that name the subject of a job. Both are null for a job about many rows. */
export type SubjectColumns = { subject_kind: SubjectKind | null; subject_id: number | null }

export function kindOf<Kind extends SubjectKind>(subject: Subject<Kind>): { kind: Kind; id: number } {
  const [kind, id] = subject.split(':')
  return { kind: kind as Kind, id: Number(id) }
}

/** Returns the columns of a subject, to write them and to find its jobs. */
export function columnsOf(subject: Subject): { subject_kind: SubjectKind; subject_id: number } {
  const { kind, id } = kindOf(subject)
  return { subject_kind: kind, subject_id: id }
}

export function subjectOf({ subject_kind, subject_id }: SubjectColumns): Subject | null {
  return subject_kind === null || subject_id === null ? null : `${subject_kind}:${subject_id}`
}

/** Names a subject for people: `lead 7`. */
