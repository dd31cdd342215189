import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { telUrl } from '../../../core/contract/texts.ts'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { usePageData } from '../../lib/page-data.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { parseId } from '../../lib/texts.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { ClinicPicture, ProviderActions, ProviderFacts } from '../../shared/providers/provider-details.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Drawing, Tick } from '../../ui/drawing.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import {
  CARD,
  HEADING,
  matchedSteps,
  NextSteps,
  Panel,
  reviewSteps,
  StarterKit,
  searchSteps,
} from './thank-you-panels.tsx'

export function SuccessPage() {
  return (
    <>
      <PageMeta />
      <Outcome />
    </>
  )
}

function Outcome() {
  const [query] = useSearchParams()
  const providerId = query.get('providerId')

  if (query.get('noProvider') === 'true') {
    return (
      <ThankYou message="We've received your information and our team will search for providers in your area!">
        <Panel id="no-provider-heading" title="No Provider Found Yet" className="lg:order-1">
          <p className="mt-2 max-w-[60ch] leading-relaxed">
            There is no certified provider close to your zip code. You can help: ask a men’s clinic near you to become
            certified for the {brand.product}. When one joins, your request is passed on to them.
          </p>
        </Panel>
        <NextSteps steps={searchSteps} />
        <StarterKit className="lg:order-2 lg:col-span-2" />
        <p className={`${CARD} p-4 text-center font-semibold text-balance text-ink lg:order-3 lg:col-span-2`}>
          We'll continue searching for providers in your area
        </p>
      </ThankYou>
    )
  }
  if (query.get('inReview') === 'true') {
    return (
      <ThankYou message="We've received your information, and our team will review your request.">
        <NextSteps steps={reviewSteps} />
        <StarterKit />
      </ThankYou>
    )
  }
  if (providerId !== null) {
    return (
      <ThankYou message="We've sent your contact info to the provider below—stay tuned for their call!">
        <QueryProvider>
          <Matched id={parseId(providerId)} />
        </QueryProvider>
      </ThankYou>
    )
  }
  return (
    <ThankYou message="Thank you for your interest.">
      <Panel id="next-heading" title="What Happens Next">
        <p className="mt-2 max-w-[54ch] leading-relaxed">
          If you have sent a request, you will get an email that says who will call you. Nothing else is needed from
          you.
        </p>
      </Panel>
      <StarterKit />
    </ThankYou>
  )
}

function ThankYou({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div className="flex grow flex-col bg-mist">
      <div className="on-dark relative isolate overflow-clip bg-primary text-white">
        <Drawing
          of="dial"
          className="absolute top-full left-full -z-10 size-[42rem] -translate-1/2 text-lilac max-lg:hidden"
        />
        <div className="mx-auto max-w-6xl px-4 py-9 sm:px-6 sm:py-12">
          <p role="status" className="flex items-start gap-2 leading-snug font-semibold text-lilac sm:gap-3 sm:text-lg">
            <Tick className="text-white" />
            {message}
          </p>
          <h1 className="mt-4 max-w-3xl font-display text-[2rem] leading-[1.1] font-medium tracking-tight sm:text-[3.25rem]">
            {brand.claims.successHeadline}
          </h1>
        </div>
      </div>
      <div className="mx-auto grid w-full max-w-6xl grow grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 py-8 sm:gap-6 sm:px-6 sm:py-10 lg:grid-cols-[minmax(0,1fr)_25rem] lg:content-center">
        {children}
      </div>
    </div>
  )
}

function Matched({ id }: { id: number | undefined }) {
  const { chosen } = usePageData()
  const isHydrated = useHydrated()
  const known = chosen && chosen.id === id ? chosen.provider : null
  const { data, isPending } = useQuery({
    ...providerQuery({ id: id ?? 0 }),
    enabled: id !== undefined,
    initialData: known ?? undefined,
  })
  // The header loads the same provider, and may have the answer before this part is hydrated.
  const isLoading = id !== undefined && (isPending || !(known || isHydrated))
  const provider = data && !isLoading ? shownOf(data) : null
  return (
    <>
      <section aria-labelledby="provider-heading" className={`${CARD} flex flex-col`}>
        <div className="flex grow flex-col p-5 sm:p-7">
          <h2 id="provider-heading" className={HEADING}>
            Provider Near You:
          </h2>
          <div className="mt-5 flex grow flex-col" aria-live="polite">
            {provider ? <Found provider={provider} /> : isLoading ? <Loading /> : <Unavailable />}
            {isLoading && !isHydrated && (
              <div className="hidden noscript:grid">
                <Unavailable />
              </div>
            )}
          </div>
        </div>
      </section>
      <NextSteps steps={matchedSteps(provider)} />
      <StarterKit className="lg:col-span-2" />
    </>
  )
}

/** Leaves out the contact of a provider that is no longer active. Visitors do not get it from the API, but staff do. */
function shownOf(provider: MicrositeProvider): MicrositeProvider {
  if (provider.status === 't') return provider
  return { ...provider, phone: null, website: null, latitude: null, longitude: null }
}

const FOUND =
  'grid grow grid-cols-[min(7.5rem,34%)_minmax(0,1fr)] content-start items-center gap-4 sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-x-7'

function Found({ provider }: { provider: MicrositeProvider }) {
  const { name, practiceName } = provider
  return (
    <>
      <div className={FOUND}>
        <ClinicPicture provider={provider} letterOf={name} isFirst className="rounded-xl sm:row-span-2" />
        <div className="min-w-0 wrap-anywhere sm:self-end">
          <p className="text-lg leading-snug font-semibold text-ink sm:text-xl">{name}</p>
          {practiceName && <p className="mt-0.5 leading-snug">{practiceName}</p>}
        </div>
        <div className="max-sm:col-span-2 sm:self-start">
          <ProviderFacts provider={provider} />
        </div>
      </div>
      <div className="mt-6 sm:mt-7">
        <ProviderActions provider={provider} />
      </div>
    </>
  )
}

function Loading() {
  return (
    <div className="noscript:hidden">
      <div className={FOUND}>
        <div className="relative sm:row-span-2">
          <Skeleton className="aspect-4/3 w-full rounded-xl!" />
          <p data-live className="absolute inset-0 grid place-items-center p-3 text-center text-sm text-quiet">
            Loading provider information...
          </p>
        </div>
        {['sm:self-end', 'max-sm:col-span-2 sm:self-start'].map((place) => (
          <div key={place} className={`grid gap-3 ${place}`}>
            <Skeleton className="h-6 w-44 max-w-full" />
            <Skeleton className="h-5 w-56 max-w-full" />
          </div>
        ))}
      </div>
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        {[1, 2].map((button) => (
          <Skeleton key={button} className="h-11 rounded-full!" />
        ))}
      </div>
    </div>
  )
}

function Unavailable() {
  const callUrl = telUrl(brand.phone)
  return (
    <div className="grid grow content-between gap-6">
      <div>
        <p className="text-lg font-semibold text-ink">Provider information not available.</p>
        <p className="mt-2 max-w-[56ch] leading-relaxed">
          The email about your request says who will call you. Our care team can tell you, too.
        </p>
      </div>
      <p className="grid gap-3 sm:grid-cols-2">
        {callUrl && (
          <a href={callUrl} className={buttonClass()}>
            Call {brand.phone}
          </a>
        )}
        <a href={`mailto:${brand.email}`} className={buttonClass({ variant: 'outline' })}>
          Write to our care team
        </a>
      </p>
    </div>
  )
}
