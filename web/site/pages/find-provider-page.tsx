import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { type ClinicOfPage, useClinicOfPage } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Drawing } from '../../ui/drawing.tsx'

const ProviderFinder = lazyPart(() => import('../lead-form/two-step-form.tsx').then((part) => part.ProviderFinder))

const { creator, study } = brand

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
      <div className="first-screen relative isolate grid grow overflow-clip bg-mist md:content-center">
        <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] items-center gap-x-16 gap-y-8 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[minmax(0,1fr)_30rem] lg:py-20">
          <div>
            <h1 className="font-display text-[2.625rem] leading-[1.05] font-medium tracking-tight text-ink max-sm:max-w-[8em] sm:text-6xl lg:text-[3.5rem]">
              {brand.claims.finderHeadline}
            </h1>
            {/* Narrow enough on a phone that the fallback font, which is not quite as wide, has its lines break at the same words. */}
            <p className="mt-4 max-w-[32rem] text-lg leading-relaxed max-[30rem]:max-w-[24rem]">
              {brand.claims.finderText(clinic?.name ?? 'a provider near you')}
            </p>
            <Reasons clinic={clinic} className="mt-10 max-lg:hidden" />
          </div>
          <div className="lg:relative">
            <Drawing
              of="dial"
              className="absolute -top-36 -right-52 -z-10 size-80 text-secondary max-[359px]:-right-64 md:-right-72 md:size-104 lg:top-1/2 lg:right-auto lg:left-1/2 lg:size-[46rem] lg:-translate-1/2"
            />
            <Suspense>
              <ProviderFinder />
            </Suspense>
          </div>
          <Reasons clinic={clinic} className="mt-4 md:grid-cols-2 lg:hidden" />
        </div>
      </div>
    </>
  )
}

function Reasons({ clinic, className }: { clinic?: ClinicOfPage; className: string }) {
  const promises = PROMISES.filter((promise) => promise !== FREE || clinic?.isFree !== false)
  return (
    <div className={`grid gap-x-12 gap-y-8 ${className}`}>
      <dl className="relative grid content-start gap-5 pl-9">
        <div aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60" />
        {promises.map(({ term, text }) => (
          <div key={term}>
            <dt className="font-semibold text-ink">{term}</dt>
            <dd className="max-w-[28.5rem]">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="grid max-w-[32rem] grid-cols-[6rem_1fr] items-center gap-x-5 self-start rounded-2xl bg-paper p-3 pr-5">
        <img src={creator.portrait} alt={`Portrait of ${creator.name}`} width="320" height="432" loading="lazy" />
        <p className="leading-snug">
          <strong className="font-semibold text-ink">{creator.name}</strong>
          <span className="block text-secondary">{creator.role}</span>
          <span className="mt-2 block text-sm">
            {study.satisfaction} of the {study.participants} participants in the study were satisfied. Individual
            results vary.
          </span>
        </p>
      </div>
    </div>
  )
}
