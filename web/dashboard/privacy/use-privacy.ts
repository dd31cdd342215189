import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ERASURES_PER_PAGE,
  erasePerson,
  type FormId,
  findPerson,
  listErasures,
  retryErasure,
} from '../../../core/privacy/contract/privacy.ts'
import { act, call } from '../../lib/call.ts'
import { countOf } from '../../lib/text.ts'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** The timeout of a search, in milliseconds. A person may have many requests, each with its history. */
const TIMEOUT = 60 * SECOND

/** Finds everything about a person. The answer is not cached. */
export function useFindPerson() {
  return useMutation({
    mutationFn: (contact: string) => call(findPerson, { body: { contact }, timeout: TIMEOUT }),
    gcTime: 0,
  })
}

/** Erases forms of a person. */
export function useErasePerson(onErased: () => void) {
  const client = useQueryClient()
  return useAction({
    act: ({ contact, forms }: { contact: string; forms: FormId[] }) =>
      call(erasePerson, {
        body: { contact, forms: forms.map(({ kind, id }) => ({ kind, id })) },
        timeout: TIMEOUT,
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

/** Returns a page of the requested erasures. */
export function useErasures(page: number) {
  return useQuery({
    queryKey: ['erasures', page],
    queryFn: () => call(listErasures, { query: { page, limit: ERASURES_PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
}

export function useRetryErasure(id: number) {
  return useAction({
    act: () => act(retryErasure, { params: { id } }),
    done: 'They are asked again',
    failed: 'Failed to try again',
    changes: 'erasures',
  })
}
