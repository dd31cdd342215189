import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AUDIT_LINES_PER_PAGE, type AuditLogQuery, listAudit } from '../../../core/contract/audit-log.ts'
import { call } from '../../lib/call.ts'
import { useAddress } from '../../lib/use-address.ts'

/** The names in the page's address are the API's own. */
const FILTERS = ['actor', 'entity', 'action', 'entityId'] as const
export type Filter = Partial<Record<(typeof FILTERS)[number], string>>

/** The audit log page by page, the newest first. What is looked at is in the address. */
export function useActivityPage() {
  const { address, change } = useAddress()
  const filter: Filter = Object.fromEntries(
    FILTERS.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : [])),
  )
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '', 10) || 1)
  const query = { ...filter, page, limit: AUDIT_LINES_PER_PAGE } as AuditLogQuery
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-log', query],
    queryFn: () => call(listAudit, { query }),
    // What the page before showed stays in sight while the next one is loaded.
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
    setPage: (next: number) => change({ page: next > 1 ? next : undefined }),
    filter,
    choose: (chosen: Filter) => change({ page: undefined, ...chosen }),
    /** Everything again. */
    clear: () => change({ page: undefined, ...Object.fromEntries(FILTERS.map((name) => [name, undefined])) }),
  }
}
