import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import type { MicrositeProvider } from '../../../core/contract/providers.ts'
import { lazyOnInteraction } from '../../lib/lazy-parts.ts'
import { clinicOf } from '../../lib/provider-of-page.ts'
import { anchors } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { ProviderDetails } from '../../shared/providers/provider-details.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { Clinic } from '../microsite/clinic.tsx'
import { MicrositeHero } from '../microsite/microsite-hero.tsx'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { PaymentPlans } from '../microsite/payment-plans.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'

const LandingSections = lazyOnInteraction(
  () => import('./landing-sections.tsx').then((part) => part.LandingSections),
  `#${anchors.whatIs}`,
)

/** The site of the provider that the address or the host names. */
export function MicrositePage() {
  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={<MicrositeNotFound />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => <Microsite provider={provider} />}
    </WithProviderOfPage>
  )
}

/** A clinic's own site. */
export function Microsite({ provider }: { provider: MicrositeProvider }) {
  const clinic = clinicOf(provider)

  return (
    <>
      <PageMeta
        title={clinic.name}
        description={`${clinic.name} offers the ${brand.product}: no surgery, no fillers. Send your details to find out if you qualify.`}
      />
      <MicrositeHero
        clinic={clinic.name}
        form={
          <LeadFormCard
            providerId={provider.id}
            heading={clinic.isFree ? 'Secure My FREE Consultation Now:' : 'Find Out If You Qualify Now:'}
            text={`Submit the form to connect with ${clinic.name}.`}
          />
        }
      />
      <Suspense>
        <LandingSections clinic={clinic}>
          {provider.accepts_financing && <PaymentPlans clinic={clinic} />}
          <Clinic provider={provider} details={<ProviderDetails provider={provider} />} />
        </LandingSections>
      </Suspense>
    </>
  )
}
