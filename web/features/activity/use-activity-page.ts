import { useSearchParams } from 'react-router-dom'
import { AUDIT_LINES_PER_PAGE } from '../../../core/contract/audit-log.ts'
import { useActivity } from './api/list-activity.ts'

/** The names in the page's address are the API's own. */
const FILTERS = ['actor', 'entity', 'action', 'entityId'] as const
export type Filter = Partial<Record<(typeof FILTERS)[number], string>>

/** The audit log page by page, the newest first. What is looked at is in the address. */
export function useActivityPage() {
  const [address, setAddress] = useSearchParams()
  const filter: Filter = Object.fromEntries(
    FILTERS.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : [])),
  )
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '', 10) || 1)
  const { data, error } = useActivity({ ...filter, page: String(page) })

  /** Changes the address; what is empty is left out of it. */
  function go(change: Filter & { page?: string }) {
    setAddress((now) => {
      const next = new URLSearchParams(now)
      next.delete('page')
      for (const [name, value] of Object.entries(change)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      return next
    })
  }

  return {
    lines: data?.lines,
    total: data?.total,
    error,
    page,
    pages: Math.max(1, Math.ceil((data?.total ?? 0) / AUDIT_LINES_PER_PAGE)),
    setPage: (next: number) => go({ page: next > 1 ? String(next) : '' }),
    filter,
    choose: (change: Filter) => go(change),
    /** Everything again. */
    clear: () => go({ actor: '', entity: '', action: '', entityId: '' }),
  }
}
