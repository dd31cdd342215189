import { divIcon, icon, type Map as LeafletMap, type Marker as LeafletMarker, type PointTuple } from 'leaflet'
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Marker, Popup, Tooltip, useMap } from 'react-leaflet'
import type { Mark, Place, ProviderPoint } from '../../../core/contract/places.ts'
import { formatCount } from '../../lib/numbers.ts'
import { type Clusters, createClusters } from './clusters.ts'
import { clusterSize, pinOf } from './country-map.tsx'
import { viewOf } from './map-frame.tsx'
import { INACTIVE_WORDS, type View } from './points.ts'

const pinsOf = (mark: { isInactive?: boolean }) => ({
  usual: icon({ iconUrl: pinOf(mark), iconSize: [30, 40], iconAnchor: [15, 39], popupAnchor: [0, -36] }),
  lit: icon({
    iconUrl: pinOf(mark),
    iconSize: [39, 52],
    iconAnchor: [19, 51],
    popupAnchor: [0, -48],
    className: 'map-lit',
  }),
})
const [activePins, inactivePins] = [pinsOf({}), pinsOf({ isInactive: true })]

const ownPlace = divIcon({ className: 'map-own-place', iconSize: [22, 22] })
const searchedPlace = divIcon({ className: 'map-searched-place', iconSize: [14, 14] })

/** The room that a popup keeps to the sides of the map, in pixels. */
const POPUP_MARGIN: PointTuple = [10, 10]
/** The width of a popup's content where there is room, and what its frame and its distance to the sides take, in pixels. */
const POPUP_WIDTH = 280
const POPUP_FRAME = 56
/** The height of a popup's content on the smallest map, in pixels; more is scrolled. */
const POPUP_HEIGHT = 290

/** Returns a map and its marks for these providers, the props of `MapFrame` and `Marks`. */
export function useMarks(points: ProviderPoint[]) {
  const [map, setMap] = useState<LeafletMap | null>(null)
  const [view, setView] = useState<View>()
  const clusters = useMemo(() => createClusters(points), [points])
  const mapRef = useCallback((created: LeafletMap | null) => {
    setMap(created)
    if (created) setView(viewOf(created))
  }, [])
  const marks = useMemo(() => (view ? clusters.marksIn(view) : []), [clusters, view])
  return { map, mapRef, view, setView, clusters, marks }
}

/** How a map and a list of the same providers are kept in step. */
type InStep = {
  onPoint?(id: number | undefined): void
  onOpen?(id: number): void
  onClose?(id: number): void
}

type MarksProps = InStep & {
  marks: Mark[]
  clusters: Clusters
  popupOf(id: number): ReactNode
  /** Returns the name of a provider's pin, if it is public and known. */
  nameOf?(id: number): string | undefined
  /** Returns the city around which a cluster is, if it is known. */
  cityOf?(cluster: Mark & { kind: 'cluster' }): string | undefined
  openId?: number
  /** The provider that is pointed at, on the map or in the list, and its cluster. */
  pointedId?: number
  pointedCluster?: number
}

/** Shows only the pins and clusters in view, because thousands of them would block a phone. */
export function Marks({ marks, clusters, nameOf, cityOf, openId, pointedId, pointedCluster, ...pin }: MarksProps) {
  return marks.map((mark) =>
    mark.kind === 'provider' ? (
      <ProviderPin
        key={mark.id}
        {...mark}
        {...pin}
        name={nameOf?.(mark.id) ?? 'Certified provider'}
        isOpen={mark.id === openId}
        isLit={mark.id === openId || mark.id === pointedId}
      />
    ) : (
      <ClusterMark
        key={`cluster ${mark.id}`}
        {...mark}
        clusters={clusters}
        city={cityOf?.(mark)}
        isLit={mark.id === pointedCluster}
      />
    ),
  )
}

/** Names a marker: React-Leaflet does so only once, but names load later than marks, and a new icon has none. */
function useName(marker: RefObject<LeafletMarker | null>, words: string, isLit: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new icon needs its name again
  useEffect(() => {
    for (const named of [marker.current?.options, marker.current?.getElement()]) {
      if (named) Object.assign(named, { alt: words, title: words })
    }
  }, [marker, words, isLit])
}

type PinProps = Place &
  InStep & {
    id: number
    isInactive?: boolean
    name: string
    isOpen: boolean
    isLit: boolean
    popupOf(id: number): ReactNode
  }

