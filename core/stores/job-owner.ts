import { emailsWith } from '../jobs/emails.ts'

/** The owner of a job. Every change of an owner or its jobs takes the lock of the owner's row first. */
export type OfLead = { leadId: number }
export type OfApplication = { applicationId: number }
/** An account of the staff. */
export type OfAccount = { accountId: number }
/** A run of the provider sync, which owns its own job and the e-mails about it. A lead's job that a run made belongs to the lead. */
export type OfSync = { syncId: number }
/** A clinic, which owns the e-mails to it that are about no lead. */
export type OfProvider = { providerId: number }
/** A report to the team or to a clinic. */
export type OfReport = { reportId: number }
export type Owner = OfLead | OfApplication | OfAccount | OfSync | OfProvider | OfReport

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

/** Returns the condition on `jobs` that finds the jobs of an owner. */
export function columnOf(owner: Owner): Partial<JobOwnerColumns> {
  if ('leadId' in owner) return { lead_id: owner.leadId }
  if ('applicationId' in owner) return { application_id: owner.applicationId }
  if ('accountId' in owner) return { account_id: owner.accountId }
  if ('syncId' in owner) return { sync_id: owner.syncId, lead_id: null }
  if ('reportId' in owner) return { report_id: owner.reportId }
  return { told_provider_id: owner.providerId, lead_id: null, application_id: null, account_id: null, sync_id: null }
}

/** Returns the owner that the columns of a job name. Returns null for a job about many rows. */
export function ownerOf(columns: JobOwnerColumns): Owner | null {
  const { lead_id, application_id, account_id, sync_id, told_provider_id, report_id } = columns
  if (lead_id !== null) return { leadId: lead_id }
  if (application_id !== null) return { applicationId: application_id }
  if (account_id !== null) return { accountId: account_id }
  if (sync_id !== null) return { syncId: sync_id }
  if (report_id !== null) return { reportId: report_id }
  return told_provider_id === null ? null : { providerId: told_provider_id }
}

/** Names an owner for people: `lead 7`. */
export function ownerWords(owner: Owner | null): string {
  if (owner === null) return 'many rows'
  if ('leadId' in owner) return `lead ${owner.leadId}`
  if ('applicationId' in owner) return `application ${owner.applicationId}`
  if ('accountId' in owner) return `account ${owner.accountId}`
  if ('reportId' in owner) return `report ${owner.reportId}`
  return 'syncId' in owner ? `sync ${owner.syncId}` : `provider ${owner.providerId}`
}

/** SQL for whether a job belongs to a clinic itself. */
export const IS_OF_PROVIDER = '(jobs.told_provider_id is not null and jobs.lead_id is null and jobs.sync_id is null)'

/** E-mails of which each clinic that had the lead gets one of its own. */
export const TO_EACH_CLINIC: string[] = emailsWith(({ to }) => to === 'previous_clinic')
/** SQL for whether a newer generation of a lead's e-mail is about the same clinic, where each clinic gets one. */
export const IS_ABOUT_SAME_CLINIC = `(newer.purpose not in ('${TO_EACH_CLINIC.join(`', '`)}')
  or newer.previous_provider_id is not distinct from jobs.previous_provider_id)`

/** SQL that finds a newer generation of a clinic's own job. */
export const NEWER_OF_PROVIDER = `select from jobs newer
  where newer.lead_id is null and newer.application_id is null and newer.account_id is null and newer.sync_id is null
    and newer.told_provider_id = jobs.told_provider_id and newer.purpose = jobs.purpose
    and newer.generation > jobs.generation`

/** SQL that finds a newer generation of a job of a sync run: of the run itself, or of an e-mail to the same clinic or to the team. */
export const NEWER_OF_SYNC = `select from jobs newer
  where jobs.lead_id is null and newer.lead_id is null and newer.sync_id = jobs.sync_id and newer.purpose = jobs.purpose
    and newer.told_provider_id is not distinct from jobs.told_provider_id and newer.generation > jobs.generation`

/** SQL that finds a newer generation of a job of a report. */
export const NEWER_OF_REPORT = `select from jobs newer
  where newer.report_id = jobs.report_id and newer.purpose = jobs.purpose and newer.generation > jobs.generation`
