import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../core/brand.ts'
import { Hero } from '../features/landing/hero.tsx'
import { RequestJourney } from '../features/landing/request-journey.tsx'
import { LeadFormCard } from '../features/lead-form/lead-form-card.tsx'
import { parseId } from '../lib/ids.ts'
import { PageMeta } from '../ui/page-meta.tsx'

const DESCRIPTION = `The ${brand.product} is a non-surgical program guided by certified, independent providers. Find the one nearest to you and claim a free, private consultation.`

export function LandingPage() {
  const [query] = useSearchParams()
  useForgetOutcome()

  return (
    <>
      <PageMeta description={DESCRIPTION} />
      <Hero form={<LeadFormCard providerId={parseId(query.get('providerId'))} />} />
      <RequestJourney />
    </>
  )
}

/** Removes from the address what an earlier visit to the form has left there. */
function useForgetOutcome() {
  const [query, setQuery] = useSearchParams()

  useEffect(() => {
    if (!query.has('success') && !query.has('error')) return
    setQuery(
      (old) => {
        old.delete('success')
        old.delete('error')
        return old
      },
      { replace: true },
    )
  }, [query, setQuery])
}
