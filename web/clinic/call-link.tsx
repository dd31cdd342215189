import { type ReactNode, useEffect, useState } from 'react'
import { CALLING_WORDS, type CalledPlace, callingAt } from '../../core/contract/hours.ts'
import { MINUTE } from '../lib/time.ts'
import { ConfirmDialog } from '../ui/confirm.tsx'

type Props = {
  dial: string
  /** Null if it is not known. */
  place: CalledPlace | null
  className?: string
  children: ReactNode
}

/** Dials the number of a visitor. Asks first outside the hours in which one may call there. */
export function CallLink({ dial, place, className, children }: Props) {
  const [asked, setAsked] = useState<string | null>(null)
  const url = `tel:${dial}`
  return (
    <>
      <a
        href={url}
        className={className}
        onClick={(event) => {
          const calling = place && callingAt(place, Date.now())
          if (!calling || calling.isAllowed) return
          event.preventDefault()
          setAsked(calling.words)
        }}
      >
        {children}
      </a>
      {asked && (
        <ConfirmDialog
          title="Call now?"
          variant="primary"
          confirmLabel="Call anyway"
          onConfirm={() => {
            setAsked(null)
            window.location.assign(url)
          }}
          onClose={() => setAsked(null)}
        >
          <p>{asked}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Says what time it is where a visitor is called, and when one may call. `now` is the time of the server (ISO 8601). */
export function CallingHours({ place, now }: { place: CalledPlace | null; now: string }) {
  const [at, setAt] = useState(Date.parse(now))
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  // Live, because the first press of “Call” must find its script.
  return <p data-live>{place ? callingAt(place, at).words : CALLING_WORDS}</p>
}
