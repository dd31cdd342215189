import type { ReactNode } from 'react'
import { formatPhone, telUrl } from '../../core/contract/contact.ts'

type Props = { phone: string; className?: string; children?: ReactNode }

/** Shows a phone number as a link that dials it, or as text if it cannot be dialed. */
export function PhoneLink({ phone, className, children = formatPhone(phone) }: Props) {
  const url = telUrl(phone)
  if (url === null) return <span>{children}</span>
  return (
    <a href={url} className={className}>
      {children}
    </a>
  )
}
