import type { PublicProvider } from '../../../core/contract/providers.ts'
import { useImageFault } from '../../lib/use-image-fault.ts'

const SHAPE = 'size-20 shrink-0 rounded-full sm:size-24'

/** The provider's picture, or the first letter of the name. */
export function ProviderAvatar({ provider: { name, image_url } }: { provider: PublicProvider }) {
  const { isFaulty, ...image } = useImageFault()

  if (image_url && !isFaulty) {
    return <img src={image_url} alt="" width={96} height={96} {...image} className={`${SHAPE} object-cover`} />
  }
  return (
    <span aria-hidden="true" className={`${SHAPE} grid place-items-center bg-lilac font-display text-4xl text-primary`}>
      {name.charAt(0).toUpperCase()}
    </span>
  )
}
