import type { Position } from 'geojson'
import { merge, mesh } from 'topojson-client'
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification'
import atlas from 'us-atlas/states-albers-10m.json' with { type: 'json' }
import type { Overview } from '../../../core/contract/overview.ts'
import { countOf } from '../../lib/numbers.ts'
import { MAP_SIZE, project } from '../albers.ts'

type Zip = Overview['coverage']['zips'][number]

const NAMED = 3
const SMALLEST = 7
const MAX_RADIUS = 34

/**
 * Draws the leads without a provider on a map; more leads make a larger circle. It is a chunk of its own because of the
 * borders' size.
 */
export function CoverageMap({ zips }: { zips: Zip[] }) {
  const most = Math.max(1, ...zips.map(({ leads }) => leads))
  const marks = zips.flatMap((zip) => {
    const point = pointOf(zip)
    return point ? [{ ...zip, ...point, radius: Math.max(SMALLEST, MAX_RADIUS * Math.sqrt(zip.leads / most)) }] : []
  })

  return (
    <svg
      viewBox={`0 0 ${MAP_SIZE.width} ${MAP_SIZE.height}`}
      role="img"
      aria-label={`Map of the United States with ${countOf(marks.length, 'zip code')} without a provider. The list below has the same.`}
      className="mb-5 w-full"
    >
      <path d={LAND} fill="var(--color-mist)" />
      <path d={BORDERS} fill="none" stroke="var(--color-edge)" strokeWidth="0.8" strokeLinejoin="round" />
      {marks.map(({ zip, x, y, radius, leads, city }) => (
        <circle
          key={zip}
          cx={x}
          cy={y}
          r={radius}
          fill="var(--color-secondary)"
          fillOpacity="0.45"
          stroke="var(--color-primary)"
          strokeWidth="1.5"
        >
          <title>{`${city ?? zip}: ${countOf(leads, 'lead')}`}</title>
        </circle>
      ))}
      {named(marks).map(({ zip, x, y, radius, city }) => (
        <text
          key={zip}
          x={x > MAP_SIZE.width / 2 ? x - radius - 5 : x + radius + 5}
          y={y}
          textAnchor={x > MAP_SIZE.width / 2 ? 'end' : 'start'}
          dominantBaseline="middle"
          fill="var(--color-ink)"
          stroke="var(--color-background)"
          strokeWidth="5"
          paintOrder="stroke"
          strokeLinejoin="round"
          className="text-[1.75rem] font-semibold sm:text-xl xl:text-[1.75rem]"
        >
          {city}
        </text>
      ))}
    </svg>
  )
}

function pointOf({ latitude, longitude, state }: Zip) {
  return latitude === null || longitude === null ? null : project({ latitude, longitude, state })
}

/** Returns the marks with a city, each city once. */
function named<Mark extends { city: string | null }>(marks: Mark[]): Mark[] {
  return marks.filter(({ city }, at) => city && marks.findIndex((mark) => mark.city === city) === at).slice(0, NAMED)
}

/*
 * The land and the borders of the states as SVG paths, on the map of `albers.ts`: US Census Bureau, cartographic boundary
 * files, 2017 (npm us-atlas, ISC). They are large: only lazy chunks import them.
 */
const TOPOLOGY = atlas as unknown as Topology<{ states: GeometryCollection }>

const LAND = pathOf(
  merge(TOPOLOGY, TOPOLOGY.objects.states.geometries as (Polygon | MultiPolygon)[]).coordinates.flat(),
)
const BORDERS = pathOf(mesh(TOPOLOGY, TOPOLOGY.objects.states).coordinates)

function pathOf(lines: Position[][]): string {
  return lines.map((line) => `M${line.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`).join('')
}
