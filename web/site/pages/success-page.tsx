import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { usePageData } from '../../lib/page-data.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { parseId, telUrl } from '../../lib/texts.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { ProviderDetails } from '../../shared/providers/provider-details.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'

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
        <NoProviderPanel />
        <StarterKit />
        <p className="text-balance text-quiet lg:col-span-2">We'll continue searching for providers in your area</p>
      </ThankYou>
    )
  }
  if (query.get('inReview') === 'true') {
    return (
      <ThankYou message="We've received your information, and our team will review your request.">
        <section aria-labelledby="review-heading" className="rounded-2xl border border-line bg-white p-5 sm:p-7">
          <h2 id="review-heading" className="font-display text-2xl font-medium text-ink">
            What Happens Next
          </h2>
          <p className="mt-2 max-w-[60ch] leading-relaxed">
            A person on our team looks at your request before it goes to a clinic. After that, you get an e-mail that
            says who will call you. If you do not hear from us within two business days, write to{' '}
            <a href={`mailto:${brand.email}`} className="underline underline-offset-3">
              {brand.email}
            </a>{' '}
            or call{' '}
            <a href={telUrl(brand.phone)} className="underline underline-offset-3">
              {brand.phone}
            </a>
            .
          </p>
        </section>
        <StarterKit />
      </ThankYou>
    )
  }
  if (providerId !== null) {
    return (
      <ThankYou message="We've sent your contact info to the provider below—stay tuned for their call!">
        <ProviderNearYou providerId={parseId(providerId)} />
        <StarterKit />
      </ThankYou>
    )
  }
  return (
    <ThankYou message="Thank you for your interest.">
      <p className="max-w-[54ch] self-center text-lg leading-relaxed">
        If you have sent a request, you will get an e-mail that says who will call you. Nothing else is needed from you.
      </p>
      <StarterKit />
    </ThankYou>
  )
}

/** Shows the frame of all thank-you pages: the outcome, and the next steps below it, the most important first. */
function ThankYou({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div className="grow bg-mist">
      <div className="on-dark relative isolate overflow-hidden bg-primary text-white">
        <GraduatedArc className="absolute top-full left-full -z-10 size-[42rem] -translate-1/2 text-lilac max-lg:hidden" />
        <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-14 lg:py-16">
          <p role="status" className="flex items-start gap-3 text-lg leading-snug font-semibold text-lilac">
            <Tick />
            {message}
          </p>
          <h1 className="mt-5 max-w-3xl font-display text-[2.625rem] leading-[1.08] font-medium tracking-tight sm:text-6xl">
            Your Path to Natural Male Enhancement Has Begun!
          </h1>
        </div>
      </div>
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-14">
        {children}
      </div>
    </div>
  )
}

function Tick() {
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0 text-white" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" stroke="currentColor" opacity="0.5" />
      <path d="m7.5 12.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** Shows the link to order the starter kit. The shop is not part of this site. */
function StarterKit() {
  return (
    <section
      aria-labelledby="starter-kit-heading"
      className="on-dark flex flex-wrap content-center items-center justify-between gap-x-8 gap-y-5 rounded-2xl bg-primary p-5 text-white sm:p-7"
    >
      <div className="max-w-[38ch]">
        <h2 id="starter-kit-heading" className="font-display text-2xl font-medium">
          Start while you wait
        </h2>
        <p className="mt-1 text-lilac">
          Order the {brand.product} starter kit and have it at hand for your consultation.
        </p>
      </div>
      <a href={brand.starterKitUrl} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'light' })}>
        Order Your Starter Kit
      </a>
    </section>
  )
}

/** Shows the next steps for a place without a clinic. */
function NoProviderPanel() {
  return (
    <section
      aria-labelledby="no-provider-heading"
      className="grid content-center rounded-2xl border border-line bg-white p-5 sm:p-7"
    >
      <h2 id="no-provider-heading" className="font-display text-2xl font-medium text-ink">
        No Provider Found Yet
      </h2>
      <p className="mt-2 max-w-[60ch] leading-relaxed">
        There is no certified provider close to your zip code. You can help: ask a men’s clinic near you to become
        certified for the {brand.product}. When one joins, your request is passed on to them.
      </p>
    </section>
  )
}

/** Shows the provider that will contact the visitor. */
function ProviderNearYou({ providerId }: { providerId: number | undefined }) {
  return (
    <section aria-labelledby="provider-heading" className="rounded-2xl border border-line bg-white p-5 sm:p-7">
      <h2 id="provider-heading" className="font-display text-2xl font-medium text-ink">
        Provider Near You:
      </h2>
      <div className="mt-5" aria-live="polite">
        <QueryProvider>{providerId === undefined ? <Unavailable /> : <LoadedProvider id={providerId} />}</QueryProvider>
      </div>
    </section>
  )
}

function LoadedProvider({ id }: { id: number }) {
  const { chosen } = usePageData()
  const isHydrated = useHydrated()
  const known = chosen?.id === id ? chosen.provider : null
  const { data: provider, isPending } = useQuery({ ...providerQuery({ id }), initialData: known ?? undefined })
  // The header loads the same provider, and may have the answer before this part is hydrated.
  if (isPending || !(known || isHydrated)) return <p data-live>Loading provider information...</p>
  return provider ? <ProviderDetails provider={provider} /> : <Unavailable />
}

function Unavailable() {
  return <p>Provider information not available.</p>
}
