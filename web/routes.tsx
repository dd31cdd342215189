import { Suspense } from 'react'
import { Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { lazyPart } from './lib/lazy-parts.ts'
import { useProviderOfPage } from './lib/provider-of-page.ts'
import { useScrollOnNavigation } from './lib/use-scroll-on-navigation.ts'
import { paths } from './paths.ts'
import { PolicyLinks } from './site/legal/policy-links.tsx'
import { ProviderLogo } from './site/providers/provider-logo.tsx'
import { SiteShell } from './site/shell/site-shell.tsx'

const HomePage = lazyPart(() => import('./site/pages/home-page.tsx').then((page) => page.HomePage))
const StartPage = lazyPart(() => import('./site/pages/start-page.tsx').then((page) => page.StartPage))
const FindProviderPage = lazyPart(() =>
  import('./site/pages/find-provider-page.tsx').then((page) => page.FindProviderPage),
)
const MicrositeRoute = lazyPart(() => import('./site/pages/microsite-route.tsx').then((page) => page.MicrositeRoute))
const MapPage = lazyPart(() => import('./site/pages/map-page.tsx').then((page) => page.MapPage))
const ClinicsPage = lazyPart(() => import('./site/pages/clinics-page.tsx').then((page) => page.ClinicsPage))
const SuccessPage = lazyPart(() => import('./site/pages/success-page.tsx').then((page) => page.SuccessPage))
const PrivacyPage = lazyPart(() => import('./site/pages/privacy-page.tsx').then((page) => page.PrivacyPage))
const TermsPage = lazyPart(() => import('./site/pages/terms-page.tsx').then((page) => page.TermsPage))
const RefundsPage = lazyPart(() => import('./site/pages/refunds-page.tsx').then((page) => page.RefundsPage))
const ConfirmEmailPage = lazyPart(() =>
  import('./site/pages/confirm-email-page.tsx').then((page) => page.ConfirmEmailPage),
)
const OptOutPage = lazyPart(() => import('./site/pages/opt-out-page.tsx').then((page) => page.OptOutPage))
const NotFoundPage = lazyPart(() => import('./site/pages/not-found-page.tsx').then((page) => page.NotFoundPage))
const AdConsent = lazyPart(() => import('./site/ad-consent/ad-consent.tsx').then((part) => part.AdConsent))
const PasswordLinkPage = lazyPart(() =>
  import('./dashboard/password-link-page.tsx').then((page) => page.PasswordLinkPage),
)
const AdminPage = lazyPart(() => import('./dashboard/admin-page.tsx').then((page) => page.AdminPage))

export function AppRoutes() {
  useScrollOnNavigation()

  return (
    <Routes>
      <Route element={<Site />}>
        <Route element={<Part />}>
          <Route path={paths.home} element={<HomePage />} />
          <Route path={paths.start} element={<StartPage />} />
          <Route path={paths.findProvider} element={<FindProviderPage />} />
          <Route path={paths.microsite} element={<MicrositeRoute />} />
          <Route path={paths.map} element={<MapPage />} />
          <Route path={paths.clinics} element={<ClinicsPage />} />
          <Route path={paths.success} element={<SuccessPage />} />
          <Route path={paths.privacy} element={<PrivacyPage />} />
          <Route path={paths.terms} element={<TermsPage />} />
          <Route path={paths.refunds} element={<RefundsPage />} />
          <Route path={paths.confirmEmail} element={<ConfirmEmailPage />} />
          <Route path={paths.optOut} element={<OptOutPage of="person" />} />
          <Route path={paths.clinicOptOut} element={<OptOutPage of="clinic" />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
      <Route element={<Part />}>
        <Route path={paths.admin} element={<AdminPage gate="server" />} />
        <Route path={paths.choosePassword} element={<PasswordLinkPage />} />
        <Route path={paths.getmpx} element={<AdminPage gate="password" />} />
      </Route>
    </Routes>
  )
}

/** What is around the pages for visitors. */
function Site() {
  const ofPage = useProviderOfPage()
  const { pathname } = useLocation()
  // An answer after the form would measure nothing.
  const advertiser = ofPage.known && pathname !== paths.success ? ofPage.provider : null

  return (
    <>
      <SiteShell logo={<ProviderLogo />} policies={<PolicyLinks />} />
      {advertiser && (
        <Suspense>
          <AdConsent provider={advertiser} />
        </Suspense>
      )}
    </>
  )
}

/** What is around a page stays while the page is being loaded. */
function Part() {
  return (
    <Suspense>
      <Outlet />
    </Suspense>
  )
}
