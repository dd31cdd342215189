import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { AUDIT_LINES_PER_PAGE, type AuditLogQuery, listAudit } from '../../../core/contract/audit-log.ts'
import { call } from '../../lib/call.ts'
import { parseAsPage } from '../address.ts'

const text = parseAsString.withDefault('')
/** The search parameters of both logs, named as in the API. */
export const activityAddress = {
  log: parseAsStringLiteral(['access']),
  actor: text,
  entity: text,
  action: text,
  entityId: text,
  rowId: text,
  page: parseAsPage,
}
/** The whole log, from its first page. */
export const UNFILTERED = { actor: null, entity: null, action: null, entityId: null, rowId: null, page: null }

const FILTERS = ['actor', 'entity', 'action', 'entityId'] as const
export type Filter = Partial<Record<(typeof FILTERS)[number], string>>

/** Returns a page of the audit log, newest first. Filters and page are in the address. */
export function useActivityPage() {
  const [address, change] = useQueryStates(activityAddress)
  const { page } = address
  const filter: Filter = Object.fromEntries(FILTERS.flatMap((name) => (address[name] ? [[name, address[name]]] : [])))
  const query = { ...filter, page, limit: AUDIT_LINES_PER_PAGE } as AuditLogQuery
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-log', query],
    queryFn: () => call(listAudit, { query }),
    // The previous page stays visible while the next one loads.
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return {
    lines: data?.lines,
    total: data?.total,
    error,
    isFetching,
    retry: () => void refetch(),
    page,
    pages: Math.max(1, Math.ceil((data?.total ?? 0) / AUDIT_LINES_PER_PAGE)),
    setPage: (next: number) => void change({ page: next }),
    filter,
    choose: (chosen: Filter) => void change({ page: null, ...chosen }),
    /** Removes all filters. */
    clear: () => void change(UNFILTERED),
  }
}
