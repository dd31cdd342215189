import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { ActionAnswer } from '../../../../core/contract/call.ts'
import { LeadOptOut, OptOutAnswer, OptOuts, type StopByHand } from '../../../../core/contract/opt-outs.ts'
import { act } from '../../../lib/act.ts'
import { call } from '../../../lib/http.ts'
import { SECOND } from '../../../lib/time.ts'
import { optOutEndpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

/** A clinic becomes overdue without anything happening. */
const LOOK_AGAIN = 300 * SECOND

/** The clinics that are overdue, and the newest suppressions. */
export function useOptOuts() {
  return useQuery({
    queryKey: ['leads', 'opt-outs'],
    queryFn: () => call(optOutEndpoints.all, { answer: OptOuts }),
    refetchInterval: LOOK_AGAIN,
  })
}

/** Whether the person of a lead may be contacted. What was seen earlier is shown at once. */
export function useLeadOptOut(leadId: number) {
  return useQuery({
    queryKey: ['leads', 'details', leadId, 'opt-out'],
    queryFn: () => call(optOutEndpoints.lead(leadId), { answer: LeadOptOut }),
    staleTime: 0,
  })
}

export function useStopContact() {
  return useLeadAction({
    act: (leadId: number) => act('POST', optOutEndpoints.lead(leadId)),
    done: 'This person is not contacted any more',
    failed: 'Failed to stop contact',
  })
}

export function useConfirmOptOut() {
  return useLeadAction({
    act: (id: number) => act('POST', optOutEndpoints.confirm(id)),
    done: 'Confirmation recorded',
    failed: 'Failed to record the confirmation',
  })
}

/** Allows contact again: with the person of a lead, or at one address or number. */
export function useLift() {
  return useLeadAction({
    act: ({ url, because }: { url: string; because: string }) =>
      call(url, { method: 'POST', body: { because }, answer: ActionAnswer }),
    done: 'This person may be contacted again',
    failed: 'Failed to allow contact',
  })
}

export function useStopByHand() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof StopByHand>) =>
      call(optOutEndpoints.all, { method: 'POST', body, answer: OptOutAnswer }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['leads'] }),
  })
}
