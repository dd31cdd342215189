import { type ReactNode, useId } from 'react'
import { AuditAction, AuditEntity } from '../../../core/contract/audit-log.ts'
import { Button } from '../../ui/button.tsx'
import type { Filter } from './use-activity-page.ts'
import { actionLabel, ENTITIES } from './words.ts'

export type Somebody = { actor: string; name: string }

type Props = {
  filter: Filter
  people: Somebody[]
  onChoose: (change: Filter) => void
  onClear: () => void
}

export function ActivityFilters({ filter, people, onChoose, onClear }: Props) {
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Choice label="Who" value={filter.actor} onChoose={(actor) => onChoose({ actor })}>
        <option value="">Everybody</option>
        {people.map(({ actor, name }) => (
          <option key={actor} value={actor}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Subject" value={filter.entity} onChoose={(entity) => onChoose({ entity, entityId: '' })}>
        <option value="">Everything</option>
        {AuditEntity.options.map((entity) => (
          <option key={entity} value={entity}>
            {ENTITIES[entity]}
          </option>
        ))}
      </Choice>
      <Choice label="Action" value={filter.action} onChoose={(action) => onChoose({ action })}>
        <option value="">Anything</option>
        {AuditAction.options.map((action) => (
          <option key={action} value={action}>
            {actionLabel(action)}
          </option>
        ))}
      </Choice>
      {filter.entityId && <p className="py-2 text-sm text-ink">Only #{filter.entityId}</p>}
      {isFiltered && (
        <Button variant="ghost" size="small" className="min-h-10" onClick={onClear}>
          Show all activity
        </Button>
      )}
    </div>
  )
}

type ChoiceProps = { label: string; value?: string; onChoose: (value: string) => void; children: ReactNode }

export function Choice({ label, value = '', onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="min-w-0 max-sm:flex-1 max-sm:basis-32">
      <label htmlFor={id} className="block text-sm text-quiet">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="mt-1 min-h-11 w-full max-w-full lg:min-h-9 rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary sm:w-52"
      >
        {children}
      </select>
    </div>
  )
}
