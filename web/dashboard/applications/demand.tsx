import { Suspense } from 'react'
import { type ApplicationDemand, DEMAND_DAYS } from '../../../core/contract/application-details.ts'
import { milesInWords } from '../../lib/distance.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { peopleWords } from './applications.ts'

/** The map is a chunk of its own, because of the size of its borders. The words say the same. */
const DemandMap = lazyPart(() => import('./demand-map.tsx').then((part) => part.DemandMap))

type Props = { demand: ApplicationDemand; state: string | null }

/** Shows how many people around the practice have no clinic, where they are, and how far the nearest clinic is. */
export function Demand({ demand, state }: Props) {
  const { here, people, radius_miles, places, nearest } = demand
  return (
    <div className="grid gap-2">
      <p>
        {people === null ? (
          'The zip code is unknown, so the demand around it cannot be counted.'
        ) : (
          <>
            <strong className="font-semibold text-ink">{peopleWords(people)}</strong> without a clinic within{' '}
            {formatCount(radius_miles)} miles in {DEMAND_DAYS} days.
          </>
        )}{' '}
        {nearest ? (
          <>
            The nearest active clinic is <ProviderLink id={nearest.id}>{nearest.name}</ProviderLink>,{' '}
            {milesInWords(nearest.miles)} away.
          </>
        ) : (
          'No active clinic has a place on the map.'
        )}
      </p>
      {here && (
        <Suspense fallback={<Skeleton className="aspect-4/3 w-full" />}>
          <DemandMap demand={{ ...demand, here }} state={state} />
        </Suspense>
      )}
      {places.length > 0 && (
        <ul className="grid gap-1">
          {places.map(({ city, state, people, miles }) => (
            <li key={`${city} ${state}`} className="flex justify-between gap-3 tabular-nums">
              <span className="text-ink">{[city, state].filter(Boolean).join(', ')}</span>
              <span className="text-quiet">
                {peopleWords(people)}, {milesInWords(miles)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
