import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react'
import type { Colleague } from '../../../core/contract/lead-work.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  colleagues: Colleague[]
  maxLength: number
  /** Called on Ctrl+Enter and ⌘+Enter. */
  onSubmit: () => void
  ref?: Ref<HTMLTextAreaElement>
}

const MAX_SHOWN = 6

/**
 * Renders a text field that offers the names of colleagues after an `@`. Arrow keys choose one, Enter or Tab takes it, and
 * Escape closes the list.
 */
export function MentionField({ label, value, onChange, colleagues, maxLength, onSubmit, ref }: Props) {
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [marked, setMarked] = useState(0)
  const [closedAt, setClosedAt] = useState<number>()
  const typed = typedMention(value.slice(0, caret))
  const choices = typed && typed.start !== closedAt ? matching(colleagues, typed.name) : []
  const chosen = choices[Math.min(marked, choices.length - 1)]

  function take(colleague: Colleague) {
    if (!typed) return
    const before = `${value.slice(0, typed.start)}@${colleague.name} `
    onChange(before + value.slice(caret).replace(/^ /, ''))
    setCaret(before.length)
    setMarked(0)
    // React moves the caret to the end when it sets the value.
    requestAnimationFrame(() => own.current?.setSelectionRange(before.length, before.length))
    own.current?.focus()
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
      return
    }
    if (!chosen || !typed) return
    const act = listKeys(event.key, chosen, typed.start)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  function listKeys(key: string, choice: Colleague, start: number): (() => void) | undefined {
    if (key === 'ArrowDown') return () => setMarked((marked + 1) % choices.length)
    if (key === 'ArrowUp') return () => setMarked((marked + choices.length - 1) % choices.length)
    if (key === 'Enter' || key === 'Tab') return () => take(choice)
    return key === 'Escape' ? () => setClosedAt(start) : undefined
  }

  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        id={id}
        ref={(element) => {
          own.current = element
          if (typeof ref === 'function') return ref(element)
          if (ref) ref.current = element
        }}
        rows={3}
        value={value}
        maxLength={maxLength}
        placeholder="Write a note. Type @ to tell a colleague."
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={chosen ? `${id}-list` : undefined}
        aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
        onChange={({ target }) => {
          onChange(target.value)
          setCaret(target.selectionStart)
          setMarked(0)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={press}
        className="block w-full rounded-lg border border-edge bg-background px-2.5 py-2 text-sm text-ink placeholder:text-quiet hover:border-secondary"
      />
      <p role="status" className="sr-only">
        {chosen && `${choices.length} ${choices.length === 1 ? 'colleague' : 'colleagues'} to mention`}
      </p>
      {chosen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Colleagues"
          className="absolute inset-x-0 top-full z-10 mt-1 rounded-lg border border-line bg-background p-1 shadow-lg"
        >
          {choices.map((colleague) => (
            <div
              key={colleague.id}
              id={`${id}-${colleague.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={colleague === chosen}
              // The field keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                take(colleague)
              }}
              className="flex min-h-11 cursor-pointer items-center rounded-lg px-2.5 text-sm text-ink aria-selected:bg-lilac lg:min-h-8"
            >
              {colleague.name}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Returns the name that is being typed after an `@`, and where the `@` stands; undefined without one. */
function typedMention(before: string): { name: string; start: number } | undefined {
  const [, name] = /(?:^|\s)@([^\s@][^@\n]{0,40}|)$/.exec(before) ?? []
  return name === undefined ? undefined : { name, start: before.length - name.length - 1 }
}

/** Returns the colleagues of whose name a word, or all of it, begins with the typed text. */
function matching(colleagues: Colleague[], typed: string): Colleague[] {
  const wanted = typed.toLowerCase()
  const fits = ({ name }: Colleague) => {
    const lower = name.toLowerCase()
    return (
      lower !== wanted.trim() &&
      (lower.startsWith(wanted) || lower.split(/\s+/).some((word) => word.startsWith(wanted)))
    )
  }
  return colleagues.filter(fits).slice(0, MAX_SHOWN)
}

/** Returns the ids of the colleagues whom a note mentions as `@Name`. Of two names that begin alike, the longer one counts. */
export function mentionsIn(body: string, colleagues: Colleague[]): number[] {
  let rest = body.toLowerCase()
  const longestFirst = colleagues.toSorted((a, b) => b.name.length - a.name.length)
  return longestFirst.flatMap(({ id, name }) => {
    const pieces = rest.split(`@${name.toLowerCase()}`)
    rest = pieces.join(' ')
    return pieces.length > 1 ? id : []
  })
}
