import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

export function releaseLead(leadId: number): Promise<void> {
  return act('POST', endpoints.releaseLead(leadId))
}

export function useReleaseLead() {
  return useLeadAction({ act: releaseLead, done: 'Lead released', failed: 'Failed to release lead' })
}
