import { useEffect, useState } from 'react'
import { SECOND } from '../lib/time.ts'
import { toast } from '../ui/toast.ts'

/** How long the button says that it has copied. */
const SHOWN_FOR = 2 * SECOND

/** Copies a text. `what` names it for screen readers: `the e-mail address`. */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
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
      <button type="button" onClick={copy} aria-label={`${label} ${what}`} className={SMALL_LINK}>
        {isCopied ? 'Copied' : label}
      </button>
      <span role="status" className="sr-only">
        {isCopied && `Copied ${what}`}
      </span>
    </>
  )
}

/** The look of a small link or button beside a value. */
export const SMALL_LINK =
  'inline-flex min-h-11 items-center rounded-lg px-2 text-[0.8125rem] font-semibold text-secondary hover:bg-mist lg:min-h-7'
