import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useCombobox } from 'downshift'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type FoundPlace, MAX_PLACE_TEXT, searchPlaces } from '../../../core/contract/places.ts'
import { call } from '../../lib/call.ts'
import { useSettled } from '../../lib/hooks.ts'
import { countOf } from '../../lib/numbers.ts'
import { queryClient } from '../../lib/query-provider.tsx'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/text-field.tsx'

/** Shorter texts mean too much to be of help. */
const MIN_TEXT = 2

const KINDS = { zip: 'Zip code', city: 'City', state: 'State', clinic: 'Clinic' } as const

type Props = {
  /** The text of the search in the address, or its place. */
  initial: string
  /** The error of the search in the address. */
  fault?: string
  onFound(place: FoundPlace): void
  /** More buttons beside the field. */
  buttons?: ReactNode
  /** The filters of the form. */
  filters?: ReactNode
}

/** Shows the search for a zip code, a city, a state or a clinic, with suggestions. It is a plain form without JavaScript. */
export function PlaceSearch({ initial, fault, onFound, buttons, filters }: Props) {
  const id = useId()
  const plainForm = usePlainForm()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initial)
  /** The error of the text that was sent; without one, that of the address is shown. */
  const [problem, setProblem] = useState<string>()
  const search = useMutation({ mutationFn: findPlaces }, queryClient)

  // Typed before the page was hydrated.
  useEffect(() => {
    if (field.current) setText(field.current.value)
  }, [])
  useEffect(() => {
    if (initial) setText(initial)
  }, [initial])

  function choose(place: FoundPlace) {
    setProblem(undefined)
    search.reset()
    setText(place.name)
    onFound(place)
  }

  const wanted = useSettled(text.trim())
  const [isOpen, setOpen] = useState(false)
  const suggested = useQuery(
    {
      queryKey: ['places', wanted],
      queryFn: () => findPlaces(wanted),
      enabled: isOpen && wanted.length >= MIN_TEXT,
      placeholderData: keepPreviousData,
    },
    queryClient,
  )
  const items = text.trim().length >= MIN_TEXT ? (suggested.data ?? []) : []
  const { getInputProps, getLabelProps, getMenuProps, getItemProps, highlightedIndex } = useCombobox({
    id,
    items,
    isOpen,
    inputValue: text,
    selectedItem: null,
    itemToString: (place) => place?.name ?? '',
    onIsOpenChange: (change) => setOpen(change.isOpen),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && choose(selectedItem),
    // A place under the pointer is not chosen because the visitor goes on to another field.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur
        ? { ...changes, selectedItem: null, inputValue: state.inputValue }
        : changes,
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setOpen(false)
    // A search that was sent before hydration is sent again right after it, when the state does not know the text yet.
    const asked = (field.current?.value ?? text).trim()
    const fault = faultOf(asked)
    setProblem(fault)
    search.reset()
    if (fault) return field.current?.focus()
    search.mutate(asked, {
      onSuccess([first]) {
        if (first) return choose(first)
        setProblem(unknownText(asked))
        field.current?.focus()
      },
    })
  }

  const shown =
    problem ?? (search.isError ? 'The search failed. Please try again.' : search.isSuccess ? undefined : fault)
  const isShown = isOpen && items.length > 0
  const inputProps = getInputProps({
    ref: field,
    // Downshift's own event comes too late for React, which would move the cursor to the end.
    onChange: ({ currentTarget }) => setText(currentTarget.value),
    // Without a chosen suggestion, Enter sends the form.
    onKeyDown({ key, nativeEvent }) {
      if (key === 'Enter' && highlightedIndex < 0) Object.assign(nativeEvent, { preventDownshiftDefault: true })
    },
    'aria-expanded': isShown,
  })
  return (
    <form
      {...plainForm}
      action={paths.map}
      method="get"
      aria-label="Search"
      onSubmit={submit}
      className="flex flex-wrap items-start justify-between gap-x-8"
    >
      <div className="w-full max-w-lg">
        <label {...getLabelProps()} htmlFor={inputProps.id} className="block text-sm font-semibold text-ink">
          Zip code or city
        </label>
        <div className="relative mt-1 flex gap-2">
          <input
            {...inputProps}
            name="q"
            maxLength={MAX_PLACE_TEXT}
            autoComplete="off"
            enterKeyHint="search"
            placeholder="78704 or Austin, TX"
            aria-invalid={shown ? true : undefined}
            aria-describedby={shown ? `${id}-error` : undefined}
            className="min-h-11 w-full min-w-0 rounded-lg border border-edge bg-white px-3 text-base text-ink placeholder:text-quiet hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft"
          />
          <Button type="submit" busy={search.isPending}>
            Search
          </Button>
          {buttons}
          <ul
            {...getMenuProps({ 'aria-label': 'Suggestions', 'aria-labelledby': undefined })}
            className={`absolute inset-x-0 top-full z-30 mt-1 overflow-hidden rounded-xl border border-line bg-white shadow-lg ${isShown ? '' : 'hidden'}`}
          >
            {isShown &&
              items.map((place, index) => (
                <li
                  key={`${place.kind} ${place.name}`}
                  {...getItemProps({ item: place, index })}
                  className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 px-3 ${index === highlightedIndex ? 'bg-lilac text-primary outline-2 -outline-offset-2 outline-secondary last:rounded-b-xl first:rounded-t-xl' : 'text-ink'}`}
                >
                  {place.name}
                  <span className="shrink-0 text-sm text-quiet">{KINDS[place.kind]}</span>
                </li>
              ))}
          </ul>
        </div>
        <p role="status" className="sr-only">
          {search.isPending ? 'Searching...' : isShown && `${countOf(items.length, 'suggestion')}, use the arrow keys`}
        </p>
        <FieldError id={`${id}-error`} error={shown} />
      </div>
      {filters}
    </form>
  )
}

function findPlaces(q: string): Promise<FoundPlace[]> {
  return call(searchPlaces, { query: { q } })
}

function faultOf(text: string): string | undefined {
  if (text === '') return 'Enter a zip code or a city'
  return /^\d{1,4}$/.test(text) ? 'Please enter a valid 5-digit zip code' : undefined
}

export function unknownText(text: string): string {
  return `We do not know a place called “${text}”.`
}
