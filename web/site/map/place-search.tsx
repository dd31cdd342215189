import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useCombobox } from 'downshift'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type FoundPlace, MAX_PLACE_TEXT, searchPlaces } from '../../../core/contract/places.ts'
import { call } from '../../lib/call.ts'
import { useSettled } from '../../lib/hooks.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { paths } from '../../pages.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/drawing.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { FILTERS } from './results.ts'
import type { Network } from './use-network.ts'

/** Shorter texts mean too much to be of help. */
const MIN_TEXT = 2

const KINDS = { zip: 'Zip code', city: 'City', state: 'State', clinic: 'Clinic' } as const

type Props = {
  network: Network
  isAsking: boolean
  onAsk(): void
  onFound(place: FoundPlace): void
}

/** Shows the search for a zip code, a city, a state or a clinic, with suggestions. It is a plain form without JavaScript. */
export function PlaceSearch({ network, isAsking, onAsk, onFound }: Props) {
  const { id, field, combobox, items, isShown, isPending, problem, setText, submit } = useSearch(network, onFound)
  const { getInputProps, getLabelProps, getMenuProps, getItemProps, highlightedIndex } = combobox
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
      {...usePlainForm()}
      action={paths.map}
      method="get"
      aria-label="Search"
      onSubmit={submit}
      className="flex flex-wrap items-start justify-between gap-x-8"
    >
      <div className="w-full max-w-lg">
        <label
          {...getLabelProps()}
          htmlFor={inputProps.id}
          className="block text-sm font-semibold text-ink max-md:sr-only"
        >
          Zip code or city
        </label>
        <div className="relative mt-1 flex flex-wrap gap-2">
          <input
            {...inputProps}
            name="q"
            maxLength={MAX_PLACE_TEXT}
            autoComplete="off"
            enterKeyHint="search"
            placeholder="78704 or Austin, TX"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-error` : undefined}
            className="min-h-11 min-w-[9ch] flex-1 basis-0 rounded-lg border border-edge bg-white px-3 text-base text-ink placeholder:text-quiet hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft"
          />
          <Button type="submit" busy={isPending}>
            Search
          </Button>
          <OwnPlaceButton isAsking={isAsking} onAsk={onAsk} />
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
          {isPending ? 'Searching...' : isShown && `${countOf(items.length, 'suggestion')}, use the arrow keys`}
        </p>
        <FieldError id={`${id}-error`} error={problem} />
      </div>
      <Filters network={network} />
    </form>
  )
}

function OwnPlaceButton({ isAsking, onAsk }: Pick<Props, 'isAsking' | 'onAsk'>) {
  return (
    <Button
      variant="outline"
      busy={isAsking}
      onClick={onAsk}
      aria-label="Use my location"
      title="Use my location"
      className="size-11 shrink-0 px-0! noscript:hidden"
    >
      {!isAsking && (
        <Icon
          d="M12 2v4m0 12v4M2 12h4m12 0h4M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm0 4.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z"
          className="size-5"
        />
      )}
    </Button>
  )
}

function useSearch(network: Network, onFound: Props['onFound']) {
  const initial = network.place?.name ?? network.text ?? ''
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initial)
  /** The error of the text that was sent; without one, that of the address is shown. */
  const [problem, setProblem] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const search = useMutation({ mutationFn: findPlaces })

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
  const suggested = useQuery({
    queryKey: ['places', wanted],
    queryFn: () => findPlaces(wanted),
    enabled: isOpen && wanted.length >= MIN_TEXT,
    placeholderData: keepPreviousData,
  })
  const items = text.trim().length >= MIN_TEXT ? (suggested.data ?? []) : []
  const combobox = useCombobox({
    ...{ id, items, isOpen, inputValue: text, selectedItem: null },
    itemToString: (place) => place?.name ?? '',
    onIsOpenChange: (change) => setOpen(change.isOpen),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && choose(selectedItem),
    // A place under the pointer is not chosen because the visitor goes on to another field.
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputBlur
        ? { ...changes, selectedItem: null, inputValue: state.inputValue }
        : changes,
  })

  function refuse(problem: string) {
    setProblem(problem)
    field.current?.focus()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setOpen(false)
    setProblem(undefined)
    search.reset()
    // A search that was sent before hydration is sent again right after it, when the state does not know the text yet.
    const asked = (field.current?.value ?? text).trim()
    if (asked === '') return refuse('Enter a zip code or a city')
    if (/^\d{1,4}$/.test(asked)) return refuse('Please enter a valid 5-digit zip code')
    search.mutate(asked, { onSuccess: ([first]) => (first ? choose(first) : refuse(unknownText(asked))) })
  }

  const ofAddress = network.unknown !== undefined && !search.isSuccess ? unknownText(network.unknown) : undefined
  const hasFailed = search.isError || (search.isIdle && network.hasSearchFailed)
  return {
    ...{ id, field, combobox, items, submit, setText },
    isPending: search.isPending,
    isShown: isOpen && items.length > 0,
    problem: problem ?? (hasFailed ? 'The search failed. Please try again.' : ofAddress),
  }
}

function findPlaces(q: string): Promise<FoundPlace[]> {
  return call(searchPlaces, { query: { q } })
}

function unknownText(text: string): string {
  return `We couldn’t find “${text}”. Try a zip code, or a city and state.`
}

/** Shows the filters with the number of clinics that each leaves. Without JavaScript they are sent with the search. */
function Filters({ network }: { network: Network }) {
  const { wishes, setWish, results, isPending } = network
  return (
    <fieldset className="flex min-w-0 items-center gap-2 pb-2 max-lg:-mt-2 max-md:overflow-x-auto md:flex-wrap md:pb-3 lg:pt-6.5">
      <legend className="sr-only">Only clinics with</legend>
      {FILTERS.map(({ name, wish, label }) => (
        <label
          key={name}
          className={`${buttonClass({ variant: 'outline', size: 'small' })} shrink-0 cursor-pointer gap-1.5! min-h-11! has-checked:border-secondary has-checked:bg-lilac has-checked:text-primary has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-secondary`}
        >
          <input
            type="checkbox"
            name={name}
            value="1"
            checked={wishes[wish]}
            onChange={({ currentTarget }) => setWish(name, currentTarget.checked)}
            className="size-4 accent-secondary outline-none"
          />
          {label}
          {!isPending && <span className="font-normal text-quiet">({formatCount(results.counts[name])})</span>}
        </label>
      ))}
    </fieldset>
  )
}
