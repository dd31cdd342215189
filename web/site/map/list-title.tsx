import { MAX_LISTED, NEAR_MILES } from '../../../core/contract/page.ts'
import { formatCount } from '../../lib/numbers.ts'
import { cityText, milesText } from './results.ts'
import type { Network } from './use-network.ts'

/** Shows what the list is about, and how much of it is listed. */
export function ListTitle({ id, network }: { id: string; network: Network }) {
  const { isPending, scope, origin, hasMoved, setSeen, results, reach, errors } = network
  const { listed, counts, nearestMiles } = results
  const isNear = origin !== undefined && 'origin' in scope
  return (
    <div className="sticky top-0 z-1 border-b border-line bg-mist px-5 py-3 max-md:static">
      <h2 id={id} className="font-semibold text-ink">
        {isPending ? 'Loading providers...' : titleOf(network)}
      </h2>
      {!isPending && errors.length < 2 && (
        <p className="text-sm text-quiet">
          {isNear ? nearText(counts.total, nearestMiles, reach) : clinics(counts.total)}
          {counts.total > MAX_LISTED && listed.length >= MAX_LISTED && `; the ${MAX_LISTED} nearest are listed`}
          {hasMoved && origin && (
            <>
              {' · '}
              <button
                type="button"
                onClick={() => setSeen(undefined)}
                className="min-h-6 font-semibold text-secondary underline underline-offset-4"
              >
                Back to {cityText(origin.name)}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function titleOf({ scope, origin }: Network): string {
  if ('view' in scope) return 'In this part of the map'
  return origin && 'origin' in scope ? `Nearest to ${origin.name}` : 'All clinics'
}

function clinics(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'clinic' : 'clinics'}`
}

function nearText(count: number, nearest: number | undefined, reach: number): string {
  if (count > 0) return `${clinics(count)} within ${NEAR_MILES} miles`
  if (nearest === undefined) return `No clinic within ${formatCount(reach)} miles`
  // Beyond the reach, the list begins with the rest.
  return nearest > reach
    ? `${milesText(nearest)} away`
    : `No clinic within ${NEAR_MILES} miles; the nearest is ${milesText(nearest)} away`
}

/** Returns what a screen reader says after a search, a filter or a move of the map. */
export function announcement({ isPending, scope, origin, results, reach, points }: Network): string {
  if (isPending || points.length === 0) return ''
  const { counts, nearestMiles } = results
  if ('middle' in scope) return clinics(counts.total)
  if (!origin || !('origin' in scope)) return `${clinics(counts.total)} in this part of the map`
  const where = origin.name === 'you' ? 'you' : cityText(origin.name)
  if (nearestMiles === undefined || nearestMiles > reach)
    return `No clinic within ${formatCount(reach)} miles of ${where}`
  const near = counts.total > 0 ? clinics(counts.total) : `No clinic within ${NEAR_MILES} miles`
  return `${near} ${counts.total > 0 ? `near ${where}` : `of ${where}`}; nearest ${milesText(nearestMiles)}`
}
