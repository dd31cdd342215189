import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { lazyOnInteraction } from '../../lib/lazy-parts.ts'
import { anchors } from '../../paths.ts'
import { PageMeta } from '../../ui/page-meta.tsx'
import { AsSeenOn } from '../landing/as-seen-on.tsx'
import { Hero } from '../landing/hero.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'

// There is much of it, and its HTML is whole without a script.
const LandingSections = lazyOnInteraction(
  () => import('./landing-sections.tsx').then((part) => part.LandingSections),
  `#${anchors.whatIs}`,
)

const DESCRIPTION = `The ${brand.product} is a non-surgical program guided by certified, independent providers. Find the one nearest to you and claim a free, private consultation.`

export function LandingPage() {
  return (
    <>
      <PageMeta description={DESCRIPTION} />
      <Hero form={<LeadFormCard />} />
      <AsSeenOn />
      <Suspense>
        <LandingSections />
      </Suspense>
    </>
  )
}
