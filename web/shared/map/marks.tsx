import { divIcon, icon, type Map as LeafletMap, type Marker as LeafletMarker, type PointTuple } from 'leaflet'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import { Marker, Popup, useMap } from 'react-leaflet'
import type { Mark } from '../../../core/contract/provider-points.ts'
import type { Place } from '../../lib/distance.ts'
import type { Clusters } from './clusters.ts'
import { clusterSize, pinOf } from './country-map.tsx'
import { INACTIVE_WORDS } from './points.ts'

const PIN_SIZE: PointTuple = [30, 40]

const pinIcon = (mark: { isInactive?: boolean }) =>
  icon({ iconUrl: pinOf(mark), iconSize: PIN_SIZE, iconAnchor: [15, 39], popupAnchor: [0, -36] })

const pins = { active: pinIcon({}), inactive: pinIcon({ isInactive: true }) }

const ownPlace = divIcon({ className: 'map-own-place', iconSize: [22, 22] })

type MarksProps = {
  marks: Mark[]
  clusters: Clusters
  /** Returns the content of the popup of a provider's pin. */
  popupOf(id: number): ReactNode
  /** Returns the name of a provider's pin, if it is public and known. */
  nameOf?(id: number): string | undefined
}

/** Shows only the pins and clusters in view, because thousands of them would block a phone. */
export function Marks({ marks, clusters, popupOf, nameOf }: MarksProps) {
  return marks.map((mark) =>
    mark.kind === 'provider' ? (
      <ProviderPin key={mark.id} {...mark} name={nameOf?.(mark.id) ?? 'Certified provider'} popupOf={popupOf} />
    ) : (
      <ClusterMark key={`cluster ${mark.id}`} {...mark} clusters={clusters} />
    ),
  )
}

type PinProps = Place & { id: number; isInactive?: boolean; name: string; popupOf(id: number): ReactNode }

const ProviderPin = memo(function ProviderPin({ id, isInactive, name, latitude, longitude, popupOf }: PinProps) {
  const marker = useRef<LeafletMarker>(null)
  const words = isInactive ? `${name}, ${INACTIVE_WORDS.toLowerCase()}` : name

  // React-Leaflet sets a marker's name only once, but names load later than pins.
  useEffect(() => {
    if (!marker.current) return
    Object.assign(marker.current.options, { alt: words, title: words })
    Object.assign(marker.current.getElement() ?? {}, { alt: words, title: words })
  }, [words])

  return (
    <Marker
      ref={marker}
      position={[latitude, longitude]}
      icon={isInactive ? pins.inactive : pins.active}
      alt={words}
      title={words}
    >
      <Popup minWidth={240} maxWidth={280}>
        {popupOf(id)}
      </Popup>
    </Marker>
  )
})

type ClusterProps = Place & { id: number; count: number; clusters: Clusters }

const ClusterMark = memo(function ClusterMark({ id, count, latitude, longitude, clusters }: ClusterProps) {
  const map = useMap()
  const open = () => zoomTo(map, { latitude, longitude }, clusters.zoomInto(id))
  return (
    <Marker
      position={[latitude, longitude]}
      icon={clusterIcon(count)}
      title={`${count.toLocaleString('en-US')} providers, zoom in`}
      eventHandlers={{
        click: open,
        keypress({ originalEvent }) {
          if (originalEvent.key !== 'Enter') return
          open()
          // The mark that had the focus is removed.
          map.getContainer().focus({ preventScroll: true })
        },
      }}
    />
  )
})

/** Shows the visitor's location. */
export function OwnPlace({ place, label }: { place: Place; label: string }) {
  return (
    <Marker position={[place.latitude, place.longitude]} icon={ownPlace} title={label} zIndexOffset={1000}>
      <Popup>{label}</Popup>
    </Marker>
  )
}

/** Moves the map to a place, without animation if the visitor prefers reduced motion. */
export function zoomTo(map: LeafletMap, { latitude, longitude }: Place, zoom: number): void {
  const animate = !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  map.setView([latitude, longitude], zoom, { animate })
}

function clusterIcon(count: number) {
  const size = clusterSize(count)
  const shown = count.toLocaleString('en-US')
  const html = `<span aria-hidden="true">${shown}</span><span class="sr-only">${shown} providers, zoom in</span>`
  return divIcon({ className: 'map-cluster', html, iconSize: [size, size] })
}
