import type { Position } from 'geojson'
import { merge, mesh } from 'topojson-client'
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification'
import atlas from 'us-atlas/states-albers-10m.json' with { type: 'json' }

/*
 * The land and the borders of the states as SVG paths, on the map of `albers.ts`: US Census Bureau, cartographic boundary
 * files, 2017 (npm us-atlas, ISC). They are large: only lazy chunks import them.
 */
const TOPOLOGY = atlas as unknown as Topology<{ states: GeometryCollection }>

export const LAND = pathOf(
  merge(TOPOLOGY, TOPOLOGY.objects.states.geometries as (Polygon | MultiPolygon)[]).coordinates.flat(),
)
export const BORDERS = pathOf(mesh(TOPOLOGY, TOPOLOGY.objects.states).coordinates)

function pathOf(lines: Position[][]): string {
  return lines.map((line) => `M${line.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`).join('')
}
