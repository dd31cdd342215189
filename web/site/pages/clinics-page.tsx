import { Suspense, useRef } from 'react'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { useSeen } from '../../ui/in-view.ts'
import { Application } from '../recruitment/application.tsx'
import { WithApplyBar } from '../recruitment/apply-bar.tsx'
import { Hero } from '../recruitment/hero.tsx'
import { OfferClock, SpecialOffer } from '../recruitment/offer.tsx'
import {
  Faq,
  GetStarted,
  KeyPoints,
  ProviderNetwork,
  Research,
  Testimonial,
  WhyOffer,
} from '../recruitment/sections.tsx'
import { ShortForm } from '../recruitment/short-form.tsx'
import { VideoExplainer } from '../recruitment/video-explainer.tsx'

const RecruitmentMap = lazyPart(() => import('../map/recruitment-map.tsx').then((part) => part.RecruitmentMap))

/** Shows the page that invites clinics to join the network. */
export function ClinicsPage() {
  return (
    <>
      <PageMeta />
      <WithApplyBar>
        <OfferClock>
          <Hero />
          <ShortForm />
          <VideoExplainer />
          <KeyPoints />
          <Testimonial />
          <Research />
          <ProviderNetwork map={<MapWhenNear />} />
          <WhyOffer />
          <GetStarted />
          <SpecialOffer />
          <Faq />
        </OfferClock>
      </WithApplyBar>
      {/* Not within the clock: where something ticks before a form is hydrated, React throws the server's form away. */}
      <Application />
    </>
  )
}

/** Shows the map once it is near the window, because the map and its tiles are most of the page's download. */
function MapWhenNear() {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useSeen(place, '50%')
  const loading = (
    <p className="grid min-h-183 place-content-center rounded-2xl border border-line bg-mist text-quiet sm:min-h-155">
      Loading provider map...
    </p>
  )
  return (
    <div ref={place}>
      {isNear ? (
        <Suspense fallback={loading}>
          <RecruitmentMap />
        </Suspense>
      ) : (
        loading
      )}
    </div>
  )
}
