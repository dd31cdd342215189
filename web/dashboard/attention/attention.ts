import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Attention,
  type AttentionLine,
  type AttentionOf,
  listAttention,
  setAside,
} from '../../../core/contract/attention.ts'
import { type BulkReport, changeLeads } from '../../../core/contract/bulk.ts'
import type { InputOf } from '../../../core/contract/call.ts'
import { passOn } from '../../../core/contract/lead-match.ts'
import { deleteLead, type Lead } from '../../../core/contract/leads.ts'
import { confirmOptOut } from '../../../core/contract/opt-outs.ts'
import { act, call } from '../../lib/call.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { followBulk } from '../bulk.ts'

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

/** An act on leads that can be undone, as `useUndo` takes it. */
export type Undoable = { undo: 'restore' | 'undo-match'; ids: number[]; description: string }

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
    mutationFn: ({ key, version, until }: Pick<AttentionLine, 'key' | 'version'> & { until?: string }) =>
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
export function useResend(line: AttentionOf<'not-reached' | 'crm'>) {
  const client = useQueryClient()
  const { kind, leadIds: ids } = line
  return useAction({
    // The clinic that has a lead now is not written to again because one that had it was not reached.
    act: () =>
      runBulk(
        client,
        line.kind === 'crm' ? { action: 'retry-sync', ids } : { action: 'retry-email', ids, to_clinic: line.clinic.id },
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

type PassedOn = Pick<BulkReport, 'succeeded' | 'failed' | 'failures'> & {
  /** The lead, if it was the only one. */
  lead?: Lead
}

/** Returns the mutation that passes late leads of a clinic on to the next clinics. */
export function usePassOn(
  { clinic }: AttentionOf<'no-answer'>,
  { onUndoable, passedOnWords }: { onUndoable: (done: Undoable) => void; passedOnWords: (lead: Lead) => string },
) {
  const client = useQueryClient()
  return useAction({
    async act(ids: number[]): Promise<PassedOn> {
      const [first = 0, ...others] = ids
      if (others.length > 0) return runBulk(client, { action: 'pass-on', ids, waiting_at: clinic.id })
      const lead = await call(passOn, { params: { id: first } })
      return { succeeded: 1, failed: 0, failures: [], lead }
    },
    done({ succeeded, failed, failures, lead }, leadIds) {
      const lost = new Set(failures.map(({ lead_id }) => lead_id))
      // First, so that the newer toast with the button is in front of it.
      if (failed > 0) {
        const title = `${countOf(failed, 'request')} not passed on`
        toast({ variant: 'destructive', title, description: failures[0]?.error })
      }
      const description = lead ? passedOnWords(lead) : `${countOf(succeeded, 'lead')} passed on`
      // Where not every failure is named, it is not known which leads to undo.
      if (succeeded > 0 && failures.length === failed) {
        onUndoable({ undo: 'undo-match', ids: leadIds.filter((id) => !lost.has(id)), description })
      } else if (succeeded > 0) toast({ title: 'Success', description })
    },
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
