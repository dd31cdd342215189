import { Lead } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

type Assignment = { leadId: number; providerId: number }

export function assignProvider({ leadId, providerId }: Assignment): Promise<Lead> {
  return call(endpoints.leadProvider(leadId), { method: 'PATCH', body: { providerId }, answer: Lead })
}

/** `onAssigned` says how it went, with the offer to undo it. */
export function useAssignProvider({ onAssigned }: { onAssigned: (lead: Lead) => void }) {
  return useLeadAction({ act: assignProvider, done: onAssigned, failed: 'Failed to update lead provider' })
}
