import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { type ClinicOfPage, useClinicOfPage } from '../../lib/provider-of-page.ts'
import { PageMeta } from '../../shared/page-meta.tsx'

const ProviderFinder = lazyPart(() => import('../lead-form/provider-finder.tsx').then((part) => part.ProviderFinder))

const FREE = { term: 'Free to ask', text: 'The consultation costs nothing, and nothing is charged on this site.' }
const PROMISES = [
  { term: 'Independent', text: 'Certified clinics near you. They advise and treat; we introduce.' },
  { term: 'Private', text: 'No account, no newsletter: your details put you in touch with a clinic.' },
  FREE,
]

export function FindProviderPage() {
  const clinic = useClinicOfPage()
  return (
    <>
      <PageMeta />
      <div className="grow bg-mist">
        <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] items-start gap-x-16 gap-y-8 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[minmax(0,1fr)_30rem] lg:py-20">
          <div className="lg:pt-6">
            <h1 className="font-display text-[2.625rem] leading-[1.05] font-medium tracking-tight text-ink sm:text-6xl">
              Want to Increase Size?
            </h1>
            <p className="mt-4 max-w-[32rem] text-lg leading-relaxed">
              The {brand.product} works without surgery and without fillers, guided by{' '}
              {clinic?.name ?? 'a provider near you'}.
            </p>
            <Promises clinic={clinic} className="mt-10 max-lg:hidden" />
          </div>
          <div className="mx-auto w-full max-w-xl lg:max-w-none">
            <Suspense>
              <ProviderFinder />
            </Suspense>
          </div>
          <Promises clinic={clinic} className="lg:hidden" />
        </div>
      </div>
    </>
  )
}

function Promises({ clinic, className }: { clinic?: ClinicOfPage; className: string }) {
  const promises = PROMISES.filter((promise) => promise !== FREE || clinic?.isFree !== false)
  return (
    <dl className={`relative grid gap-5 pl-9 ${className}`}>
      <div aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60" />
      {promises.map(({ term, text }) => (
        <div key={term}>
          <dt className="font-semibold text-ink">{term}</dt>
          <dd className="max-w-[28.5rem]">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
