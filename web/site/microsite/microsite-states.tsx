import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'

export function MicrositeLoading() {
  return (
    <div role="status" data-live className="grid grow place-content-center gap-4 bg-mist px-4 py-24 text-center">
      <span aria-hidden="true" className="scale-x h-6 w-60 animate-pulse text-edge/70" />
      <p className="text-quiet">Loading...</p>
    </div>
  )
}

export function MicrositeNotFound() {
  return (
    <NoMicrosite text="There is no active provider at this address. We can look for one near you.">
      <Link to={paths.home} className={buttonClass({ size: 'large' })}>
        Find a provider near you
      </Link>
    </NoMicrosite>
  )
}

/** Shows that the provider could not be looked up, with a button to retry. */
export function MicrositeUnavailable({ onRetry }: { onRetry: () => void }) {
  return (
    <NoMicrosite text="We cannot load this page right now. The problem is on our side. Please try again in a moment.">
      <Button size="large" onClick={onRetry}>
        Try again
      </Button>
    </NoMicrosite>
  )
}

function NoMicrosite({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="grid grow bg-mist">
      <PageMeta title="Provider not found" hidden />
      <div className="mx-auto grid w-full max-w-6xl content-center px-4 py-24 sm:px-6">
        <div role="alert">
          <h1 className="font-display text-5xl leading-tight font-medium text-ink sm:text-6xl">Provider not found</h1>
          <p className="mt-4 mb-7 max-w-[28rem] text-lg leading-relaxed text-balance">{text}</p>
          {children}
        </div>
      </div>
    </div>
  )
}
