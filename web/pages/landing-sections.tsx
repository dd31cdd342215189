import type { ReactNode } from 'react'
import { Faq } from '../features/landing/faq.tsx'
import { HowItWorks } from '../features/landing/how-it-works.tsx'
import { Results } from '../features/landing/results.tsx'
import { WhatIs } from '../features/landing/what-is.tsx'
import { WhyMenTrust } from '../features/landing/why-men-trust.tsx'
import { SizeCalculator } from '../features/size-calculator/size-calculator.tsx'
import type { ClinicOfPage } from '../lib/provider-of-page.ts'

type Props = {
  /** Whose site it is, if it is a clinic's. */
  clinic?: ClinicOfPage
  children?: ReactNode
}

/** What the home page and the clinics' sites say below the form. `children` stands before the results. */
export function LandingSections({ clinic, children }: Props) {
  return (
    <>
      <WhatIs />
      <HowItWorks clinic={clinic} />
      <WhyMenTrust clinic={clinic} />
      {children}
      <Results calculator={<SizeCalculator />} />
      <Faq clinic={clinic} />
    </>
  )
}
