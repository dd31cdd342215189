import type { ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { NOTICES_PATH } from '../../../core/contract/page.ts'
import { type ClinicOfPage, clinicOf, useProviderOfPage } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { paths } from '../../paths.ts'
import { PhoneLink } from '../../shared/contact-links.tsx'
import { ClinicWordmark, Logo } from '../../shared/logo.tsx'
import { BecomeProviderLink, FormLink, PageLink } from '../../shared/page-link.tsx'
import { FORM_PAGES, Header } from './header.tsx'

const MAIN = 'main'

type Props = {
  /** The provider's logo, on a provider's page. */
  logo?: ReactNode
  /** The links to the policies in the footer. */
  policies?: ReactNode
}

/** Shows the header and footer around every public page. */
export function SiteShell({ logo, policies }: Props) {
  const ofPage = useProviderOfPage()
  const clinic = ofPage.known && ofPage.provider ? clinicOf(ofPage.provider) : undefined
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN}`}
        data-section={MAIN}
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-lg focus:bg-white focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <Banner />
      <Header logo={logo} phone={clinic?.phone && <HeaderPhone phone={clinic.phone} />} />
      <main id={MAIN} tabIndex={-1} className="flex grow flex-col *:w-full">
        <Outlet />
      </main>
      <Footer clinic={clinic} policies={policies} />
    </div>
  )
}

/** Shows the banner. It leads to the form, but not after a form was sent. */
function Banner() {
  const words = (
    <>
      <span className="whitespace-nowrap">{brand.claims.banner[0]}</span>{' '}
      <span className="whitespace-nowrap">{brand.claims.banner[1]}</span>
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

function HeaderPhone({ phone }: { phone: string }) {
  return (
    <PhoneLink
      phone={phone}
      className="flex min-h-11 items-center font-semibold whitespace-nowrap text-secondary hover:underline hover:underline-offset-4 max-xl:hidden print:hidden"
    />
  )
}

const CONTACT = 'min-h-6 hover:text-white hover:underline'

/** Shows the footer. On a clinic's pages it has the clinic's name and phone. */
function Footer({ clinic, policies }: { clinic?: ClinicOfPage; policies?: ReactNode }) {
  const { pathname } = useLocation()
  const phone = clinic?.phone ?? brand.phone
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
            {!FORM_PAGES.includes(pathname) && <Pages isClinics={clinic !== undefined} />}
            {policies}
          </div>
        </div>
        <span aria-hidden="true" className="scale-x mt-10 block h-3 text-lilac/35" />
        <div className="mt-5 flex flex-wrap justify-between gap-x-10 gap-y-2 text-sm">
          <Copyright />
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            <a href={`mailto:${brand.email}`} className={CONTACT}>
              {brand.email}
            </a>
            <PhoneLink phone={phone} className={CONTACT} />
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

const FOOTER_LINK =
  'inline-flex min-h-9 items-center rounded text-sm underline-offset-4 hover:text-white hover:underline'

/** Shows links to the pages that are not sections of the home page: a second way to each of them. */
function Pages({ isClinics }: { isClinics: boolean }) {
  return (
    <ul className="-mt-1.5">
      <li>
        <PageLink to={paths.map} className={FOOTER_LINK}>
          Provider Map
        </PageLink>
      </li>
      {!isClinics && (
        <li>
          <BecomeProviderLink className={FOOTER_LINK} />
        </li>
      )}
    </ul>
  )
}

/** Shows the current year, which may be later than the year of the prerendered page. */
function Copyright() {
  const year = useHydrated() ? new Date().getFullYear() : import.meta.env.VITE_BUILD_YEAR
  return (
    <p>
      © {year} {brand.company}. All rights reserved.
    </p>
  )
}
