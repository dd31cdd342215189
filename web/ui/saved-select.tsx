import { type Ref, useState } from 'react'
import { Button } from './button.tsx'

type Props<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string }[]
  /** The stored value. */
  value: Value
  /** While it is being saved. */
  busy: boolean
  ref?: Ref<HTMLSelectElement>
  onSave: (value: Value) => void
}

/**
 * A list whose choice counts once it is saved. A list that acts on its change event would act on a single arrow key
 * (WCAG 2.2, 3.2.2).
 */
export function SavedSelect<Value extends string>({ label, options, value, busy, ref, onSave }: Props<Value>) {
  const [chosen, setChosen] = useState<Value>()
  const [known, setKnown] = useState(value)
  // The value was saved, or changed by another person.
  if (known !== value) {
    setKnown(value)
    setChosen(undefined)
  }
  const isChanged = chosen !== undefined && chosen !== value

  return (
    <div className="flex flex-wrap items-center gap-2">
      <select
        ref={ref}
        aria-label={label}
        value={chosen ?? value}
        onChange={({ target }) => setChosen(options.find((option) => option.value === target.value)?.value)}
        disabled={busy}
        className="min-h-9 max-w-full rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary disabled:opacity-60"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {isChanged && (
        <>
          <Button
            variant="outline"
            size="small"
            busy={busy}
            aria-label={`Save: ${label}`}
            onClick={() => onSave(chosen)}
          >
            Save
          </Button>
          <Button variant="ghost" size="small" disabled={busy} onClick={() => setChosen(undefined)}>
            Cancel
          </Button>
        </>
      )}
    </div>
  )
}
