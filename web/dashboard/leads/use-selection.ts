import { useState } from 'react'
import type { Lead } from '../../../core/leads/contract/leads.ts'

const NONE: ReadonlySet<number> = new Set()

type State = {
  /** The filter of the selection. Another filter starts an empty one. */
  filterKey: string
  ids: ReadonlySet<number>
  /** Whether all leads that match are selected, on every page. */
  isAll: boolean
  /** The first lead of a range. */
  anchor?: number
}

/** Returns the selection of leads across pages; `leads` are those of this page. */
export function useSelection(leads: Lead[] = [], filterKey: string) {
  const [stored, setState] = useState<State>({ filterKey, ids: NONE, isAll: false })
  const state = stored.filterKey === filterKey ? stored : { filterKey, ids: NONE, isAll: false }
  const { ids, isAll, anchor } = state
  const choose = (change: Partial<State>) => setState({ ...state, isAll: false, ...change })

  const onPage = leads.map(({ id }) => id)
  const isPageChosen = onPage.length > 0 && onPage.every((id) => ids.has(id))

  /** Selects or deselects a lead; with `isRange`, all leads from the previous one to this one. */
  function toggle(id: number, isRange = false) {
    const range = isRange && anchor !== undefined ? between(onPage, anchor, id) : [id]
    choose({ ids: ids.has(id) && !isRange ? without(ids, range) : new Set([...ids, ...range]), anchor: id })
  }

  /** Selects a lead and the one beside it, to which the focus moves. */
  const extend = (from: number, to: number) => choose({ ids: new Set([...ids, from, to]), anchor: to })

  return {
    ids,
    isAll,
    isPageChosen,
    has: (id: number) => isAll || ids.has(id),
    toggle,
    extend,
    togglePage: () => choose({ ids: isPageChosen ? without(ids, onPage) : new Set([...ids, ...onPage]) }),
    chooseAll: () => choose({ isAll: true }),
    clear: () => choose({ ids: NONE, anchor: undefined }),
  }
}
export type Selection = ReturnType<typeof useSelection>

/** Returns the ids from one lead to another, in the order of the page. */
function between(onPage: number[], from: number, to: number): number[] {
  const [first = 0, last = 0] = [onPage.indexOf(from), onPage.indexOf(to)].sort((a, b) => a - b)
  return first < 0 ? [to] : onPage.slice(first, last + 1)
}

function without(ids: ReadonlySet<number>, gone: number[]): Set<number> {
  return new Set([...ids].filter((id) => !gone.includes(id)))
}
