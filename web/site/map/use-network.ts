import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { searchOfMap } from '../../../core/contract/page.ts'
import type { Place } from '../../../core/contract/places.ts'
import { type FoundPlace, searchPlaces } from '../../../core/contract/places.ts'
import { call } from '../../lib/call.ts'
import { usePageData } from '../../lib/page-data.ts'
import { parseId } from '../../lib/texts.ts'
import { usePoints, type View } from '../../shared/map/points.ts'
import { keepInput, keptInput } from '../kept-input.ts'
import { fulfills, type Origin, resultsOf, type Scope, scopeOf } from './results.ts'

/** The radius within which the server matches, unless the page has another. In miles. */
const USUAL_REACH = 100

const placeKey = (text: string) => ['place', text]

export type Network = ReturnType<typeof useNetwork>

/**
 * Returns what the page of the map shows, and the functions that change it. The address has the search, the filters and
 * the selected provider, so that it can be shared and comes from the server with its list. One function, because nearly every
 * value here depends on the others.
 */
export function useNetwork() {
  const { mapList: rendered, matchRadiusMiles: reach = USUAL_REACH } = usePageData()
  const client = useQueryClient()
  const { text, wishes, selectedId, isOfServer, change, select, deselect } = useAddress()
  const list = usePoints()
  const [ownPlace, setOwnPlace] = useState<Place>()
  /** The part of the map that the visitor has moved to since the last search. */
  const [seen, setSeen] = useState<View['bounds']>()
  const [pointedId, setPointed] = useState<number>()

  const search = useQuery({
    queryKey: placeKey(text ?? ''),
    queryFn: async () => (await call(searchPlaces, { query: { q: text ?? '' } }))[0] ?? null,
    enabled: text !== undefined,
    initialData: rendered?.search && rendered.search.text === text ? rendered.search.place : undefined,
  })
  const place = text === undefined ? undefined : search.data
  useCarriedZip(place, text === undefined && selectedId === undefined ? change : undefined)
  const origin = useMemo(() => originOf(place, ownPlace), [place, ownPlace])
  /** Without a search, the list begins at the provider that the address named first. */
  const [firstId, setFirstId] = useState(selectedId)
  const first = useMemo(() => {
    const found = (list.points.length > 0 ? list.points : (rendered?.points ?? [])).find(({ id }) => id === firstId)
    return found && { latitude: found.latitude, longitude: found.longitude }
  }, [list.points, rendered, firstId])

  const scope = useMemo<Scope>(() => {
    if (seen) return { view: seen, from: origin }
    return ownPlace && origin ? { origin } : scopeOf(place, first)
  }, [seen, origin, ownPlace, place, first])

  // The map has priority; the list follows a moment later.
  const shown = useDeferredValue(useMemo(() => ({ scope, wishes }), [scope, wishes]))
  const points = useDeferredValue(list.points)
  /** What the server has listed, as long as the address asks for it. */
  const ofServer = isOfServer && points.length === 0 ? rendered : undefined
  const results = useMemo(() => {
    const found = resultsOf(ofServer?.points ?? points, shown.scope, shown.wishes, reach)
    return { ...found, ...(ofServer && { counts: ofServer.counts, states: ofServer.states }) }
  }, [points, ofServer, shown, reach])

  const pins = useMemo(() => list.points.filter((at) => !at.isOfZip && fulfills(at, wishes)), [list.points, wishes])

  return {
    ...list,
    /** Nothing is known yet that could be listed. */
    isPending: list.points.length === 0 && (list.isPending || search.isFetching) && !ofServer,
    pins,
    known: rendered?.listed,
    results,
    scope: shown.scope,
    origin,
    ownPlace,
    place: place ?? undefined,
    text,
    unknown: text !== undefined && search.data === null ? text : undefined,
    hasSearchFailed: search.isError,
    wishes,
    reach,
    selectedId,
    pointedId,
    setPointed,
    hasMoved: seen !== undefined,
    setSeen,
    show(found: FoundPlace) {
      setOwnPlace(undefined)
      setSeen(undefined)
      if (found.providerId) {
        setFirstId(found.providerId)
        return change({ ...NO_SEARCH, provider: String(found.providerId) })
      }
      const [name, key] = found.kind === 'zip' && found.zip ? ['zip', found.zip] : ['place', found.name]
      client.setQueryData(placeKey(key), found)
      change({ ...NO_SEARCH, [name]: key })
    },
    showOwnPlace: useCallback(
      (own: Place) => {
        setOwnPlace(own)
        setSeen(undefined)
        change(NO_SEARCH)
      },
      [change],
    ),
    setWish: (name: 'free' | 'financing', isOn: boolean) => change({ [name]: isOn ? '1' : undefined }),
    select,
    deselect,
  }
}

/**
 * Keeps a zip code that was searched for, for the lead forms. Searches for one that was typed into a form if the page opens
 * without a search. @param search undefined if the address asks for something
 */
function useCarriedZip(place: FoundPlace | null | undefined, search?: (values: { zip: string }) => void): void {
  const zip = place?.kind === 'zip' ? place.zip : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    const { zip_code } = keptInput()
    if (zip_code && /^\d{5}$/.test(zip_code)) search?.({ zip: zip_code })
  }, [])
  useEffect(() => {
    if (zip) keepInput({ zip_code: zip })
  }, [zip])
}

/** Returns what the address asks for, and a function that changes its parameters. */
function useAddress() {
  const [query, setQuery] = useSearchParams()
  const [first] = useState(() => withoutProvider(query))
  const wishes = useMemo(
    () => ({ isFree: query.get('free') === '1', hasFinancing: query.get('financing') === '1' }),
    [query],
  )
  const selectedId = parseId(query.get('provider'))

  const change = useCallback(
    (values: Record<string, string | undefined>) =>
      setQuery(
        (query) => {
          const changed = new URLSearchParams(query)
          for (const [name, value] of Object.entries(values)) {
            if (value === undefined) changed.delete(name)
            else changed.set(name, value)
          }
          return changed
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery],
  )
  // A selection is in the address at once, and in `selectedId` with the next rendering.
  const selected = useRef(selectedId)
  useEffect(() => {
    selected.current = selectedId
  }, [selectedId])
  const select = useCallback(
    (id: number | undefined) => {
      selected.current = id
      change({ provider: id?.toString() })
    },
    [change],
  )
  return {
    ...{ text: searchOfMap(query), wishes, selectedId, isOfServer: withoutProvider(query) === first, change, select },
    /** Ends the selection of a provider, unless another one was selected meanwhile. */
    deselect: useCallback((id: number) => selected.current === id && select(undefined), [select]),
  }
}

const NO_SEARCH = { q: undefined, zip: undefined, place: undefined, provider: undefined }

function withoutProvider(query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  rest.delete('provider')
  return String(rest)
}

function originOf(place: FoundPlace | null | undefined, own: Place | undefined): Origin | undefined {
  if (own) return { ...own, name: 'you', zip: null }
  return place && !place.bounds ? place : undefined
}
