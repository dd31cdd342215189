import { useState } from 'react'
import type { Overview } from '../../../core/contract/overview.ts'
import { milesInWords } from '../../lib/distance.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ChartCard, LeadsLink, ShareBar, TOUCHABLE } from './parts.tsx'

type Zip = Overview['coverage']['zips'][number]

const SHOWN_AT_FIRST = 8

type Props = Overview['coverage'] & { period: Pick<Overview, 'from' | 'to'> }

/** Shows the places of leads without a provider in reach, which are the best places for new clinics. */
export function Coverage({ zips, totalZips, period }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const [first] = zips
  const most = first?.leads ?? 1

  if (!first) {
    return (
      <ChartCard title="Where to recruit">
        <p className="text-quiet">Every lead of this period had a provider in reach.</p>
      </ChartCard>
    )
  }
  return (
    <ChartCard title="Where to recruit" note={advice(zips, totalZips)}>
      <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {zips.slice(0, showsAll ? zips.length : SHOWN_AT_FIRST).map((zip) => (
          <li key={zip.zip}>
            <div className="flex items-baseline justify-between gap-4">
              <p className="min-w-0 font-semibold text-ink">{placeOf(zip)}</p>
              <p className="shrink-0 text-sm tabular-nums">
                <LeadsLink
                  filter={{ q: zip.zip, ...period }}
                  label={`${countOf(zip.leads, 'lead')}: ${placeOf(zip)}`}
                  className={TOUCHABLE}
                >
                  {countOf(zip.leads, 'lead')}
                </LeadsLink>
              </p>
            </div>
            <div className="my-1">
              <ShareBar share={zip.leads / most} />
            </div>
            <p className="text-sm text-quiet">
              {zip.zip}
              {zip.nearestMiles !== null &&
                `, nearest provider ${formatCount(Math.round(zip.nearestMiles))} miles away`}
              {byHandWords(zip) && `; ${byHandWords(zip)}`}
            </p>
          </li>
        ))}
      </ol>
      {zips.length > SHOWN_AT_FIRST && (
        <Button variant="ghost" size="small" className="mt-4" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${formatCount(zips.length)}`}
        </Button>
      )}
    </ChartCard>
  )
}

function advice([first]: Zip[], totalZips: number): string {
  if (!first) return ''
  const far =
    first.nearestMiles === null
      ? ''
      : `; the nearest provider is ${formatCount(Math.round(first.nearestMiles))} miles away`
  return `Leads with no provider in reach came from ${countOf(totalZips, 'zip code')}. A clinic near ${placeOf(first)} would have covered most of them: ${countOf(first.leads, 'lead')}${far}.`
}

/** Returns, for example, `of these 1 was matched by hand, 183 miles`. Empty if none was. */
function byHandWords({ matchedByHand: count, matchedMiles }: Zip): string {
  if (count === 0) return ''
  const miles = matchedMiles === null ? '' : `, ${count > 1 ? 'up to ' : ''}${milesInWords(matchedMiles)}`
  return `of these ${formatCount(count)} ${count === 1 ? 'was' : 'were'} matched by hand${miles}`
}

function placeOf({ city, state, zip }: Zip): string {
  return [city, state].filter(Boolean).join(', ') || `Zip code ${zip}`
}
