import { emailsWith, type JobPayload, type Subject, type SubjectKind } from '../emails.ts'

/** The owner as columns of a job. At most one of the first three is not null; all three are null for the job of a run. */
export type OwnerColumns = {
  lead_id: number | null
  application_id: number | null
  account_id: number | null
  sync_id: number | null
}

/** A told provider is the owner where it stands alone. Jobs of leads and runs may name one, too. */
type JobOwnerColumns = OwnerColumns & { told_provider_id: number | null; report_id: number | null }

/** The names of the columns of an owner. */
export const OWNER_COLUMNS = [
  'lead_id',
  'application_id',
  'account_id',
  'sync_id',
] as const satisfies (keyof OwnerColumns)[]
export const JOB_OWNER_COLUMNS = [
  ...OWNER_COLUMNS,
  'told_provider_id',
  'report_id',
] as const satisfies (keyof JobOwnerColumns)[]

const ID_COLUMNS = {
  ...{ lead: 'lead_id', application: 'application_id', account: 'account_id', sync: 'sync_id' },
  ...{ report: 'report_id', provider: 'told_provider_id' },
} as const satisfies Record<SubjectKind, keyof JobOwnerColumns>
const NO_ROW = { lead_id: null, application_id: null, account_id: null, sync_id: null }

export function kindOf(subject: Subject): { kind: SubjectKind; id: number } {
  const [kind, id] = subject.split(':')
  return { kind: kind as SubjectKind, id: Number(id) }
}

/** Returns the condition on `jobs` that finds the jobs of a subject. A lead's job may name a run, and an e-mail a clinic. */
export function columnOf(subject: Subject): Partial<JobOwnerColumns> {
  const { kind, id } = kindOf(subject)
  const others = kind === 'provider' ? NO_ROW : kind === 'sync' ? { lead_id: null } : {}
  return { ...others, [ID_COLUMNS[kind]]: id }
}

/** Returns the subject that the columns of a job name. Returns null for a job about many rows. */
export function subjectOf(columns: JobOwnerColumns): Subject | null {
  const kinds = ['lead', 'application', 'account', 'sync', 'report', 'provider'] as const
  const kind = kinds.find((each) => columns[ID_COLUMNS[each]] !== null)
  return kind ? `${kind}:${columns[ID_COLUMNS[kind]] as number}` : null
}

/** Returns what a job says beside its subject. */
export function payloadOf(columns: JobOwnerColumns & { previous_provider_id: number | null }): JobPayload {
  const { told_provider_id: providerId, previous_provider_id: previousProviderId } = columns
  const isItsOwn = subjectOf(columns)?.startsWith('provider:')
  return {
    ...(providerId !== null && !isItsOwn && { providerId }),
    ...(previousProviderId !== null && { previousProviderId }),
  }
}

/** Returns the columns of what a job says beside its subject. */
export function columnsOfPayload({ providerId, previousProviderId }: JobPayload = {}) {
  return {
    ...(providerId !== undefined && { told_provider_id: providerId }),
    ...(previousProviderId !== undefined && { previous_provider_id: previousProviderId }),
  }
}

/** Names a subject for people: `lead 7`. */
export const subjectWords = (subject: Subject | null) => subject?.replace(':', ' ') ?? 'many rows'

/** E-mails of which each clinic that had the lead gets one of its own. */
export const TO_EACH_CLINIC: string[] = emailsWith(({ to }) => to === 'previous_clinic')

/**
 * SQL for whether no newer generation has taken the place of a job. One condition for each kind of subject, because a
 * condition on all of them could use no index. With `offset 0`, PostgreSQL looks each job up by that index, and plans no
 * join, which may take too long if it takes the table for small.
 */
export const IS_NEWEST = [
  newerOf(
    'lead_id',
    `and (newer.purpose not in ('${TO_EACH_CLINIC.join(`', '`)}')
       or newer.previous_provider_id is not distinct from jobs.previous_provider_id)`,
  ),
  newerOf('application_id'),
  newerOf('account_id'),
  newerOf('report_id'),
  newerOf('sync_id', 'and jobs.lead_id is null and newer.lead_id is null'),
  newerOf(
    'told_provider_id',
    Object.keys(NO_ROW)
      .map((column) => `and jobs.${column} is null and newer.${column} is null`)
      .join(' '),
  ),
]
  .map((newer) => `not exists (${newer} offset 0)`)
  .join(' and ')

function newerOf(column: keyof JobOwnerColumns, also = ''): string {
  return `select from jobs newer where newer.${column} = jobs.${column} and newer.name = jobs.name
    and newer.purpose = jobs.purpose and newer.told_provider_id is not distinct from jobs.told_provider_id
    and newer.generation > jobs.generation ${also}`
}
