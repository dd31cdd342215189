import { queryOptions, useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getLead, type ListedLead } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** How long a deleted lead leaves its place empty, and at most while the pointer rests there. */
const GONE_FOR = 1 * SECOND
const MAX_GONE = 10 * SECOND

/** A lead. The cached one is shown at once, and read again whenever it is opened. */
export function leadQuery(id: number) {
  return queryOptions({
    queryKey: ['leads', 'details', id],
    queryFn: () => call(getLead, { params: { id } }),
    staleTime: 0,
  })
}

type Options = {
  /** The leads of the page as the server lists them; undefined until they are loaded, or while they are those of another view. */
  leads: ListedLead[] | undefined
  /** Names the filter, the order and the page. */
  view: string
  /** Whether a row stays where it is when its lead leaves the list. */
  isKept: (id: number) => boolean
}

/**
 * The rows of the table. What is being retried stays in its place although the filter no longer finds it; and a deleted
 * lead leaves its place empty for a moment, so that no other row moves under the pointer.
 */
export function useShownRows({ leads, view, isKept }: Options) {
  const gone = useGone()
  const before = useRef<{ view: string; rows: ListedLead[] }>({ view, rows: [] })
  const shownBefore = before.current.view === view ? before.current.rows : []
  const rows = leads && keepRows(shownBefore, leads, (id) => gone.heights.has(id) || isKept(id))

  useEffect(() => {
    if (rows) before.current = { view, rows }
  })

  const listed = new Set(leads?.map(({ id }) => id))
  const left = rows?.filter(({ id }) => !listed.has(id) && !gone.heights.has(id)) ?? []
  const afresh = useQueries({ queries: left.map(({ id }) => leadQuery(id)) })
  const freshOf = new Map(afresh.map(({ data }, position) => [left[position]?.id, data]))

  return {
    rows: rows?.map((row) => freshOf.get(row.id) ?? row),
    goneHeightOf: (id: number) => gone.heights.get(id),
    onDeleted: gone.add,
  }
}

/** Returns the rows of the list, and among them those shown before that are kept: each after the row that it followed. */
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

/** The leads that were deleted from this page a moment ago, with the height of their rows in pixels. */
function useGone() {
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map())
  const timers = useRef(new Set<number>())
  useEffect(() => {
    const { current } = timers
    return () => current.forEach(clearTimeout)
  }, [])

  function add(id: number) {
    const height = document.querySelector<HTMLElement>(`tr[data-lead="${id}"]`)?.offsetHeight ?? 0
    setHeights((now) => new Map([...now, [id, height]]))
    const since = Date.now()
    const look = () => {
      const isPointedAt = document.querySelector(`tr[data-gone="${id}"]`)?.matches(':hover')
      if (isPointedAt && Date.now() - since < MAX_GONE) timers.current.add(window.setTimeout(look, GONE_FOR / 4))
      else setHeights((now) => new Map([...now].filter(([other]) => other !== id)))
    }
    timers.current.add(window.setTimeout(look, GONE_FOR))
  }

  return { heights, add }
}
