import type { ReactNode } from 'react'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { Faq } from '../landing/faq.tsx'
import { HowItWorks } from '../landing/how-it-works.tsx'
import { Results } from '../landing/results.tsx'
import { WhatIs } from '../landing/what-is.tsx'
import { WhyMenTrust } from '../landing/why-men-trust.tsx'
import { SizeCalculator } from '../size-calculator/size-calculator.tsx'

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
