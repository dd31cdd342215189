import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useClinicOfPage } from '../../lib/page-data.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Drawing } from '../../ui/drawing.tsx'

const Quiz = lazyPart(() => import('../lead-form/two-step-form.tsx').then((part) => part.Quiz))

const FREE = 'Free consultation'
const ASSURANCES = [FREE, brand.claims.startAssurance, 'Nothing charged on this site']

export function StartPage() {
  const clinic = useClinicOfPage()
  const assurances = ASSURANCES.filter((assurance) => assurance !== FREE || clinic?.isFree !== false)
  return (
    <>
      <PageMeta />
      <div className="on-dark first-screen relative isolate grid grow content-center overflow-clip bg-primary px-4 py-10 text-white sm:px-6 sm:py-16">
        <Drawing
          of="dial"
          className="absolute top-1/2 left-1/2 -z-10 size-176 -translate-1/2 text-lilac sm:size-[min(106vw,70rem)]"
        />
        <div className="mx-auto w-full max-w-lg">
          <Suspense>
            <Quiz />
          </Suspense>
          <ul className="mt-6 flex flex-wrap justify-center gap-x-6 gap-y-1 text-sm text-lilac">
            {assurances.map((assurance) => (
              <li key={assurance}>{assurance}</li>
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}
