import { brand } from '../../core/brand/brand.ts'
import { PhoneLink } from './phone-link.tsx'

const LINK = 'font-semibold text-secondary underline underline-offset-4 hover:text-primary'

type Props = { startsSentence?: boolean; linkClass?: string }

/** Shows how to reach our team, as part of a sentence: "write to … or call …". */
export function WriteOrCall({ startsSentence = false, linkClass = LINK }: Props) {
  return (
    <>
      {startsSentence ? 'Write' : 'write'} to us at{' '}
      <a href={`mailto:${brand.email}`} className={linkClass}>
        {brand.email}
      </a>{' '}
      or call{' '}
      <PhoneLink phone={brand.phone} className={`${linkClass} whitespace-nowrap`}>
        {brand.phone}
      </PhoneLink>
    </>
  )
}
