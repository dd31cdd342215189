import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Attention,
  type ConditionLine,
  listAttention,
  setAside,
} from '../../../core/conditions/contract/conditions.ts'
import { act, call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'

const keyOf = (aside: boolean) => ['attention', 'list', aside]

/** Returns the query of what needs attention, or of what was set aside. The feature `live` invalidates it. */
function attentionQuery(aside: boolean) {
  return queryOptions({
    queryKey: keyOf(aside),
    queryFn: () => call(listAttention, { query: { aside } }),
    placeholderData: keepPreviousData,
    // Pauses of staff end by the clock, without an event.
    refetchInterval: ({ state }) => (state.data?.pauses.length ? 30 * SECOND : false),
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
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to hide it', description: message }),
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
