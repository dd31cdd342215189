import { useRef, useState } from 'react'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import { useAccess } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { useUndo } from '../undo.tsx'
import { LEAD_DIALOGS, type LeadActs } from './lead-dialogs.tsx'
import { SEARCH_ID } from './lead-filters.tsx'
import type { OpenLead, useLeadsPage } from './use-leads-page.ts'

const NONE: ReadonlySet<number> = new Set()

type State = {
  /** The filter of the selection. Another filter starts an empty one. */
  filterKey: string
  ids: ReadonlySet<number>
  isAll: boolean
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

function between(onPage: number[], from: number, to: number): number[] {
  const [first = 0, last = 0] = [onPage.indexOf(from), onPage.indexOf(to)].sort((a, b) => a - b)
  return first < 0 ? [to] : onPage.slice(first, last + 1)
}

function without(ids: ReadonlySet<number>, gone: number[]): Set<number> {
  return new Set([...ids].filter((id) => !gone.includes(id)))
}

export const BULK_BAR_ID = 'chosen-leads'

type Options = {
  page: ReturnType<typeof useLeadsPage>
  opening: OpenLead
  selection: Selection
  acts: LeadActs
  leadOf: (id: number) => ListedLead | undefined
}

/**
 * Makes the list usable by keyboard. Keys act on the focused row, or on the row that was focused last. While leads are
 * selected, their bar takes the keys of acts. No key sends anything: each opens a dialog, or can be undone.
 */
export function useRowKeys({ page: { view, pages, setView }, opening, selection, acts, leadOf }: Options): void {
  const can = useAccess()
  const { undo } = useUndo()
  const canChoose = can('lead.manage')
  const lastId = useRef<string>(undefined)
  const hasSelection = canChoose && (selection.isAll || selection.ids.size > 0)

  const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-lead]')]
  const focused = ({ target }: KeyboardEvent) => (target as HTMLElement).closest<HTMLElement>('tr[data-lead]')
  const currentOf = (event: KeyboardEvent) =>
    focused(event) ?? rows().find((row) => row.dataset.lead === String(opening.openId ?? lastId.current))

  const move = (step: number, extend?: Selection) => (event: KeyboardEvent) => {
    const all = rows()
    const current = currentOf(event)
    const row = current ? all[all.indexOf(current) + step] : all[0]
    if (!row) return
    extend?.extend(Number((current ?? row).dataset.lead), Number(row.dataset.lead))
    lastId.current = row.dataset.lead
    row.focus()
    if (opening.openId !== undefined) opening.open(Number(row.dataset.lead))
  }
  const onRow = (act: (lead: ListedLead) => unknown, may = true) =>
    may
      ? (event: KeyboardEvent) => {
          const lead = leadOf(Number(currentOf(event)?.dataset.lead))
          if (lead) act(lead)
        }
      : undefined
  const turn = (step: number) => () => {
    const next = view.page + step
    if (next >= 1 && next <= pages) setView({ page: next })
  }
  const open = onRow(({ id }) => opening.open(id))
  /** Outside the list, these keys scroll the page and press buttons. */
  const inList = (step: number) => (event: KeyboardEvent) =>
    focused(event) || event.target === document.body ? move(step)(event) : false

  useKeys({
    j: move(1),
    k: move(-1),
    arrowdown: inList(1),
    arrowup: inList(-1),
    ...(canChoose && {
      'shift+j': move(1, selection),
      'shift+k': move(-1, selection),
      x: onRow(({ id }) => selection.toggle(id)),
      '*': selection.togglePage,
      b: () => document.querySelector<HTMLElement>(`#${BULK_BAR_ID} button`)?.focus(),
    }),
    u: undo,
    ...(!hasSelection && {
      ...Object.fromEntries(
        LEAD_DIALOGS.filter(({ key }) => key).map((dialog) => [
          dialog.key,
          onRow((lead) => dialog.isOffered(lead) && acts.open(dialog, lead), can(dialog.right)),
        ]),
      ),
      '#': onRow(acts.remove, canChoose),
    }),
    o: open,
    enter: (event) => (focused(event) === event.target ? open?.(event) : false),
    escape: () => {
      if (opening.openId !== undefined) opening.close()
      else if (hasSelection) selection.clear()
      else return false
    },
    '[': turn(-1),
    ']': turn(1),
    '/': () => document.getElementById(SEARCH_ID)?.focus(),
  })
}
