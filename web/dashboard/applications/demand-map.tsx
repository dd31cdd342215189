import type { ApplicationDemand } from '../../../core/contract/application-details.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { type Point, project } from '../albers.ts'
import { BORDERS, LAND } from '../borders.ts'
import { peopleWords } from './applications.ts'

type Props = {
  demand: ApplicationDemand & { here: NonNullable<ApplicationDemand['here']> }
  /** Decides where the map has the place: Alaska and Hawaii stand below the other states. */
  state: string | null
}

/** Half the width of the map, in radii of matching, and its height by its width. */
const REACH = 1.6
const SHAPE = 0.65
const MAX_REACH = 4
/** The width of the panel in pixels, by which marks and texts are measured. */
const WIDTH = 400
const NAMED = 3
/** Characters of a name that fit beside its mark. */
const MAX_NAME = 22
const LEGEND = 'inline-flex items-center gap-1.5'

/**
 * Draws an applicant with the radius of matching, the people without a clinic around it, and the clinics nearby. It is a
 * chunk of its own because of the borders' size.
 */
export function DemandMap({ demand: { here, radius_miles, places, clinics, people }, state }: Props) {
  const center = project({ ...here, state })
  if (!center) return null
  const placed = <Mark extends Place>(marks: Mark[]) =>
    marks.flatMap((mark) => {
      const point = project({ ...mark, state })
      return point ? [{ ...mark, ...point }] : []
    })
  const [demand, others] = [placed(places), placed(clinics)]
  const radius = radius_miles * unitsPerMile(here, center, state)
  // The nearest clinic is on the map, unless it is very far.
  const [nearest] = others
  const far = nearest ? Math.max(Math.abs(nearest.x - center.x), Math.abs(nearest.y - center.y) / SHAPE) * 1.15 : 0
  const half = Math.max(radius * REACH, far <= radius * MAX_REACH ? far : 0)
  const pixel = (2 * half) / WIDTH
  const most = Math.max(1, ...demand.map((place) => place.people))

  // The names of what is at an edge stand towards the middle.
  const named = [
    ...demand.slice(0, NAMED).map(({ city, x, y }) => ({ name: city, x, y: y - 10 * pixel })),
    ...(nearest ? [{ name: nearest.name, x: nearest.x, y: nearest.y + (nearest.y < center.y ? 17 : -8) * pixel }] : []),
  ]

  return (
    <figure className="grid gap-1.5">
      <svg
        viewBox={`${center.x - half} ${center.y - half * SHAPE} ${2 * half} ${2 * half * SHAPE}`}
        role="img"
        aria-label={`Map of the ${formatCount(radius_miles)} miles around the practice with ${peopleWords(people ?? 0)} without a clinic, and ${countOf(others.length, 'clinic')} nearby. The list below has the same.`}
        className="w-full rounded-lg border border-line bg-background"
      >
        <path d={LAND} fill="var(--color-mist)" />
        <path d={BORDERS} fill="none" stroke="var(--color-edge)" strokeWidth={pixel} strokeLinejoin="round" />
        <circle
          cx={center.x}
          cy={center.y}
          r={radius}
          fill="none"
          stroke="var(--color-quiet)"
          strokeWidth={pixel}
          strokeDasharray={`${4 * pixel} ${4 * pixel}`}
        />
        {demand.map(({ city, state: in_state, x, y, people: waiting }) => (
          <circle
            key={`${city} ${in_state}`}
            cx={x}
            cy={y}
            r={pixel * Math.max(5, 18 * Math.sqrt(waiting / most))}
            fill="var(--color-wait-bright)"
            fillOpacity="0.4"
            stroke="var(--color-wait)"
            strokeWidth={pixel}
          >
            <title>{`${city}: ${peopleWords(waiting)} without a clinic`}</title>
          </circle>
        ))}
        {others.map(({ id, name, x, y }) => (
          <rect
            key={id}
            x={x - 4 * pixel}
            y={y - 4 * pixel}
            width={8 * pixel}
            height={8 * pixel}
            fill="var(--color-ink)"
            stroke="var(--color-background)"
            strokeWidth={1.5 * pixel}
          >
            <title>{name}</title>
          </rect>
        ))}
        <circle
          cx={center.x}
          cy={center.y}
          r={6 * pixel}
          fill="var(--color-secondary)"
          stroke="var(--color-background)"
          strokeWidth={2 * pixel}
        >
          <title>The practice</title>
        </circle>
        {named.map(({ name, x, y }) => (
          <text
            key={name}
            x={x}
            y={y}
            textAnchor={Math.abs(x - center.x) < half / 2 ? 'middle' : x > center.x ? 'end' : 'start'}
            fontSize={12 * pixel}
            fill="var(--color-ink)"
            stroke="var(--color-mist)"
            strokeWidth={3 * pixel}
            paintOrder="stroke"
            strokeLinejoin="round"
            className="font-semibold"
          >
            {name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1).trimEnd()}…` : name}
          </text>
        ))}
      </svg>
      <figcaption aria-hidden="true" className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-quiet">
        <span className={LEGEND}>
          <span className="size-2.5 rounded-full bg-secondary" />
          The practice
        </span>
        <span className={LEGEND}>
          <span className="size-2 bg-ink" />
          Clinics
        </span>
        <span className={LEGEND}>
          <span className="size-3 rounded-full border border-wait bg-wait-bright/40" />
          People without a clinic
        </span>
        <span className={LEGEND}>
          <span className="size-3 rounded-full border border-dashed border-quiet" />
          {formatCount(radius_miles)} miles
        </span>
      </figcaption>
    </figure>
  )
}

type Place = { latitude: number; longitude: number }

/** The miles of a degree of latitude. */
const MILES_PER_DEGREE = 69

/** Returns the units of the map that a mile has around a place. */
function unitsPerMile(here: Place, center: Point, state: string | null): number {
  const north = project({ latitude: here.latitude + 0.5, longitude: here.longitude, state })
  const south = project({ latitude: here.latitude - 0.5, longitude: here.longitude, state })
  const [top, bottom, degrees] = north && south ? [north, south, 1] : [north ?? center, south ?? center, 0.5]
  return Math.hypot(top.x - bottom.x, top.y - bottom.y) / (degrees * MILES_PER_DEGREE)
}
