import type { Mark } from '../../../core/contract/places.ts'
import { formatCount } from '../../lib/numbers.ts'
import { MIDDLE_OF_US, OUTLINES, OUTLINES_PICTURE, pixelOf } from './points.ts'

/** Shows the country with the map's marks in the map's places, until the map has loaded and without JavaScript. */
export function CountryMap({ marks = [] }: { marks?: Mark[] }) {
  const middle = pixelOf(MIDDLE_OF_US)
  return (
    <svg role="img" aria-label="Map of certified providers" className="block size-full bg-lilac/60">
      {/* Its middle is that of the country, however large it is. */}
      <svg x="50%" y="50%" overflow="visible" aria-hidden="true">
        <g transform={`translate(${-middle.x} ${-middle.y})`}>
          <image href={OUTLINES_PICTURE.url} {...OUTLINES} />
          {marks.map((mark) => {
            const { x, y } = pixelOf(mark)
            const key = `${mark.kind} ${mark.id}`
            if (mark.kind === 'provider')
              return <image key={key} data-mark href={pinOf(mark)} x={x - 15} y={y - 39} width="30" height="40" />
            const circle = { cx: x, cy: y, r: clusterSize(mark.count) / 2 - 1, fill: 'var(--color-primary)' }
            return (
              <g key={key} data-mark>
                <circle {...circle} stroke="white" strokeWidth="2" />
                <text x={x} y={y} dy="0.35em" textAnchor="middle" fill="white" fontSize="16" fontWeight="600">
                  {formatCount(mark.count)}
                </text>
              </g>
            )
          })}
        </g>
      </svg>
    </svg>
  )
}

export function pinOf({ isInactive }: { isInactive?: boolean }): string {
  return isInactive ? '/art/map/pin-inactive.svg' : '/art/map/pin.svg'
}

export function clusterSize(count: number): number {
  return count < 10 ? 36 : count < 100 ? 42 : 50
}
