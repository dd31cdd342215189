import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

export type Tab = { label: string; panel: ReactNode }

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Tabs as the ARIA Authoring Practices describe them: one tab stop, arrow keys move between tabs. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step) return
    const next = (chosen + step + tabs.length) % tabs.length
    setChosen(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move} className="flex gap-6 border-b border-line">
        {tabs.map((tab, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: tabs keep their places, and their labels contain counts
            key={index}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            className="-mb-px min-h-11 border-b-3 border-transparent px-1 font-semibold text-quiet hover:text-ink aria-selected:border-secondary aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${chosen}`} className="pt-5">
        {tabs[chosen]?.panel}
      </div>
    </>
  )
}
