/** Whose job it is. What changes an owner or its jobs takes the lock of the owner's row first. */
export type OfLead = { leadId: number }
export type OfApplication = { applicationId: number }
export type Owner = OfLead | OfApplication

/** The same as columns of a job: one of them is null. */
export type OwnerColumns = { lead_id: number | null; application_id: number | null }

/** The same as a condition on the table. */
export const columnOf = (owner: Owner) =>
  'leadId' in owner ? { lead_id: owner.leadId } : { application_id: owner.applicationId }

/** And the way back. */
export const ownerOf = ({ lead_id: leadId, application_id: applicationId }: OwnerColumns): Owner =>
  leadId === null ? { applicationId: Number(applicationId) } : { leadId }
