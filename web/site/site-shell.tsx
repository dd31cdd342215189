import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { brand } from '../../core/brand/brand.ts'
import { NOTICES_PATH } from '../../core/contract/page.ts'
import { lazyPart } from '../lib/lazy-parts.ts'
import { type ClinicOfPage, useClinicOfPage } from '../lib/page-data.ts'
import { useHydrated } from '../lib/use-hydrated.ts'
import { paths } from '../pages.ts'
import { PhoneLink } from '../shared/contact-links.tsx'
import { ClinicWordmark, Logo } from '../shared/logo.tsx'
import { BecomeProviderLink, FormLink, PageLink } from '../shared/page-link.tsx'
import { adChoiceOf, useAdvertiser } from './ad-consent.ts'
import { FORM_PAGES, Header } from './header.tsx'
import { PolicyLinks } from './legal/policy-links.tsx'

const MAIN = 'main'

const AdConsent = lazyPart(() => import('./ad-consent-banner.tsx').then((part) => part.AdConsent))

/** Shows what is around every page for visitors, and asks for consent to ads where a clinic uses them; the footer asks again. */
export function SiteShell() {
  const { pathname } = useLocation()
  const clinic = useClinicOfPage()
  const isHydrated = useHydrated()
  const [isReopened, setReopened] = useState(false)
  const advertiser = useAdvertiser()
  const hasChoice = isHydrated && adChoiceOf(advertiser) !== 'none'
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a
          href={`#${MAIN}`}
          data-section={MAIN}
          className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-lg focus:bg-white focus:px-4 focus:py-2"
        >
          Skip to content
        </a>
        <Banner />
        <Header phone={clinic?.phone} />
        <main id={MAIN} tabIndex={-1} className="flex grow flex-col *:w-full">
          <Outlet />
        </main>
        <Footer clinic={clinic} onAdChoice={hasChoice ? () => setReopened(true) : undefined} />
      </div>
      {advertiser && (
        <Suspense>
          <AdConsent
            provider={advertiser}
            // On the page after the form, consent would come too late to measure anything.
            asks={pathname !== paths.success}
            isReopened={isReopened}
            onAnswered={() => setReopened(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function Banner() {
  const words = (
    <>
      <span className="inline-block">{brand.claims.banner[0]}</span>{' '}
      <span className="inline-block">{brand.claims.banner[1]}</span>
    </>
  )
  const look = 'block px-4 py-2 font-semibold text-balance'
  return (
    <section
      aria-label="Announcement"
      className="on-dark bg-night text-center print:hidden text-[0.8125rem] text-white sm:text-sm"
    >
      {useLocation().pathname === paths.success ? (
        <p className={look}>{words}</p>
      ) : (
        <FormLink className={`${look} hover:underline hover:underline-offset-4 focus-visible:-outline-offset-4`}>
          {words}
        </FormLink>
      )}
    </section>
  )
}

const FOOTER_LINK =
  'inline-flex min-h-9 items-center rounded text-sm underline-offset-4 hover:text-white hover:underline'

const CONTACT = 'min-h-6 hover:text-white hover:underline'

function Footer({ clinic, onAdChoice }: { clinic?: ClinicOfPage; onAdChoice?: () => void }) {
  const { pathname } = useLocation()
  const phone = clinic?.phone ?? brand.phone
  // It may be later than the year of the prerendered page.
  const year = useHydrated() ? new Date().getFullYear() : import.meta.env.VITE_BUILD_YEAR
  return (
    <footer className="below-fold on-dark bg-night text-lilac print:hidden">
      <div className="mx-auto max-w-6xl px-4 pt-12 pb-8 sm:px-6 lg:pt-14">
        <div className="flex flex-wrap items-start justify-between gap-x-16 gap-y-8">
          <div className="min-w-0 grow basis-80">
            <PageLink to={paths.home} className="inline-flex max-w-full items-center rounded-md text-white">
              {clinic ? <ClinicWordmark name={clinic.name} /> : <Logo />}
              <span className="sr-only"> home</span>
            </PageLink>
            {clinic && (
              <p className="mt-5 wrap-anywhere text-white">
                {clinic.name} offers the {brand.product}.
              </p>
            )}
            <p className={`${clinic ? 'mt-2' : 'mt-5'} max-w-[62ch] text-sm leading-relaxed`}>
              Results vary from person to person and are not guaranteed. What you read here is information, not medical
              advice. {brand.company} is not a medical provider: consultations, treatment, fees and refunds are handled
              by independent providers.
            </p>
          </div>
          <div className="flex flex-wrap gap-x-12">
            {!FORM_PAGES.includes(pathname) && (
              <ul className="-mt-1.5">
                <li>
                  <PageLink to={paths.map} className={FOOTER_LINK}>
                    Provider Map
                  </PageLink>
                </li>
                {!clinic && (
                  <li>
                    <BecomeProviderLink className={FOOTER_LINK} />
                  </li>
                )}
              </ul>
            )}
            {/* Navigation closes an open dialog. */}
            <PolicyLinks key={pathname} onAdChoice={onAdChoice} />
          </div>
        </div>
        <span aria-hidden="true" className="scale-x mt-10 block h-3 text-lilac/35" />
        <div className="mt-5 flex flex-wrap justify-between gap-x-10 gap-y-2 text-sm">
          <p>
            © {year} {brand.company}. All rights reserved.
          </p>
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            <span>
              {clinic && `${brand.company} `}
              <a href={`mailto:${brand.email}`} className={CONTACT}>
                {brand.email}
              </a>
            </span>
            <span>
              {clinic?.phone && 'Clinic '}
              <PhoneLink phone={phone} className={CONTACT} />
            </span>
          </p>
        </div>
        <div className="mt-3 flex flex-wrap justify-between gap-x-10 gap-y-1 text-sm">
          <address className="not-italic">
            {brand.legalName}, {brand.postalAddress}
          </address>
          <a href={NOTICES_PATH} className={CONTACT}>
            Open-source notices
          </a>
        </div>
      </div>
    </footer>
  )
}
