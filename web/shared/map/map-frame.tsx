import 'leaflet/dist/leaflet.css'
import './map.css'
import type { Map as LeafletMap } from 'leaflet'
import type { ReactNode, Ref } from 'react'
import { MapContainer, TileLayer, useMapEvents } from 'react-leaflet'
import type { PageData } from '../../../core/contract/page.ts'
import type { Place } from '../../lib/distance.ts'
import { usePageData } from '../../lib/page-data.ts'
import { StateOutlines } from './state-outlines.tsx'
import { COUNTRY, MIDDLE_OF_US, type View } from './view.ts'

const [west, south, east, north] = COUNTRY.bounds

type Props = {
  label: string
  middle?: Place
  /** The source of the tiles; null for none. Defaults to the source in the page's data. */
  tiles?: PageData['mapTiles'] | null
  mapRef: Ref<LeafletMap>
  onView(view: View): void
  className: string
  children: ReactNode
}

/** Shows a map of the US: our own outlines, with tiles above them as they load. */
export function MapFrame({ label, middle = MIDDLE_OF_US, tiles, mapRef, onView, className, children }: Props) {
  const { mapTiles } = usePageData()
  const source = tiles === undefined ? mapTiles : tiles
  return (
    <section aria-label={label} className={className}>
      <MapContainer
        ref={mapRef}
        center={[middle.latitude, middle.longitude]}
        zoom={COUNTRY.zoom}
        minZoom={3}
        maxBounds={[
          [south, west],
          [north, east],
        ]}
        scrollWheelZoom={false}
        className="size-full bg-mist!"
      >
        <StateOutlines />
        {/* The tile servers of OpenStreetMap require a referrer (https://operations.osmfoundation.org/policies/tiles/). */}
        {source && (
          <TileLayer
            url={source.url}
            attribution={source.attribution}
            referrerPolicy="strict-origin-when-cross-origin"
          />
        )}
        <ViewWatcher onView={onView} />
        <PopupKeys />
        {children}
      </MapContainer>
    </section>
  )
}

function ViewWatcher({ onView }: { onView: (view: View) => void }) {
  const map = useMapEvents({ moveend: () => onView(viewOf(map)) })
  return null
}

/** Closes a popup on Escape wherever the focus is in the map. Leaflet does so only if the map itself has the focus. */
function PopupKeys() {
  const map = useMapEvents({
    keydown({ originalEvent: { key } }) {
      if (key !== 'Escape') return
      const isWithin = map.getPane('popupPane')?.contains(document.activeElement)
      map.closePopup()
      if (isWithin) map.getContainer().focus({ preventScroll: true })
    },
  })
  return null
}

export function viewOf(map: LeafletMap): View {
  const bounds = map.getBounds()
  return {
    bounds: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
    zoom: map.getZoom(),
  }
}
