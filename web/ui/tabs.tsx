import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

export type Tab = { id: string; label: string; panel: ReactNode }

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

type Props = {
  label: string
  tabs: Tab[]
  /** The id of the one that is shown; the first where there is none of that id. */
  chosen: string | null
  onChoose: (id: string) => void
}

/** Tabs as the ARIA Authoring Practices describe them: one tab stop, arrow keys move between tabs. */
export function Tabs({ label, tabs, chosen, onChoose }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0]
  const currentId = current?.id

  // On a phone the chosen one may be outside of what is seen of the list.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!currentId || !list.current || !tab) return
    const { offsetLeft, offsetWidth } = tab
    list.current.scrollLeft = offsetLeft - (list.current.clientWidth - offsetWidth) / 2
  }, [currentId])

  if (!current) return null

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step || !current) return
    const next = (tabs.indexOf(current) + step + tabs.length) % tabs.length
    onChoose(tabs[next]?.id ?? current.id)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="relative flex gap-6 overflow-x-auto border-b border-line print:hidden"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.id}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === current}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChoose(tab.id)}
            className="min-h-11 border-b-3 border-transparent px-1 font-semibold whitespace-nowrap text-quiet -outline-offset-3 hover:text-ink aria-selected:border-secondary aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${current.id}`} className="pt-5">
        {current.panel}
      </div>
    </>
  )
}
