import { useCallback, useMemo, useState } from 'react'
import type { Place } from '../../../core/contract/places.ts'
import { countOf } from '../../lib/numbers.ts'
import { withQueries } from '../../lib/query-provider.tsx'
import { MapFrame } from '../../shared/map/map-frame.tsx'
import { Marks, OwnPlace, useMarks, zoomTo } from '../../shared/map/marks.tsx'
import { INACTIVE_WORDS, usePoints } from '../../shared/map/points.ts'
import { Button } from '../../ui/button.tsx'
import { LOOKING, useOwnPlace } from './use-own-place.ts'

const AROUND_THE_CORNER = 8

export const RecruitmentMap = withQueries(() => {
  const { points, isPending, errors, retry } = usePoints()
  const pins = useMemo(() => points.filter(({ isOfZip }) => !isOfZip), [points])
  const { map, mapRef, setView, clusters, marks } = useMarks(pins)
  const [ownPlace, setOwnPlace] = useState<Place>()

  const showOwnPlace = useCallback(
    (place: Place) => {
      setOwnPlace(place)
      if (map) zoomTo(map, place, AROUND_THE_CORNER)
    },
    [map],
  )
  const inactive = useMemo(() => new Set(points.filter((point) => point.isInactive).map(({ id }) => id)), [points])
  const popupOf = useCallback(
    (id: number) => (
      <div className="text-sm font-semibold">
        <p className="m-0! text-ink">Certified Provider</p>
        {inactive.has(id) && <p className="m-0! text-bad">{INACTIVE_WORDS}</p>}
      </div>
    ),
    [inactive],
  )
  const { ask, isAsking } = useOwnPlace(showOwnPlace, true)

  return (
    <div className="overflow-hidden rounded-2xl border border-line bg-white">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line px-4 py-3 sm:px-5">
        <p role="status" className="rounded-full bg-lilac px-4 py-1.5 font-semibold text-primary">
          {isPending ? 'Loading provider map...' : countText(points.length - inactive.size, errors.length > 0)}
        </p>
        <Button busy={isAsking} onClick={ask}>
          Find Providers Near Me
        </Button>
        <p role="status" className="sr-only">
          {isAsking && LOOKING}
        </p>
      </div>
      <MapFrame label="Map of certified providers" mapRef={mapRef} onView={setView} className="relative isolate h-125">
        <Marks marks={marks} clusters={clusters} popupOf={popupOf} />
        {ownPlace && <OwnPlace place={ownPlace} label="Your Location" />}
      </MapFrame>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-t border-line px-4 py-3 sm:px-5">
        <ul aria-label="Legend" className="flex flex-wrap gap-x-7 gap-y-2 text-sm">
          {LEGEND.map(({ sign, meaning }) => (
            <li key={meaning} className="flex min-h-6 items-center gap-2.5">
              <span aria-hidden="true">{sign}</span>
              {meaning}
            </li>
          ))}
        </ul>
        {errors.length > 0 && (
          <p role="status" className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
            {errors.join('. ')}.
            <Button variant="ghost" size="small" onClick={retry}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </div>
  )
})

function countText(count: number, isIncomplete: boolean): string {
  if (count === 0 && isIncomplete) return 'Certified providers'
  return countOf(count, 'certified provider')
}

const LEGEND = [
  { sign: <img src="/art/map/pin.svg" alt="" width="18" height="24" />, meaning: 'Certified Provider' },
  { sign: <img src="/art/map/pin-inactive.svg" alt="" width="18" height="24" />, meaning: INACTIVE_WORDS },
  {
    sign: (
      <span className="grid size-6 place-content-center rounded-full bg-primary text-xs font-semibold text-white">
        5
      </span>
    ),
    meaning: 'Several providers; select to zoom in',
  },
  {
    sign: <span className="block size-3.5 rounded-full bg-accent outline-4 outline-accent/25" />,
    meaning: 'Your Location',
  },
]
