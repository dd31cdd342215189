import type { ZipReach } from '../../../core/contract/places.ts'
import { aboutMiles } from '../../../core/contract/texts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { OUTLINES, OUTLINES_PICTURE, pixelOf } from '../../shared/map/points.ts'
import { Icon } from '../../ui/drawing.tsx'

/** What a zip code comes to: null if it is unknown, undefined if that is not known. */
export type Reach = ZipReach | null | undefined

export const UNKNOWN_ZIP = 'We don’t recognize this zip code. Please check it.'

const AND_THEN = 'Leave your details, and we’ll keep looking.'

/** @param isOfClinic whether it is about the clinic of the page, which is not named as near while it takes no requests */
export function reachInWords(reach: Reach, isOfClinic: boolean): string {
  if (!reach) return reach === null ? UNKNOWN_ZIP : ''
  const { inReach, miles, clinicPlace, noneWithinMiles } = reach
  const place = placeOf(reach)
  if (isOfClinic) return inReach && miles !== null ? `Yes. This clinic is ${aboutMiles(miles)} from you.` : ''
  if (!inReach) {
    return noneWithinMiles === null
      ? `No clinic near ${place || 'you'} is taking new requests right now. ${AND_THEN}`
      : `No clinic within ${formatCount(noneWithinMiles)} miles of ${place || 'you'} yet. ${AND_THEN}`
  }
  if (miles === null) return 'Yes. There’s a certified clinic near you.'
  const words = aboutMiles(miles)
  const there = clinicPlace && placeOf(clinicPlace)
  return `Yes. ${words.charAt(0).toUpperCase()}${words.slice(1)} from you${there ? `, in ${there}` : ''}.`
}

const placeOf = ({ city, state }: Pick<ZipReach, 'city' | 'state'>) => (city && state ? `${city}, ${state}` : '')

/** `isSmall`: without the map, as below a field. The class keeps room for the longest answer: nothing may move under a finger. */
type Props = { reach: Reach; isOfClinic: boolean; isSmall?: true; children?: React.ReactNode; className?: string }

/** Answers the zip code. It is always there, because a screen reader announces only what changes in it. */
export function ZipAnswer({ reach, isOfClinic, isSmall, children, className = '' }: Props) {
  const words = reach === null ? '' : reachInWords(reach, isOfClinic)
  const isYes = reach?.inReach && words !== ''
  const place = isYes && !isSmall && reach.clinicPlace
  return (
    <div
      className={`relative flex items-center gap-3 overflow-clip rounded-xl px-4 py-1.5 ${place ? 'min-[26rem]:pr-32' : ''} ${isYes ? 'bg-lilac/60' : words || children ? 'bg-mist' : ''} ${className}`}
    >
      {isYes && <Icon d="M4.5 12.5l5 5 10-11" className="size-7 shrink-0 rounded-full bg-good p-1.5 text-white" />}
      <div className="min-w-0 grow">
        <p
          role="status"
          className={`text-ink wrap-anywhere text-pretty ${isYes ? `font-display leading-tight font-medium ${isSmall ? 'text-lg' : 'text-[1.3125rem]'}` : 'leading-snug font-semibold'}`}
        >
          {words}
        </p>
        {children}
      </div>
      {place && <Outline of={place} />}
    </div>
  )
}

function Outline({ of }: { of: NonNullable<ZipReach['clinicPlace']> }) {
  const { x, y } = pixelOf(of)
  return (
    <svg
      viewBox={`${x - 63} ${y - 54} 126 108`}
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-y-0 right-0 h-full w-28 bg-lilac max-[26rem]:hidden"
      aria-hidden="true"
    >
      <image href={OUTLINES_PICTURE.url} {...OUTLINES} />
      <image href="/art/map/pin.svg" x={x - 12} y={y - 31} width="24" height="32" />
    </svg>
  )
}
