import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useKeys } from '../keys.ts'
import { SEARCH_ID } from './lead-search.tsx'
import type { OpenLead } from './use-open-lead.ts'
import type { Selection } from './use-selection.ts'

/** `for`: the viewers that may use it, those who may act or those who may record outcomes. Default: all. */
type Key = { keys: string[]; does: string; for?: 'canAct' | 'canStop' }

const KEYS: Record<string, Key[]> = {
  'Move and open': [
    { keys: ['j', '↓'], does: 'Next lead' },
    { keys: ['k', '↑'], does: 'Previous lead' },
    { keys: ['Enter', 'o'], does: 'Open the lead' },
    { keys: ['Esc'], does: 'Close the lead, or clear the selection' },
    { keys: ['[', ']'], does: 'Previous and next page' },
    { keys: ['/'], does: 'Search' },
  ],
  'Act on the selected leads, or on the lead': [
    { keys: ['r'], does: 'Retry CRM Sync', for: 'canAct' },
    { keys: ['e'], does: 'Resend Email', for: 'canAct' },
    { keys: ['m'], does: 'Match with a provider', for: 'canAct' },
    { keys: ['s'], does: 'Record an outcome', for: 'canStop' },
    { keys: ['a'], does: 'Assign the open lead to me', for: 'canStop' },
    { keys: ['n'], does: 'Write a note on the open lead', for: 'canStop' },
    { keys: ['#'], does: 'Delete', for: 'canAct' },
    { keys: ['u'], does: 'Undo', for: 'canAct' },
  ],
  Select: [
    { keys: ['x'], does: 'Select the lead', for: 'canAct' },
    { keys: ['⇧J', '⇧K'], does: 'Extend the selection', for: 'canAct' },
    { keys: ['*'], does: 'Select the page', for: 'canAct' },
    { keys: ['b'], does: 'Go to the actions for the selection', for: 'canAct' },
  ],
  Everywhere: [
    { keys: ['c'], does: 'Enter a new lead', for: 'canStop' },
    { keys: ['⌘K', 'Ctrl K'], does: 'Search and commands' },
    { keys: ['g', 'l'], does: 'Go to the leads; p for providers, a applications, o overview, y activity' },
    { keys: ['?'], does: 'Show these keys' },
  ],
}

type KeysProps = { canAct: boolean; canStop: boolean; onClose: () => void }

export function KeysDialog({ onClose, ...may }: KeysProps) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-2xl max-w-full p-5"
      corner={
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="mt-3 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
        {Object.entries(KEYS).map(([heading, keys]) => {
          const usable = keys.filter((key) => key.for === undefined || may[key.for])
          if (usable.length === 0) return null
          return (
            <section key={heading}>
              <h3 className="font-semibold text-ink">{heading}</h3>
              <dl className="mt-1.5 grid gap-1.5">
                {usable.map(({ keys: names, does }) => (
                  <div key={does} className="flex items-center justify-between gap-4">
                    <dt>{does}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {names.map((name) => (
                        <kbd
                          key={name}
                          className="rounded border border-edge bg-mist px-1.5 font-sans text-xs text-ink"
                        >
                          {name}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}

/** The acts on one lead by key. Each is undefined if the viewer may not do it. */
export type LeadKeys = Record<'r' | 'e' | 'm' | 's' | '#', ((id: number) => void) | undefined>

/** The id of the bar with the actions for the selection. */
export const BULK_BAR_ID = 'chosen-leads'

type Options = {
  opening: OpenLead
  /** Undefined if the viewer may not act. */
  selection: Selection | undefined
  acts: LeadKeys
  onPage: (step: 1 | -1) => void
  /** Opens the form for a new lead; undefined if the viewer may not enter one. */
  onNew: (() => void) | undefined
  onUndo: () => void
  onHelp: () => void
}

/**
 * Makes the list usable by keyboard. Keys act on the focused row, or on the row that was focused last. While leads are
 * selected, their bar takes the keys of acts.
 */
export function useRowKeys({ opening, selection, acts, onPage, onNew, onUndo, onHelp }: Options): void {
  const lastId = useRef<string>(undefined)
  const hasSelection = selection !== undefined && (selection.isAll || selection.ids.size > 0)

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
  const onRow = (act: ((id: number) => void) | undefined) =>
    act &&
    ((event: KeyboardEvent) => {
      const current = currentOf(event)
      if (current) act(Number(current.dataset.lead))
    })
  /** Outside the list, these keys scroll the page and press buttons. */
  const inList = (step: number) => (event: KeyboardEvent) =>
    focused(event) || event.target === document.body ? move(step)(event) : false

  useKeys({
    j: move(1),
    k: move(-1),
    arrowdown: inList(1),
    arrowup: inList(-1),
    ...(selection && {
      'shift+j': move(1, selection),
      'shift+k': move(-1, selection),
      x: onRow(selection.toggle),
      '*': selection.togglePage,
      b: () => document.querySelector<HTMLElement>(`#${BULK_BAR_ID} button`)?.focus(),
      u: onUndo,
    }),
    ...(!hasSelection && Object.fromEntries(Object.entries(acts).map(([key, act]) => [key, onRow(act)]))),
    o: onRow(opening.open),
    enter: (event) => (focused(event) === event.target ? onRow(opening.open)?.(event) : false),
    escape: () => {
      if (opening.openId !== undefined) opening.close()
      else if (hasSelection) selection.clear()
      else return false
    },
    '[': () => onPage(-1),
    ']': () => onPage(1),
    c: onNew,
    '/': () => document.getElementById(SEARCH_ID)?.focus(),
    '?': onHelp,
  })
}
