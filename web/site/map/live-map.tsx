import { useQuery } from '@tanstack/react-query'
import { type LatLng, type Map as LeafletMap, latLng, latLngBounds } from 'leaflet'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ScaleControl, useMap } from 'react-leaflet'
import { NEAR_MILES } from '../../../core/contract/page.ts'
import type { Mark } from '../../../core/contract/places.ts'
import { milesBetween, type Place } from '../../../core/contract/places.ts'
import type { Clusters } from '../../shared/map/clusters.ts'
import { MapFrame } from '../../shared/map/map-frame.tsx'
import { Marks, OwnPlace, SearchedPlace, useMarks, zoomTo } from '../../shared/map/marks.tsx'
import { COUNTRY, middleOf, useProvidersById, type View } from '../../shared/map/points.ts'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { cityOf, ProviderCard } from './provider-card.tsx'
import { milesText, type Origin } from './results.ts'
import type { Network } from './use-network.ts'

/** The zoom at the visitor's own place, and the least at a selected provider. */
const CLOSE_BY = 9
const CLOSEST = 11

export function LiveMap({ network }: { network: Network }) {
  const { pins, origin, ownPlace, pointedId, setPointed, setSeen, results } = network
  const [nearest] = results.listed
  const { map, mapRef, view, setView, clusters, marks } = useMarks(pins)
  const showView = useVisitorsMoves(map, setView, setSeen)
  const { openId, opened, closed } = useSelection(network, map, clusters)
  useSearchInView(network, map)
  useSize(map)

  const ids = useMemo(() => idsOf(marks, clusters), [marks, clusters])
  const providers = useProvidersById(ids.all, network.known)
  const nameOf = (id: number) => {
    const provider = providers.data?.get(id)
    return provider && [provider.practiceName, provider.name, cityOf(provider)].filter(Boolean).join(', ')
  }
  const cityOfCluster = (mark: { id: number }) => cityOf(providers.data?.get(ids.members.get(mark.id) ?? 0))
  const pointed = pins.find(({ id }) => id === pointedId)
  const popupOf = useCallback((id: number) => <ProviderPopup id={id} origin={origin} />, [origin])

  return (
    <MapFrame label="Map of providers" mapRef={mapRef} onView={showView} className="relative isolate size-full">
      <Marks
        marks={marks}
        clusters={clusters}
        popupOf={popupOf}
        nameOf={nameOf}
        cityOf={cityOfCluster}
        openId={openId}
        pointedId={pointedId}
        pointedCluster={pointed && view && clusterWith(marks, pointed)}
        onPoint={setPointed}
        onOpen={opened}
        onClose={closed}
      />
      {ownPlace && <OwnPlace place={ownPlace} label="Your Current Location" />}
      {origin && !ownPlace && (
        // Its name is on the side that the pin of the nearest leaves free.
        <SearchedPlace
          place={origin}
          name={origin.name}
          side={nearest && nearest.latitude < origin.latitude ? 'top' : 'bottom'}
        />
      )}
      <ScaleControl position="bottomright" metric={false} />
    </MapFrame>
  )
}

/** Opens the popup of the selected provider once the map has come to its pin, and selects the one whose pin is opened. */
function useSelection({ pins, selectedId, select, deselect }: Network, map: LeafletMap | null, clusters: Clusters) {
  const [openId, setOpenId] = useState<number>()
  const openOnMap = useRef<number>(undefined)
  const point = pins.find(({ id }) => id === selectedId)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map moves for a new selection only
  useEffect(() => {
    if (!map || !point) return setOpenId(undefined)
    if (openOnMap.current === point.id) return setOpenId(point.id)
    const zoom = clusters.zoomToPin(point, Math.max(map.getZoom(), CLOSE_BY))
    const arrive = () => {
      // Another move may end before.
      if (map.getZoom() !== zoom || pixelsBetween(map, latLng(point.latitude, point.longitude)) > 2) return
      map.off('moveend', arrive)
      setOpenId(point.id)
    }
    map.on('moveend', arrive)
    moveTo(map, point, zoom)
    return () => void map.off('moveend', arrive)
  }, [map, point?.id])

  const opened = useCallback(
    (id: number) => {
      openOnMap.current = id
      select(id)
    },
    [select],
  )
  const closed = useCallback(
    (id: number) => {
      if (openOnMap.current === id) openOnMap.current = undefined
      deselect(id)
    },
    [deselect],
  )
  return { openId, opened, closed }
}

/** Moves that the page makes itself, until they have ended. */
const ownMoves = new WeakSet<LeafletMap>()

function moveTo(map: LeafletMap, place: Place, zoom: number): void {
  ownMoves.add(map)
  zoomTo(map, place, zoom)
}

