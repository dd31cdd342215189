/** Whose job it is. What changes an owner or its jobs takes the lock of the owner's row first. */
export type OfLead = { leadId: number }
export type OfApplication = { applicationId: number }
/** An account of the staff. */
export type OfAccount = { accountId: number }
export type Owner = OfLead | OfApplication | OfAccount

/** The same as columns of a job: all but one are null. */
export type OwnerColumns = { lead_id: number | null; application_id: number | null; account_id: number | null }

/** The names of these columns. */
export const OWNER_COLUMNS = ['lead_id', 'application_id', 'account_id'] as const satisfies (keyof OwnerColumns)[]

/** The same as a condition on the table. */
export function columnOf(owner: Owner): Partial<OwnerColumns> {
  if ('leadId' in owner) return { lead_id: owner.leadId }
  return 'applicationId' in owner ? { application_id: owner.applicationId } : { account_id: owner.accountId }
}

/** And the way back. */
export function ownerOf({ lead_id, application_id, account_id }: OwnerColumns): Owner {
  if (lead_id !== null) return { leadId: lead_id }
  return application_id !== null ? { applicationId: application_id } : { accountId: Number(account_id) }
}

/** Names an owner for people: `lead 7`. */
export function ownerWords(owner: Owner): string {
  if ('leadId' in owner) return `lead ${owner.leadId}`
  return 'applicationId' in owner ? `application ${owner.applicationId}` : `account ${owner.accountId}`
}
