import { useState } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { parseId } from '../../lib/ids.ts'

/** A page has up to 40 of these lists; beyond this length one is only filled when somebody turns to it. */
const SHORT_LIST = 200

type Props = {
  label: string
  /** What stands for nobody. */
  first: string
  group: string
  /** Undefined until they are loaded. */
  providers: PublicProvider[] | undefined
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
  disabled?: boolean
  className?: string
}

export function ProviderSelect({ label, first, group, providers = [], chosen, onChoose, disabled, className }: Props) {
  const [isWanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  const isFilled = isWanted || providers.length <= SHORT_LIST
  const known = providers.find(({ id }) => id === chosen)

  return (
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ target }) => onChoose(parseId(target.value))}
      onFocus={want}
      onPointerEnter={want}
      disabled={disabled || providers.length === 0}
      className={`min-h-9 w-full rounded-lg border border-edge bg-white px-2 text-sm text-ink hover:border-secondary disabled:opacity-60 ${className}`}
    >
      <option value="">{first}</option>
      {chosen !== undefined && !(known && isFilled) && (
        <option value={chosen}>{known ? `${known.name} - ${known.zipCode}` : `Provider #${chosen}`}</option>
      )}
      <optgroup label={group}>
        {isFilled &&
          providers.map(({ id, name, zipCode }) => (
            <option key={id} value={id}>
              {name} - {zipCode}
            </option>
          ))}
      </optgroup>
    </select>
  )
}
