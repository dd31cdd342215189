import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SEARCH_ID } from './lead-search.tsx'
import type { OpenLead } from './use-open-lead.ts'

/** `for`: the viewers that may use it, those who may act or those who may record outcomes. Default: all. */
type Key = { keys: string[]; does: string; for?: 'canAct' | 'canStop' }

const KEYS: Key[] = [
  { keys: ['j', '↓'], does: 'Next lead' },
  { keys: ['k', '↑'], does: 'Previous lead' },
  { keys: ['Enter', 'o'], does: 'Open the lead' },
  { keys: ['Esc'], does: 'Close the lead' },
  { keys: ['r'], does: 'Record an outcome', for: 'canStop' },
  { keys: ['a'], does: 'Assign the open lead to me', for: 'canStop' },
  { keys: ['n'], does: 'Write a note on the open lead', for: 'canStop' },
  { keys: ['x'], does: 'Select the lead', for: 'canAct' },
  { keys: ['u'], does: 'Undo the deletion', for: 'canAct' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'Show these keys' },
]

type KeysProps = { canAct: boolean; canStop: boolean; onClose: () => void }

export function KeysDialog({ onClose, ...may }: KeysProps) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-sm max-w-full p-6"
      corner={
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="mt-4 grid gap-2.5">
        {KEYS.filter((key) => key.for === undefined || may[key.for]).map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-edge bg-mist px-2 font-sans text-sm text-ink">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

type Options = {
  opening: OpenLead
  /** Selects a lead; undefined if the viewer may not act. */
  onToggle: ((id: number) => void) | undefined
  /** Opens the form for an outcome of a lead; undefined if the viewer may not record one. */
  onRecord: ((id: number) => void) | undefined
  onUndo: () => void
  onHelp: () => void
}

/** Makes the list usable by keyboard. Keys act on the focused row, or on the row that was focused last. */
export function useRowKeys(options: Options): void {
  const latest = useRef(options)
  const lastId = useRef<string>(undefined)
  latest.current = options

  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { opening, onToggle, onRecord, onUndo, onHelp } = latest.current
      const target = event.target as HTMLElement
      if (isElsewhere(event, target)) return

      const rows = [...document.querySelectorAll<HTMLElement>('tr[data-lead]')]
      const focused = target.closest<HTMLElement>('tr[data-lead]')
      const current = focused ?? rows.find((row) => row.dataset.lead === String(opening.openId ?? lastId.current))

      const move = (step: number) => {
        const row = current ? rows[rows.indexOf(current) + step] : rows[0]
        if (!row) return
        lastId.current = row.dataset.lead
        row.focus()
        if (opening.openId !== undefined) opening.open(Number(row.dataset.lead))
      }
      const onRow = (act: (id: number) => void) => current && act(Number(current.dataset.lead))

      const keys: Record<string, () => unknown> = {
        j: () => move(1),
        k: () => move(-1),
        o: () => onRow(opening.open),
        x: () => onToggle && onRow(onToggle),
        r: () => onRecord && onRow(onRecord),
        u: onUndo,
        '/': () => document.getElementById(SEARCH_ID)?.focus(),
        '?': onHelp,
        escape: () => opening.openId !== undefined && opening.close(),
        // Outside the list, these keys scroll the page and press buttons.
        ...((focused || target === document.body) && { arrowdown: () => move(1), arrowup: () => move(-1) }),
        ...(focused === target && { enter: () => onRow(opening.open) }),
      }
      const act = keys[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }

    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Tells whether a key is meant for a text field, a dialog or the browser. */
export function isElsewhere(
  { ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent,
  target: HTMLElement,
): boolean {
  const isCommand = ctrlKey || metaKey || altKey || defaultPrevented
  return isCommand || target.matches(TYPING) || document.querySelector('[role=dialog]') !== null
}
