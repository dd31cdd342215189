import type { PublicProvider } from '../../../core/contract/providers.ts'
import { useImageFault } from '../../lib/use-image-fault.ts'

const SHAPE = 'size-20 shrink-0 rounded-full sm:size-24'

/** Shows the provider's picture, or the first letter of the name. */
export function ProviderAvatar({ provider: { name, image_url } }: { provider: PublicProvider }) {
  const { isFaulty, ...image } = useImageFault()

  if (image_url && !isFaulty) {
    return <img src={image_url} alt="" width={96} height={96} {...image} className={`${SHAPE} object-cover`} />
  }
  return (
    <span aria-hidden="true" className={`${SHAPE} grid place-items-center bg-lilac font-display text-4xl text-primary`}>
      {initialOf(name)}
    </span>
  )
}

const TITLES = /^(?:(?:dr|prof|mr|mrs|ms)(?:\.\s*|\s+))+(?=\S)/i

/** Returns the first letter of a name without its titles, or of the title if there is nothing else. */
export function initialOf(name: string): string {
  const [initial = ''] = name.trim().replace(TITLES, '')
  return initial.toUpperCase()
}
