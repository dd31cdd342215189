import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Attention,
  type ConditionLine,
  listAttention,
  setAside,
} from '../../../core/conditions/contract/conditions.ts'
import type { InputOf } from '../../../core/contract/call.ts'
import { passOn } from '../../../core/leads/contract/lead-changes.ts'
import { deleteLead, type Lead } from '../../../core/leads/contract/leads.ts'
import { confirmOptOut } from '../../../core/privacy/contract/opt-outs.ts'
import { type BulkReport, changeLeads } from '../../../core/staff/contract/bulk.ts'
import { act, call } from '../../lib/call.ts'
import { formatCount } from '../../lib/text.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { followBulk } from '../bulk.ts'
import type { Undoable } from '../undo.tsx'

const keyOf = (aside: boolean) => ['attention', 'list', aside]

/** Returns the query of what needs attention, or of what was set aside. The feature `live` invalidates it. */
function attentionQuery(aside: boolean) {
  return queryOptions({
    queryKey: keyOf(aside),
    queryFn: () => call(listAttention, { query: { aside } }),
    placeholderData: keepPreviousData,
  })
}

export function useAttention({ aside = false } = {}) {
  return useQuery(attentionQuery(aside))
}

/** Returns the number of lines, as far as it is known, without reading them. */
export function useAttentionCount(): number | undefined {
  return useQuery({ ...attentionQuery(false), enabled: false }).data?.total
}

/** Marks reach the server one after the other, so that a quick undo does not overtake what it undoes. */
const IN_ORDER = { id: 'attention-marks' }

/** Returns functions that set a line aside and take it back. The line goes at once. */
export function useMarks() {
  const client = useQueryClient()
  const settle = () => client.invalidateQueries({ queryKey: ['attention'] })
  const remove = (key: string) => {
    for (const aside of [false, true]) {
      client.setQueryData<Attention>(keyOf(aside), (now) => now && without(now, key, aside))
    }
  }
  const marking = useMutation({
    scope: IN_ORDER,
    mutationFn: ({ key, version, until }: Pick<ConditionLine, 'key' | 'version'> & { until?: string }) =>
      act(setAside, { body: { key, version, until } }),
    async onMutate({ key }) {
      // An answer that is under way would bring the line back.
      await client.cancelQueries({ queryKey: ['attention'] })
      remove(key)
    },
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to set it aside', description: message }),
    onSettled: settle,
  })
  const takingBack = useMutation({
    scope: IN_ORDER,
    mutationFn: (key: string) => act(setAside, { body: { key } }),
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to bring it back', description: message }),
    onSettled: settle,
  })
  return { mark: marking.mutate, takeBack: takingBack.mutate }
}

/** Returns an answer without a line. */
function without(answer: Attention, key: string, aside: boolean): Attention {
  const gone = answer.lines.find((line) => line.key === key)
  if (!gone) return answer
  const lines = answer.lines.filter((line) => line !== gone)
  if (aside) return { ...answer, lines, aside: answer.aside - 1 }
  const { [gone.kind]: count = 1, ...others } = answer.counts
  return {
    ...answer,
    lines,
    counts: count > 1 ? { ...others, [gone.kind]: count - 1 } : others,
    total: answer.total - 1,
    aside: answer.aside + 1,
  }
}

/** Returns the mutation that sends the failed deliveries of a line again, and reports what became of them. */
export function useResend({ kind, leads, clinic }: ConditionLine) {
  const client = useQueryClient()
  const ids = leads?.ids ?? []
  return useAction({
    // The clinic that has a lead now is not written to again because one that had it was not reached.
    act: () =>
      runBulk(
        client,
        kind === 'crm' ? { action: 'retry-sync', ids } : { action: 'retry-email', ids, to_clinic: clinic?.id },
      ),
    done({ succeeded, failed, waiting, failures }) {
      const outcome = `${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`
      const [first] = failures
      toast({
        title: kind === 'crm' ? 'Sent to the CRM again' : 'Resent',
        description: first ? `${outcome}. ${first.error}` : outcome,
        ...(failed > 0 && { variant: 'destructive' as const }),
      })
    },
    failed: kind === 'crm' ? 'Failed to retry CRM sync' : 'Failed to resend',
    changes: 'attention',
  })
}

/** Returns the mutation that passes one late lead on to the next clinic. */
export function usePassOnOne(leadId: number, done: (lead: Lead) => void) {
  return useAction({
    act: () => call(passOn, { params: { id: leadId } }),
    done,
    failed: 'Failed to pass on',
    changes: 'attention',
  })
}

/** Returns the mutation that deletes a held lead. */
export function useDeleteLead(leadId: number, onUndoable: (done: Undoable) => void) {
  return useAction({
    act: () => act(deleteLead, { params: { id: leadId } }),
    done: () => onUndoable({ undo: 'restore', ids: [leadId], description: 'Lead deleted successfully' }),
    failed: 'Failed to delete lead',
    changes: 'attention',
  })
}

/** Returns the mutation that records that a clinic has stopped contacting a person. */
export function useConfirmStop(optOutId: number) {
  return useAction({
    act: () => act(confirmOptOut, { params: { id: optOutId } }),
    done: 'The clinic’s word was recorded',
    failed: 'Failed to record it',
    changes: 'attention',
  })
}

async function runBulk(
  client: Parameters<typeof followBulk>[0],
  body: InputOf<typeof changeLeads>['body'],
): Promise<BulkReport> {
  const { id } = await call(changeLeads, { body })
  return followBulk(client, id)
}
