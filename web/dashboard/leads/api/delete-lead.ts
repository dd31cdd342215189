import { act } from '../../../lib/act.ts'
import { HttpError } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

export async function deleteLead(leadId: number): Promise<void> {
  try {
    await act('DELETE', endpoints.lead(leadId))
  } catch (error) {
    const isOurAnswer = !(error instanceof HttpError) || error.code !== undefined
    throw isOurAnswer ? error : new Error(`Failed to delete lead: ${error.statusText}`, { cause: error })
  }
}

export function useDeleteLead({ onDeleted }: { onDeleted: (leadId: number) => void }) {
  return useLeadAction({
    act: deleteLead,
    done: (_, leadId) => onDeleted(leadId),
    failed: 'Failed to delete lead',
  })
}
