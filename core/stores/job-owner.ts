/** The owner of a job. Every change of an owner or its jobs takes the lock of the owner's row first. */
export type OfLead = { leadId: number }
export type OfApplication = { applicationId: number }
/** An account of the staff. */
export type OfAccount = { accountId: number }
/** A run of the provider sync, which owns its own job and the e-mails about it. A lead's job that a run made belongs to the lead. */
export type OfSync = { syncId: number }
export type Owner = OfLead | OfApplication | OfAccount | OfSync

/** The owner as columns of a job. At most one of the first three is not null; all three are null for the job of a run. */
export type OwnerColumns = {
  lead_id: number | null
  application_id: number | null
  account_id: number | null
  sync_id: number | null
}

/** The names of the columns of an owner. */
export const OWNER_COLUMNS = [
  'lead_id',
  'application_id',
  'account_id',
  'sync_id',
] as const satisfies (keyof OwnerColumns)[]

/** Returns the condition on `jobs` that finds the jobs of an owner. */
export function columnOf(owner: Owner): Partial<OwnerColumns> {
  if ('leadId' in owner) return { lead_id: owner.leadId }
  if ('applicationId' in owner) return { application_id: owner.applicationId }
  return 'accountId' in owner ? { account_id: owner.accountId } : { sync_id: owner.syncId, lead_id: null }
}

/** Returns the owner that the columns of a job name. Returns null for a job about many rows. */
export function ownerOf({ lead_id, application_id, account_id, sync_id }: OwnerColumns): Owner | null {
  if (lead_id !== null) return { leadId: lead_id }
  if (application_id !== null) return { applicationId: application_id }
  if (account_id !== null) return { accountId: account_id }
  return sync_id === null ? null : { syncId: sync_id }
}

/** Names an owner for people: `lead 7`. */
export function ownerWords(owner: Owner | null): string {
  if (owner === null) return 'many rows'
  if ('leadId' in owner) return `lead ${owner.leadId}`
  if ('applicationId' in owner) return `application ${owner.applicationId}`
  return 'accountId' in owner ? `account ${owner.accountId}` : `sync ${owner.syncId}`
}

/** SQL that finds a newer generation of a job of a sync run: of the run itself, or of an e-mail to the same clinic or to the team. */
export const NEWER_OF_SYNC = `select from jobs newer
  where jobs.lead_id is null and newer.lead_id is null and newer.sync_id = jobs.sync_id and newer.purpose = jobs.purpose
    and newer.told_provider_id is not distinct from jobs.told_provider_id and newer.generation > jobs.generation`
