import type { ReactNode } from 'react'
import { brand } from '../../core/brand/brand.ts'
import { formatPhone, telUrl } from '../../core/contract/texts.ts'

type Props = { phone: string; className?: string; children?: ReactNode }

export function PhoneLink({ phone, className, children = formatPhone(phone) }: Props) {
  const url = telUrl(phone)
  if (url === null) return <span>{children}</span>
  return (
    <a href={url} className={className}>
      {children}
    </a>
  )
}

const LINK = 'font-semibold text-secondary underline underline-offset-4 hover:text-primary'

type WriteOrCallProps = { startsSentence?: boolean; linkClass?: string }

export function WriteOrCall({ startsSentence = false, linkClass = LINK }: WriteOrCallProps) {
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
