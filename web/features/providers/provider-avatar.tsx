import { useState } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'

const SHAPE = 'size-20 shrink-0 rounded-full sm:size-24'

/** The provider's picture, or the first letter of the name. */
export function ProviderAvatar({ provider: { name, image_url } }: { provider: PublicProvider }) {
  const [isBroken, setBroken] = useState(false)

  if (image_url && !isBroken) {
    return <img src={image_url} alt="" onError={() => setBroken(true)} className={`${SHAPE} object-cover`} />
  }
  return (
    <span aria-hidden="true" className={`${SHAPE} grid place-items-center bg-lilac font-display text-4xl text-primary`}>
      {name.charAt(0).toUpperCase()}
    </span>
  )
}
