import { isMasked } from '../../core/contract/masking.ts'
import { PhoneLink } from '../shared/phone-link.tsx'

type Props = { className: string }

/** Shows an e-mail address as a link, or as text if it is masked. */
export function EmailAddress({ email, className }: Props & { email: string }) {
  if (isMasked(email)) return <Masked text={email} className={className} />
  return (
    <a href={`mailto:${encodeURIComponent(email)}`} className={className}>
      {email}
    </a>
  )
}

/** Shows a phone number as a link, or as text if it is masked. */
export function PhoneNumber({ phone, className }: Props & { phone: string }) {
  if (isMasked(phone)) return <Masked text={phone} className={className} />
  return <PhoneLink phone={phone} className={className} />
}

function Masked({ text, className }: Props & { text: string }) {
  return (
    <span title="Agents and managers see all of it." className={className.replace(/hover:\S+/g, '')}>
      {text}
    </span>
  )
}
