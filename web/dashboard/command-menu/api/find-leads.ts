import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type Lead, LeadList } from '../../../../core/contract/leads.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'

const MAX_FOUND = 8
const MIN_SEARCH_LENGTH = 2

export async function findLeads(search: string): Promise<Lead[]> {
  const query = new URLSearchParams({ q: search, limit: String(MAX_FOUND) })
  return (await call(endpoints.leads(String(query)), { answer: LeadList })).leads
}

/** Not kept once the menu is closed: leads come and go. */
export function foundLeadsQuery(search: string) {
  return queryOptions({
    queryKey: ['leads', 'found', search],
    queryFn: () => findLeads(search),
    placeholderData: keepPreviousData,
    enabled: search.length >= MIN_SEARCH_LENGTH,
    gcTime: 0,
  })
}

export function useFoundLeads(search: string) {
  const { data, error, isFetching } = useQuery(foundLeadsQuery(search))
  // What was found before belongs to another search once this one is too short.
  return { leads: search.length >= MIN_SEARCH_LENGTH ? (data ?? []) : [], error, isFetching }
}
