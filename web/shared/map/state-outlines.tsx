import type { FeatureCollection } from 'geojson'
import { canvas } from 'leaflet'
import { useEffect, useState } from 'react'
import { GeoJSON, Pane } from 'react-leaflet'
import type { Topology } from 'topojson-specification'
import { brand } from '../../../core/brand/brand.ts'
import { loadOrRetry } from '../../lib/load-or-retry.ts'

const PANE = 'outlines'
/** The z-index of Leaflet's tiles is 200. */
const BELOW_TILES = 150
const LOOK = { color: brand.colors.edge, weight: 1, fillColor: 'white', fillOpacity: 1 }

/**
 * Shows the states under the tiles, so that the map is readable without tiles. Shapes of the US Census Bureau's
 * cartographic boundary files, 2017 (npm us-atlas, ISC).
 */
export function StateOutlines() {
  const [states, setStates] = useState<FeatureCollection>()

  useEffect(() => {
    // The pins load first. A failure is ignored, because the map works without outlines.
    loadOrRetry(loadStates).then(setStates, () => {})
  }, [])

  return (
    <Pane name={PANE} style={{ zIndex: BELOW_TILES }}>
      {states && <Outlines states={states} />}
    </Pane>
  )
}

function Outlines({ states }: { states: FeatureCollection }) {
  const [renderer] = useState(() => canvas({ pane: PANE, padding: 0.5 }))
  const options = { renderer, interactive: false }
  return <GeoJSON data={states} style={LOOK} {...options} />
}

async function loadStates(): Promise<FeatureCollection> {
  const [{ feature }, { default: atlas }] = await Promise.all([
    import('topojson-client'),
    import('us-atlas/states-10m.json'),
  ])
  const topology = atlas as unknown as Topology
  return feature(topology, topology.objects.states as never) as unknown as FeatureCollection
}
