import 'leaflet/dist/leaflet.css'
import './map.css'
import type { FeatureCollection } from 'geojson'
import { canvas, type LatLngBoundsLiteral, type Map as LeafletMap, Marker, type Popup } from 'leaflet'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import {
  AttributionControl,
  GeoJSON,
  ImageOverlay,
  MapContainer,
  Pane,
  TileLayer,
  useMapEvents,
  ZoomControl,
} from 'react-leaflet'
import type { Topology } from 'topojson-specification'
import { palette } from '../../../core/brand/palette.ts'
import type { PageData } from '../../../core/contract/page.ts'
import type { Place } from '../../../core/contract/places.ts'
import { usePageData } from '../../lib/page-data.ts'
import { loadOrRetry } from '../../lib/rendered-page.ts'
import { COUNTRY, MIDDLE_OF_US, OUTLINES_PICTURE, type View } from './points.ts'

/** The map can't be dragged beyond. Wide enough for 2,560 pixels around the middle of the US at the first zoom. */
const MAX_BOUNDS: LatLngBoundsLiteral = [
  [-20, -215],
  [75, 18],
]

type Props = {
  label: string
  middle?: Place
  tiles?: PageData['mapTiles'] | null
  mapRef: Ref<LeafletMap>
  onView(view: View): void
  className: string
  children: ReactNode
}

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
        maxBounds={MAX_BOUNDS}
        scrollWheelZoom={false}
        attributionControl={false}
        zoomControl={false}
        className="size-full bg-lilac/60!"
      >
        <AttributionControl prefix={false} />
        {/* Popups open upward: below them it covers none. */}
        <ZoomControl position="bottomleft" />
        <StateOutlines />
        {source && <TileLayer url={source.url} attribution={source.attribution} />}
        <MapEvents onView={onView} />
        {children}
      </MapContainer>
    </section>
  )
}

/**
 * Says where the map was moved, and makes marks, buttons and popups work by keyboard. Leaflet's buttons are pictures and links, which do not know Space. It closes
 * a popup on Escape only if the map itself has the focus, and leaves the focus behind.
 */
function MapEvents({ onView }: Pick<Props, 'onView'>) {
  const map = useMapEvents({
    moveend: () => onView(viewOf(map)),
    keydown({ originalEvent }) {
      const { key, target } = originalEvent
      if (key === 'Escape') map.closePopup()
      if (key !== ' ' || !(target instanceof HTMLElement) || target.getAttribute('role') !== 'button') return
      originalEvent.preventDefault()
      target.click()
    },
    popupopen({ popup }) {
      const [mark, content] = [markOf(map, popup), popup.getElement()]
      if (!mark || !content) return
      content.role = 'dialog'
      content.ariaLabel = mark.title
      content.tabIndex = -1
      // Else all other marks come before its links.
      if (mark.matches(':focus-visible')) content.focus({ preventScroll: true })
    },
    popupclose({ popup }) {
      const isWithin = popup.getElement()?.contains(document.activeElement)
      if (isWithin) (markOf(map, popup) ?? map.getContainer()).focus({ preventScroll: true })
    },
  })
  return null
}

function markOf(map: LeafletMap, popup: Popup): HTMLElement | undefined {
  let found: HTMLElement | undefined
  map.eachLayer((layer) => {
    if (layer instanceof Marker && layer.getPopup() === popup) found = layer.getElement()
  })
  return found
}

export function viewOf(map: LeafletMap): View {
  const bounds = map.getBounds()
  return {
    bounds: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
    zoom: map.getZoom(),
  }
}

const PANE = 'outlines'
/** The z-index of Leaflet's tiles is 200. */
const BELOW_TILES = 150
const LOOK = { color: palette.edge, weight: 1, fillColor: palette.mist, fillOpacity: 1 }

/**
 * Shows the states under the tiles, so that the map is readable without tiles: a picture of them, until their shapes are
 * there. Shapes of the US Census Bureau's cartographic boundary files, 2017 (npm us-atlas, ISC).
 */
function StateOutlines() {
  const [states, setStates] = useState<FeatureCollection>()
  const [renderer] = useState(() => canvas({ pane: PANE, padding: 0.5 }))

  useEffect(() => {
    // The pins load first. A failure is ignored, because the picture stays.
    loadOrRetry(loadStates).then(setStates, () => {})
  }, [])

  return (
    <Pane name={PANE} style={{ zIndex: BELOW_TILES }}>
      {states ? (
        <GeoJSON data={states} style={LOOK} {...{ renderer, interactive: false }} />
      ) : (
        <ImageOverlay {...OUTLINES_PICTURE} pane={PANE} />
      )}
    </Pane>
  )
}

async function loadStates(): Promise<FeatureCollection> {
  const [{ feature }, { default: atlas }] = await Promise.all([
    import('topojson-client'),
    import('us-atlas/states-10m.json'),
  ])
  const topology = atlas as unknown as Topology
  return feature(topology, topology.objects.states as never) as unknown as FeatureCollection
}
