import { useEffect, useState } from 'react'
import { LEADS_PER_PAGE } from '../../../core/contract/leads.ts'
import { useLeads } from './api/list-leads.ts'

/** The leads page by page, starting with the newest. */
export function useLeadsPage() {
  const [page, setPage] = useState(1)
  const { data, error } = useLeads(page)
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / LEADS_PER_PAGE))

  // The last lead of the last page may have been deleted.
  useEffect(() => {
    if (data && page > pages) setPage(pages)
  }, [data, page, pages])

  return { leads: data?.leads, total: data?.total, error, page, pages, setPage }
}
