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
  /** Where the tiles come from; null: there are none. Unless told otherwise, from where the page's data say. */
  tiles?: PageData['mapTiles'] | null
  mapRef: Ref<LeafletMap>
  onView(view: View): void
  className: string
  children: ReactNode
}

/** A map of the US: outlines of our own, and over them the tiles as far as they come. */
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

/** Escape closes a popup wherever in the map the keyboard is; Leaflet itself does so only where the whole map has it. */
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
