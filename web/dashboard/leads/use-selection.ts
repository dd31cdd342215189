import { useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'

const NONE: ReadonlySet<number> = new Set()

type State = {
  /** What was looked for when they were chosen: other leads are another choice. */
  filterKey: string
  ids: ReadonlySet<number>
  /** Everything that matches, on whatever page. */
  isAll: boolean
  /** Where a range starts. */
  anchor?: number
}

/** Which leads staff have chosen, on this page and on others; `leads` are those of this page. */
export function useSelection(leads: Lead[] = [], filterKey: string) {
  const [stored, setState] = useState<State>({ filterKey, ids: NONE, isAll: false })
  const state = stored.filterKey === filterKey ? stored : { filterKey, ids: NONE, isAll: false }
  const { ids, isAll, anchor } = state
  const choose = (change: Partial<State>) => setState({ ...state, isAll: false, ...change })

  const onPage = leads.map(({ id }) => id)
  const isPageChosen = onPage.length > 0 && onPage.every((id) => ids.has(id))

  /** Chooses a lead, or no longer; with `isRange` all from the one before to this one. */
  function toggle(id: number, isRange = false) {
    const range = isRange && anchor !== undefined ? between(onPage, anchor, id) : [id]
    choose({ ids: ids.has(id) && !isRange ? without(ids, range) : new Set([...ids, ...range]), anchor: id })
  }

  return {
    ids,
    isAll,
    isPageChosen,
    has: (id: number) => isAll || ids.has(id),
    toggle,
    togglePage: () => choose({ ids: isPageChosen ? without(ids, onPage) : new Set([...ids, ...onPage]) }),
    chooseAll: () => choose({ isAll: true }),
    clear: () => choose({ ids: NONE, anchor: undefined }),
  }
}
export type Selection = ReturnType<typeof useSelection>

/** The ids from one to the other, in the order of the page. */
function between(onPage: number[], from: number, to: number): number[] {
  const [first = 0, last = 0] = [onPage.indexOf(from), onPage.indexOf(to)].sort((a, b) => a - b)
  return first < 0 ? [to] : onPage.slice(first, last + 1)
}

function without(ids: ReadonlySet<number>, gone: number[]): Set<number> {
  return new Set([...ids].filter((id) => !gone.includes(id)))
}
