import { useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { type Action, useAction } from './use-action.ts'

type Words<Value extends string> = readonly (readonly [value: Value, label: string])[]

type Props<Value extends string, Result> = Omit<Action<Value, Result>, 'key'> & {
  label: string
  words: Words<Value>
  value: Value
}

/** Its choice counts once it is saved: acting on the change event would act on an arrow key (WCAG 2.2, 3.2.2). */
export function SavedSelect<Value extends string, Result>({ label, words, value, ...action }: Props<Value, Result>) {
  const { mutate, isPending: busy } = useAction(action)
  const [chosen, setChosen] = useState<Value>()
  const [known, setKnown] = useState(value)
  // The value was saved, or changed by another person.
  if (known !== value) {
    setKnown(value)
    setChosen(undefined)
  }
  const isChanged = chosen !== undefined && chosen !== value
  const list = useRef<HTMLSelectElement>(null)

  // The buttons go, and the list keeps the focus.
  function save() {
    list.current?.focus()
    if (isChanged) mutate(chosen)
  }
  function cancel() {
    list.current?.focus()
    setChosen(undefined)
  }

  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-center gap-2">
      <select
        ref={list}
        aria-label={label}
        aria-busy={busy || undefined}
        value={chosen ?? value}
        onChange={({ target }) => {
          if (!busy) setChosen(words.find(([each]) => each === target.value)?.[0])
        }}
        className="min-h-9 max-w-full min-w-0 rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary aria-busy:opacity-60 max-lg:min-h-11"
      >
        <Options words={words} />
      </select>
      {isChanged && (
        <>
          <Button variant="outline" size="small" busy={busy} aria-label={`Save: ${label}`} onClick={save}>
            Save
          </Button>
          <Button variant="ghost" size="small" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  )
}

const Options = ({ words }: { words: Words<string> }) =>
  words.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

type FieldProps<Value extends string> = {
  label: string
  words: Words<Value>
  value: Value
  onChoose: (value: Value) => void
}

export function SelectField<Value extends string>({ label, words, value, onChoose }: FieldProps<Value>) {
  const id = useId()
  return (
    <div className="min-w-0 max-sm:flex-1 max-sm:basis-32">
      <label htmlFor={id} className="block text-sm text-quiet">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(target.value as Value)}
        className="mt-1 min-h-11 w-full max-w-full rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary sm:w-52 lg:min-h-9"
      >
        <Options words={words} />
      </select>
    </div>
  )
}
