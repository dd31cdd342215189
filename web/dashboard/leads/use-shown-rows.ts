import { queryOptions, useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getLead, type ListedLead } from '../../../core/leads/contract/leads.ts'
import { call } from '../../lib/call.ts'

/** Returns the query of a lead. The cached lead is shown at once and read again whenever it is opened. */
export function leadQuery(id: number) {
  return queryOptions({
    queryKey: ['leads', 'details', id],
    queryFn: () => call(getLead, { params: { id } }),
    staleTime: 0,
  })
}

type Options = {
  /**
   * The leads of the page as the server lists them; undefined until they are loaded, or while they belong to another
   * view.
   */
  leads: ListedLead[] | undefined
  /** A key of filter, order and page. */
  view: string
  /** Tells whether a row keeps its place after its lead has left the list. */
  isKept: (id: number) => boolean
}

/**
 * Returns the rows of the table. Leads that are being retried keep their place although the filter no longer finds
 * them.
 */
export function useShownRows({ leads, view, isKept }: Options) {
  const before = useRef<{ view: string; rows: ListedLead[] }>({ view, rows: [] })
  const shownBefore = before.current.view === view ? before.current.rows : []
  const rows = leads && keepRows(shownBefore, leads, isKept)

  useEffect(() => {
    if (rows) before.current = { view, rows }
  })

  const listed = new Set(leads?.map(({ id }) => id))
  const left = rows?.filter(({ id }) => !listed.has(id)) ?? []
  const afresh = useQueries({ queries: left.map(({ id }) => leadQuery(id)) })
  const freshOf = new Map(afresh.map(({ data }, position) => [left[position]?.id, data]))

  return rows?.map((row) => freshOf.get(row.id) ?? row)
}

/** Returns the rows of the list together with the kept rows, each after the row that it followed before. */
export function keepRows<Row extends { id: number }>(
  shown: Row[],
  listed: Row[],
  isKept: (id: number) => boolean,
): Row[] {
  const ids = new Set(listed.map(({ id }) => id))
  const rows = [...listed]
  shown.forEach((row, position) => {
    if (ids.has(row.id) || !isKept(row.id)) return
    const previous = shown.slice(0, position).findLast(({ id }) => rows.some((other) => other.id === id))
    rows.splice(previous ? rows.findIndex(({ id }) => id === previous.id) + 1 : 0, 0, row)
  })
  return rows
}
