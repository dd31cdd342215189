import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Attention,
  type ConditionLine,
  listAttention,
  setAside,
} from '../../../core/conditions/contract/conditions.ts'
import { SECOND } from '../../../core/contract/time.ts'
import { act, call } from '../../lib/call.ts'
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

type Marked = { lines: ConditionLine[]; until?: string; undo?: true }

/** Returns functions that set lines aside and take them back. The lines go at once. */
export function useMarks() {
  const client = useQueryClient()
  const marking = useMutation({
    scope: IN_ORDER,
    mutationFn: ({ lines, ...rest }: Marked) =>
      act(setAside, { body: { lines: lines.map(({ key, version }) => ({ key, version })), ...rest } }),
    async onMutate({ lines, undo }) {
      if (undo) return
      // An answer that is under way would bring the lines back.
      await client.cancelQueries({ queryKey: ['attention'] })
      const keys = new Set(lines.map(({ key }) => key))
      for (const aside of [false, true]) {
        client.setQueryData<Attention>(keyOf(aside), (now) => now && without(now, keys, aside))
      }
    },
    onError: ({ message }, { undo }) =>
      toast({
        variant: 'destructive',
        title: undo ? 'Failed to bring it back' : 'Failed to hide it',
        description: message,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['attention'] }),
  })
  return {
    mark: marking.mutate,
    takeBack: (lines: ConditionLine[]) => marking.mutate({ lines, undo: true }),
  }
}

function without(answer: Attention, keys: Set<string>, aside: boolean): Attention {
  const lines = answer.lines.filter(({ key }) => !keys.has(key))
  const gone = answer.lines.length - lines.length
  if (aside) return { ...answer, lines, aside: answer.aside - gone }
  const counts = { ...answer.counts }
  for (const { key, kind } of answer.lines) {
    const left = (counts[kind] ?? 0) - 1
    if (keys.has(key)) counts[kind] = left > 0 ? left : undefined
  }
  return { ...answer, lines, counts, total: answer.total - gone, aside: answer.aside + gone }
}