/** Returns a function that notes the view. A move by the visitor makes it the part of the map that the list is about. */
function useVisitorsMoves(
  map: LeafletMap | null,
  setView: (view: View) => void,
  setSeen: (bounds: View['bounds']) => void,
): (view: View) => void {
  const last = useRef<{ center: LatLng; zoom: number }>(undefined)
  useEffect(() => {
    if (!map) return
    const note = () => void ownMoves.add(map)
    // A popup that does not fit moves the map.
    map.on('autopanstart', note)
    last.current = { center: map.getCenter(), zoom: map.getZoom() }
    return () => void map.off('autopanstart', note)
  }, [map])

  return useCallback(
    (view) => {
      setView(view)
      if (!map) return
      const [before, center] = [last.current, map.getCenter()]
      last.current = { center, zoom: view.zoom }
      // A map whose size changes tells of a move, too.
      const hasMoved = before !== undefined && (before.zoom !== view.zoom || pixelsBetween(map, before.center) > 2)
      // The map brings a mark that gets the focus into sight.
      const isForFocus = map.getPane('markerPane')?.querySelector(':focus-visible') != null
      if (!ownMoves.delete(map) && !isForFocus && hasMoved) setSeen(view.bounds)
    },
    [map, setView, setSeen],
  )
}

function pixelsBetween(map: LeafletMap, before: LatLng): number {
  return map.project(before).distanceTo(map.project(map.getCenter()))
}

/** Brings what was searched for into view: the clinics near a place, or at least the nearest one. */
function useSearchInView(network: Network, map: LeafletMap | null): void {
  const { origin, ownPlace, place, results, scope, isPending, selectedId } = network
  const goal = origin ? `${origin.latitude} ${origin.longitude}` : place?.name
  const isListed = 'origin' in scope && scope.origin === origin
  const isReady = origin === undefined || (isListed && !isPending)
  const shown = useRef<string>(undefined)

  useEffect(() => {
    if (!map || !isReady || goal === shown.current) return
    shown.current = goal
    // The map goes to the selected provider.
    if (selectedId !== undefined) return
    if (origin) {
      const { listed } = results
      const furthest = listed.findLast(({ miles }) => miles <= NEAR_MILES) ?? listed[0]
      const zoom = ownPlace ? CLOSE_BY : furthest ? zoomToSee(map, origin, furthest) : CLOSE_BY
      moveTo(map, origin, zoom)
    } else if (place?.bounds) {
      const [west, south, east, north] = place.bounds
      moveTo(map, middleOf(place.bounds), map.getBoundsZoom(latLngBounds([south, west], [north, east])))
    }
  }, [map, isReady, goal, origin, ownPlace, place, results, selectedId])
}

/** Tells the map when its element gets another size: when it is shown after the list on a phone. */
function useSize(map: LeafletMap | null): void {
  useEffect(() => {
    if (!map) return
    const observer = new ResizeObserver(() => {
      if (map.getContainer().clientWidth > 0) map.invalidateSize({ pan: false })
    })
    observer.observe(map.getContainer())
    return () => observer.disconnect()
  }, [map])
}

/** Returns the closest zoom at which both places are in view, with the first in the middle. */
function zoomToSee(map: LeafletMap, middle: Place, other: Place): number {
  const north = Math.abs(other.latitude - middle.latitude)
  const east = Math.abs(other.longitude - middle.longitude)
  const corner = (sign: number) => latLng(middle.latitude + sign * north, middle.longitude + sign * east)
  const zoom = map.getBoundsZoom(latLngBounds(corner(-1), corner(1)))
  return Math.min(CLOSEST, Math.max(COUNTRY.zoom, zoom))
}

/** The providers whose names the marks need: those with a pin, and one of each cluster. */
function idsOf(marks: Mark[], clusters: Clusters) {
  const members = new Map(
    marks.flatMap((mark) => (mark.kind === 'cluster' ? [[mark.id, clusters.memberOf(mark.id, mark)] as const] : [])),
  )
  const pins = marks.flatMap((mark) => (mark.kind === 'provider' ? [mark.id] : []))
  return { members, all: [...new Set([...pins, ...members.values()])] }
}

/** Returns the cluster with a provider: the nearest, unless the provider has a pin. */
function clusterWith(marks: Mark[], point: Place & { id: number }): number | undefined {
  if (marks.some((mark) => mark.kind === 'provider' && mark.id === point.id)) return undefined
  const clusters = marks.filter(({ kind }) => kind === 'cluster')
  const away = (mark: Mark) => milesBetween(mark, point)
  return clusters.reduce<Mark | undefined>((near, mark) => (near && away(near) <= away(mark) ? near : mark), undefined)
    ?.id
}

function ProviderPopup({ id, origin }: { id: number; origin?: Origin }) {
  const { data: provider, isPending } = useQuery(providerQuery({ id }))
  useFit(isPending)
  if (isPending) return <p className="grid min-h-50 place-content-center">Loading provider information...</p>
  if (!provider) return <p>Provider information not available.</p>

  const { latitude, longitude } = provider
  const isPlaced = latitude !== null && longitude !== null
  const miles = origin && isPlaced ? milesText(milesBetween(origin, { latitude, longitude })) : undefined
  return (
    <div className="font-sans text-sm">
      <ProviderCard
        provider={provider}
        isSmall
        // Leaves room for the button that closes the popup.
        heading={(name) => <p className="pr-5 font-semibold text-ink">{name}</p>}
        distance={miles && `${miles} from ${origin?.name}`}
      />
    </div>
  )
}

/** Lays the open popup out again, and moves the map so that all of it can be seen, when its content has changed. */
function useFit(content: unknown): void {
  const map = useMap()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size of the popup depends on its content
  useEffect(() => {
    map.eachLayer((layer) => {
      const popup = layer.getPopup()
      if (popup?.isOpen()) popup.update()
    })
  }, [map, content])
}
