import { useImageFault } from '../../lib/use-image-fault.ts'

const SHAPE = 'size-11 shrink-0 rounded-full'

/** A provider's picture, or an icon in its place. */
export function ProviderPicture({ url }: { url: string | null }) {
  const { isFaulty, ...image } = useImageFault()
  if (url && !isFaulty) {
    return <img src={url} alt="" width={44} height={44} loading="lazy" {...image} className={`${SHAPE} object-cover`} />
  }
  return (
    <svg
      viewBox="0 0 44 44"
      aria-hidden="true"
      className={`${SHAPE} bg-lilac text-primary`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M13 32V16l9-5 9 5v16M11 32h22M22 17.5v6M19 20.5h6M19.5 32v-4.5h5V32" />
    </svg>
  )
}
