import { initialOf } from '../../../core/contract/format.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { useImageFault } from '../../lib/hooks.ts'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'

type Props = {
  provider: PublicProvider
  /** The name whose first letter stands in for a picture. */
  letterOf: string
  /** Whether it is in the first screen. */
  isFirst?: boolean
  className?: string
}

/** Shows the provider's picture in a frame of 4:3, or a dial with the first letter of a name. */
export function ClinicPicture({ provider: { image_url }, letterOf, isFirst = false, className = '' }: Props) {
  const { isFaulty, ...image } = useImageFault()
  const shape = `aspect-4/3 w-full overflow-hidden ${className}`

  if (image_url && !isFaulty) {
    return (
      <img
        src={image_url}
        alt=""
        width={640}
        height={480}
        fetchPriority={isFirst ? 'high' : undefined}
        loading={isFirst ? undefined : 'lazy'}
        {...image}
        className={`${shape} bg-lilac object-cover`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={`${shape} @container relative isolate grid place-items-center bg-linear-to-br from-dusk to-secondary text-white`}
    >
      <GraduatedArc className="absolute top-1/2 left-1/2 -z-10 w-[94%] -translate-1/2 text-lilac" />
      <span className="font-display text-[26cqw] leading-none font-medium">{initialOf(letterOf)}</span>
    </span>
  )
}