const ProviderPin = memo(function ProviderPin({ id, isInactive, name, latitude, longitude, ...pin }: PinProps) {
  const { popupOf, isOpen, isLit, onPoint, onOpen, onClose } = pin
  const marker = useRef<LeafletMarker>(null)
  const words = isInactive ? `${name}, ${INACTIVE_WORDS.toLowerCase()}` : name
  const width = Math.max(200, Math.min(POPUP_WIDTH, useMap().getSize().x - POPUP_FRAME))
  useName(marker, words, isLit)

  useEffect(() => {
    if (isOpen && !marker.current?.isPopupOpen()) marker.current?.openPopup()
  }, [isOpen])

  const handlers = useMemo(
    () => ({
      popupopen: () => onOpen?.(id),
      popupclose: () => onClose?.(id),
      mouseover: () => onPoint?.(id),
      mouseout: () => onPoint?.(undefined),
    }),
    [id, onOpen, onClose, onPoint],
  )
  useEffect(() => {
    const element = marker.current?.getElement()
    if (!element || !onPoint) return
    const listeners = new AbortController()
    const { signal } = listeners
    element.addEventListener('focus', () => onPoint(id), { signal })
    element.addEventListener('blur', () => onPoint(undefined), { signal })
    return () => listeners.abort()
  }, [id, onPoint])

  return (
    <Marker
      ref={marker}
      position={[latitude, longitude]}
      icon={(isInactive ? inactivePins : activePins)[isLit ? 'lit' : 'usual']}
      zIndexOffset={isLit ? 900 : 0}
      alt={words}
      title={words}
      eventHandlers={handlers}
    >
      <Popup minWidth={width} maxWidth={width} maxHeight={POPUP_HEIGHT} autoPanPadding={POPUP_MARGIN}>
        {popupOf(id)}
      </Popup>
    </Marker>
  )
})

type ClusterProps = Place & { id: number; count: number; clusters: Clusters; city?: string; isLit: boolean }

const ClusterMark = memo(function ClusterMark({ id, count, latitude, longitude, clusters, city, isLit }: ClusterProps) {
  const map = useMap()
  const marker = useRef<LeafletMarker>(null)
  const open = () => {
    // The mark that has the focus is removed.
    map.getContainer().focus({ preventScroll: true })
    zoomTo(map, { latitude, longitude }, clusters.zoomInto(id))
  }
  const shown = formatCount(count)
  const words = city ? `${shown} clinics around ${city}, zoom in` : `${shown} providers, zoom in`
  const clusterIcon = useMemo(() => iconOf(count, words, isLit), [count, words, isLit])
  useName(marker, words, isLit)

  return (
    <Marker
      ref={marker}
      position={[latitude, longitude]}
      icon={clusterIcon}
      title={words}
      eventHandlers={{
        click: open,
        keypress({ originalEvent }) {
          if (originalEvent.key === 'Enter') open()
        },
      }}
    />
  )
})

export function OwnPlace({ place, label }: { place: Place; label: string }) {
  return (
    <Marker position={[place.latitude, place.longitude]} icon={ownPlace} title={label} zIndexOffset={1000}>
      <Popup>{label}</Popup>
    </Marker>
  )
}

/** Shows the place that distances are from, with its name on the side that has room. It is below the pins, and takes no clicks. */
export function SearchedPlace({ place, name, side }: { place: Place; name: string; side: 'top' | 'bottom' }) {
  return (
    <Marker
      position={[place.latitude, place.longitude]}
      icon={searchedPlace}
      interactive={false}
      keyboard={false}
      zIndexOffset={-1000}
    >
      <Tooltip key={side} permanent pane="shadowPane" direction={side} className="map-name">
        {name}
      </Tooltip>
    </Marker>
  )
}

export function zoomTo(map: LeafletMap, { latitude, longitude }: Place, zoom: number): void {
  const animate = !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  map.setView([latitude, longitude], zoom, { animate })
}

function iconOf(count: number, words: string, isLit: boolean) {
  const size = clusterSize(count)
  const html = document.createElement('span')
  html.innerHTML = `<span aria-hidden="true">${formatCount(count)}</span><span class="sr-only"></span>`
  // A text, because a city comes from outside.
  if (html.lastChild) html.lastChild.textContent = words
  return divIcon({ className: `map-cluster ${isLit ? 'map-lit' : ''}`.trim(), html, iconSize: [size, size] })
}
