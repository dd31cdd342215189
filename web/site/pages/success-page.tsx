import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { parseId } from '../../lib/ids.ts'
import { telUrl } from '../../lib/links.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { ProviderNearYou } from '../providers/provider-near-you.tsx'
import { NoProviderPanel } from '../success/no-provider-panel.tsx'
import { StarterKit } from '../success/starter-kit.tsx'
import { ThankYou } from '../success/thank-you.tsx'

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
