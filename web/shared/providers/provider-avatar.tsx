import { initialOf } from '../../../core/contract/format.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { useImageFault } from '../../lib/hooks.ts'

const SIZES = { small: 'size-14 text-2xl', large: 'size-20 text-4xl sm:size-24' } as const

type Props = { provider: PublicProvider; size?: keyof typeof SIZES }

/** Shows the provider's picture, or the first letter of the name. */
export function ProviderAvatar({ provider: { name, image_url }, size = 'large' }: Props) {
  const { isFaulty, ...image } = useImageFault()
  const shape = `shrink-0 rounded-full ${SIZES[size]}`

  if (image_url && !isFaulty) {
    // Small ones stand in long lists.
    const loading = size === 'small' ? 'lazy' : undefined
    const look = `${shape} object-cover`
    return <img src={image_url} alt="" width={96} height={96} loading={loading} {...image} className={look} />
  }
  return (
    <span aria-hidden="true" className={`${shape} grid place-items-center bg-lilac font-display text-primary`}>
      {initialOf(name)}
    </span>
  )
}

export { initialOf }
