import * as Radix from '@radix-ui/react-tabs'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'

export type Tab = { id: string; label: ReactNode; panel: ReactNode; className?: string }

type Props = {
  label: string
  tabs: Tab[]
  /** The id of the tab that is shown; the first tab where none has that id. */
  chosen: string | null
  onChoose: (id: string) => void
  listClassName?: string
}

export function Tabs({ label, tabs, chosen, onChoose, listClassName = '' }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0]
  const currentId = current?.id

  // On a phone the chosen tab may be outside the visible part of the list.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!currentId || !list.current || !tab) return
    const { offsetLeft, offsetWidth } = tab
    list.current.scrollLeft = offsetLeft - (list.current.clientWidth - offsetWidth) / 2
  }, [currentId])

  // Radix tells of a press twice: as a press and because of the focus.
  const asked = useRef(currentId)
  asked.current = currentId
  function choose(id: string) {
    if (asked.current !== id) onChoose(id)
    asked.current = id
  }

  if (!current) return null
  return (
    <Radix.Root value={current.id} onValueChange={choose}>
      <Radix.List
        ref={list}
        aria-label={label}
        className={`relative flex gap-6 overflow-x-auto border-b border-line print:hidden staff:gap-4 ${listClassName}`}
      >
        {tabs.map(({ id, label, className = '' }) => (
          <Radix.Trigger
            key={id}
            value={id}
            // Radix focuses by script, which browsers take for the keyboard. Only keys show a ring.
            onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pointed', '')}
            onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pointed')}
            onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pointed')}
            className={`data-pointed:outline-none min-h-11 border-b-3 border-transparent px-1 staff:border-b-2 staff:text-sm staff:lg:min-h-9 font-semibold whitespace-nowrap text-quiet -outline-offset-3 hover:text-ink aria-selected:border-secondary aria-selected:text-ink ${className}`}
          >
            {label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {/* Each panel has something to focus, so that the panel itself is no tab stop. */}
      <Radix.Content key={current.id} value={current.id} tabIndex={undefined} className="pt-5 staff:pt-3">
        {current.panel}
      </Radix.Content>
    </Radix.Root>
  )
}

type ChoiceProps<Id> = {
  legend: string
  options: readonly (readonly [id: Id, label: string])[]
  chosen: Id
  size?: ComponentProps<typeof Button>['size']
  onChoose: (id: Id) => void
}

export function ChoiceButtons<Id extends string | number | null>({
  legend,
  options,
  chosen,
  size = 'small',
  onChoose,
}: ChoiceProps<Id>) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{legend}</legend>
      {options.map(([id, label]) => (
        <Button
          key={id}
          variant={id === chosen ? 'primary' : 'outline'}
          size={size}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}
