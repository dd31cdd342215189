import { type RefObject, Suspense, useMemo, useRef } from 'react'
import { MAX_LISTED, NEAR_MILES } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { usePageData } from '../../lib/page-data.ts'
import { withQueries } from '../../lib/query-provider.tsx'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { CountryMap } from '../../shared/map/country-map.tsx'
import { useProvidersById } from '../../shared/map/points.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { useSeen } from '../../ui/in-view.ts'
import { PlaceSearch } from './place-search.tsx'
import { ProviderList } from './provider-list.tsx'
import { cityText, milesText } from './results.ts'
import { type Network, useNetwork } from './use-network.ts'
import { LOOKING, useIfLocationAllowed, useOwnPlace } from './use-own-place.ts'

const LiveMap = lazyPart(() => import('./live-map.tsx').then((part) => part.LiveMap))

const LIST = 'clinic-list'
const LIST_TITLE = 'in-sight'

/** The height of the map: 400 to 600 pixels. On a desktop the map and the list end with the first screen. */
const HEIGHT = 'h-100 md:h-125 lg:h-[clamp(25rem,calc(100dvh-20rem),37.5rem)]'

export const NetworkMap = withQueries(() => {
  const network = useNetwork()
  const { ask, isAsking } = useOwnPlace(network.showOwnPlace)
  const isAsked = network.text !== undefined || network.selectedId !== undefined
  useIfLocationAllowed(isAsked ? undefined : ask)
  const views = useViews()

  return (
    // The server has listed what the address asks for, and the map follows when it can.
    <div
      data-plain={useHydrated() ? undefined : ''}
      data-live={isAsked ? '' : undefined}
      data-if-located={isAsked ? undefined : ''}
      className="group/views pb-8 max-md:flex max-md:flex-col md:pb-12"
    >
      <PlaceSearch
        network={network}
        isAsking={isAsking}
        onAsk={ask}
        onFound={(place) => {
          network.show(place)
          // One without coordinates is in the list only.
          if (network.pins.some(({ id }) => id === place.providerId)) views.show('map')
        }}
      />
      {network.errors.length > 0 && (
        <div className="mb-4">
          <Alert title="Error">
            {network.errors.map((error) => (
              <p key={error}>{error}</p>
            ))}
            <Button variant="outline" size="small" onClick={network.retry} className="mt-2">
              Try again
            </Button>
          </Alert>
        </div>
      )}
      <Switch views={views} />
      <div className="grid overflow-hidden rounded-2xl border border-line bg-white md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div ref={views.map} className={`relative ${HEIGHT} max-md:group-has-[[value=list]:checked]/views:hidden`}>
          <a
            href={`#${LIST}`}
            onClick={(event) => {
              event.preventDefault()
              views.show('list')
              views.list.current?.focus()
            }}
            className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:rounded-lg focus:bg-white focus:px-4 focus:py-2 focus:font-semibold focus:text-secondary"
          >
            Skip to the list
          </a>
          <MapWhenShown network={network} element={views.map} />
        </div>
        <List network={network} views={views} />
      </div>
      <p className="mt-3 hidden text-sm text-quiet noscript:block">
        Without JavaScript the list follows your search, and the map shows the whole country.
      </p>
      <p role="status" className="sr-only">
        {isAsking ? LOOKING : announcement(network)}
      </p>
    </div>
  )
})

type Views = ReturnType<typeof useViews>

function List({ network, views }: { network: Network; views: Views }) {
  const ids = useMemo(() => network.results.listed.map(({ id }) => id), [network.results])
  const listed = useProvidersById(ids, network.known)
  return (
    <section
      id={LIST}
      ref={views.list}
      data-list
      aria-labelledby={LIST_TITLE}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
      tabIndex={0}
      className="relative border-line focus-visible:-outline-offset-3 max-md:group-has-[[value=map]:checked]/views:hidden md:max-h-125 md:overflow-y-auto md:border-l lg:max-h-[clamp(25rem,calc(100dvh-20rem),37.5rem)]"
    >
      <ListTitle network={network} />
      <ProviderList
        network={network}
        providers={listed.data ?? new Map(network.known?.map((provider) => [provider.id, provider]))}
        hasFailed={listed.isError}
        onShow={(point) => {
          views.show('map')
          network.select(point.id)
          views.map.current?.scrollIntoView({ block: 'nearest' })
        }}
      />
    </section>
  )
}

