import { type ReactNode, useEffect, useState } from 'react'
import { formatPhone, isMasked, telUrl } from '../../core/contract/texts.ts'
import { SECOND } from '../../core/contract/time.ts'
import { PhoneLink } from '../shared/contact-links.tsx'
import { toast } from '../ui/toast.ts'

type Props = { className: string }

export function EmailAddress({ email, className }: Props & { email: string }) {
  if (isMasked(email)) return <Masked text={email} className={className} />
  return (
    <a href={`mailto:${encodeURIComponent(email)}`} className={className}>
      {email}
    </a>
  )
}

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

const SHOWN_FOR = 2 * SECOND

/** Copies a text. `what` names it for screen readers: `the email address`. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = window.setTimeout(() => setCopied(false), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast({ variant: 'destructive', title: 'Not copied', description: 'The browser did not allow it.' })
    }
  }

  return (
    <>
      <button type="button" onClick={copy} aria-label={`Copy ${what}`} className={SMALL_LINK}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span role="status" className="sr-only">
        {isCopied && `Copied ${what}`}
      </span>
    </>
  )
}

export const SMALL_LINK =
  'inline-flex min-h-11 items-center rounded-lg px-2 text-[0.8125rem] font-semibold text-secondary hover:bg-mist lg:min-h-7'

const LINK = 'w-fit max-w-full py-0.5 wrap-anywhere text-ink hover:text-secondary hover:underline'

export function Reach({ email, phone, whose }: { email: string; phone: string | null; whose: string }) {
  const callUrl = phone && telUrl(phone)
  return (
    <>
      {phone && (
        <Line value={<PhoneNumber phone={phone} className={LINK} />}>
          {!isMasked(phone) && callUrl && (
            <a href={callUrl} aria-label={`Call ${formatPhone(phone)}`} className={SMALL_LINK}>
              Call
            </a>
          )}
          {!isMasked(phone) && <CopyButton text={formatPhone(phone)} what={`${whose} phone number`} />}
        </Line>
      )}
      <Line value={<EmailAddress email={email} className={LINK} />}>
        {!isMasked(email) && <CopyButton text={email} what={`${whose} email address`} />}
      </Line>
    </>
  )
}

function Line({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2">
      <span className="min-w-0">{value}</span>
      <span className="flex shrink-0 items-center">{children}</span>
    </div>
  )
}
