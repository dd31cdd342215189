import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ERASURES_PER_PAGE,
  ErasureList,
  ErasureRequest,
  type FormId,
  PersonRecord,
} from '../../../core/contract/privacy.ts'
import { act } from '../../lib/act.ts'
import { call } from '../../lib/http.ts'
import { countOf } from '../../lib/numbers.ts'
import { staffEndpoints } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** In milliseconds: a person with many requests, each with its history. */
const DEADLINE = 60_000

/** Looks for everything about a person. The answer is kept by nothing but the component that asks. */
export function useFindPerson() {
  return useMutation({
    mutationFn: (contact: string) =>
      call(staffEndpoints.findPerson, { method: 'POST', body: { contact }, deadline: DEADLINE, answer: PersonRecord }),
    gcTime: 0,
  })
}

/** Erases forms of a person. */
export function useErasePerson(onErased: () => void) {
  const client = useQueryClient()
  return useAction({
    act: ({ contact, forms }: { contact: string; forms: FormId[] }) =>
      call(staffEndpoints.erasePerson, {
        method: 'POST',
        body: { contact, forms: forms.map(({ kind, id }) => ({ kind, id })) },
        deadline: DEADLINE,
        answer: ErasureRequest,
      }),
    done: ({ id, forms }) => {
      toast({ title: 'Success', description: `Erasure no. ${id}: ${countOf(forms.length, 'form')} deleted for good` })
      onErased()
      for (const key of ['leads', 'applications']) void client.invalidateQueries({ queryKey: [key] })
    },
    failed: 'Failed to erase',
    changes: 'erasures',
  })
}

/** One page of the erasures that persons asked for. Asked for again every few seconds while something is on its way. */
export function useErasures(page: number) {
  return useQuery({
    queryKey: ['erasures', page],
    queryFn: () =>
      call(staffEndpoints.erasures({ page: String(page), limit: String(ERASURES_PER_PAGE) }), { answer: ErasureList }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.erasures.some(isUnderWay) ? 5000 : false),
  })
}

export function useRetryErasure(id: number) {
  return useAction({
    act: () => act('POST', staffEndpoints.retryErasure(id)),
    done: 'They are asked again',
    failed: 'Failed to try again',
    changes: 'erasures',
  })
}

function isUnderWay({ forms }: ErasureRequest): boolean {
  return forms.some(({ notices }) => notices.some(({ state }) => state === 'waiting' || state === 'enqueued'))
}