/** Returns which of list and map a phone shows. The browser keeps it in two radio buttons, so that it needs no script. */
function useViews() {
  const list = useRef<HTMLElement>(null)
  const map = useRef<HTMLDivElement>(null)
  const radios = { list: useRef<HTMLInputElement>(null), map: useRef<HTMLInputElement>(null) }
  return {
    list,
    map,
    radios,
    show(view: keyof typeof radios) {
      if (radios[view].current) radios[view].current.checked = true
    },
  }
}

function Switch({ views: { radios } }: { views: Views }) {
  return (
    <fieldset className="sticky bottom-4 z-20 order-last mx-auto mt-4 grid w-56 grid-cols-2 rounded-full border border-edge bg-white p-0.5 shadow-lg md:hidden">
      <legend className="sr-only">Show the clinics as</legend>
      {(['list', 'map'] as const).map((view) => (
        <label
          key={view}
          className="grid min-h-11 cursor-pointer place-content-center rounded-full font-semibold text-ink has-checked:bg-secondary has-checked:text-background forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-secondary"
        >
          <input
            ref={radios[view]}
            type="radio"
            name="show"
            value={view}
            data-live-if-checked={view === 'map' ? '' : undefined}
            defaultChecked={view === 'list'}
            className="sr-only"
          />
          {view === 'list' ? 'List' : 'Map'}
        </label>
      ))}
    </fieldset>
  )
}

/** Shows the map once it is in sight and the browser has time for it, and a picture of it until then. */
function MapWhenShown({ network, element }: { network: Network; element: RefObject<HTMLElement | null> }) {
  const { marks } = usePageData()
  const isHydrated = useHydrated()
  const isShown = useSeen(element)
  const picture = <CountryMap marks={marks} />
  if (!isHydrated || !isShown) return picture
  return (
    <Suspense fallback={picture}>
      <LiveMap network={network} />
    </Suspense>
  )
}

function ListTitle({ network }: { network: Network }) {
  const { isPending, scope, origin, hasMoved, setSeen, results, reach, errors } = network
  const { listed, counts, nearestMiles } = results
  const isNear = 'origin' in scope
  return (
    <div className="sticky top-0 z-1 flex flex-wrap items-baseline gap-x-3 border-b border-line bg-mist px-4 py-2 max-md:static md:block md:px-5 md:py-3">
      <h2 id={LIST_TITLE} className="font-semibold text-ink">
        {isPending ? 'Loading providers...' : titleOf(network)}
      </h2>
      {!isPending && errors.length < 2 && (
        <p className="text-sm text-quiet">
          {isNear ? nearText(counts.total, nearestMiles, reach) : clinics(counts.total)}
          {results.states.length > 0 && '. Search to see those near you, or choose a state.'}
          {counts.total > MAX_LISTED && listed.length >= MAX_LISTED && `; the ${MAX_LISTED} nearest are listed`}
          {hasMoved && origin && (
            <>
              {' · '}
              <button
                type="button"
                onClick={() => setSeen(undefined)}
                className="min-h-6 font-semibold text-secondary underline underline-offset-4"
              >
                Back to {cityText(origin.name)}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function titleOf({ scope, place }: Network): string {
  if ('all' in scope || 'middle' in scope) return 'state' in scope && place ? place.name : 'All clinics'
  return 'origin' in scope ? `Nearest to ${scope.origin.name}` : 'In this part of the map'
}

const clinics = (count: number) => countOf(count, 'clinic')

function nearText(count: number, nearest: number | undefined, reach: number): string {
  if (count > 0) return `${clinics(count)} within ${NEAR_MILES} miles`
  if (nearest === undefined) return `No clinic within ${formatCount(reach)} miles`
  // Beyond the reach, the list begins with the rest.
  return nearest > reach
    ? `${milesText(nearest)} away`
    : `No clinic within ${NEAR_MILES} miles; the nearest is ${milesText(nearest)} away`
}

/** Returns what a screen reader says after a search, a filter or a move of the map. */
function announcement({ isPending, scope, place, results, reach, points }: Network): string {
  if (isPending || points.length === 0) return ''
  const { counts, nearestMiles } = results
  if ('all' in scope) return clinics(counts.total)
  if ('middle' in scope) return 'state' in scope ? `${clinics(counts.total)} in ${place?.name}` : clinics(counts.total)
  if (!('origin' in scope)) return `${clinics(counts.total)} in this part of the map`
  const where = cityText(scope.origin.name)
  if (nearestMiles === undefined || nearestMiles > reach)
    return `No clinic within ${formatCount(reach)} miles of ${where}`
  const near = counts.total > 0 ? clinics(counts.total) : `No clinic within ${NEAR_MILES} miles`
  return `${near} ${counts.total > 0 ? `near ${where}` : `of ${where}`}; nearest ${milesText(nearestMiles)}`
}
