import { type ComponentType, createElement, Suspense, useState } from 'react'
import { Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { lazyPart, loadParts } from './lib/lazy-parts.ts'
import { useHydrated } from './lib/use-hydrated.ts'
import { useScrollOnNavigation } from './lib/use-scroll-on-navigation.ts'
import { type PageName, pageAt, pages } from './pages.ts'
import { paths } from './paths.ts'
import { PlainShell } from './shared/plain-shell.tsx'
import { isAdChoiceOffered, useAdvertiser } from './site/ad-consent.ts'
import { PolicyLinks } from './site/legal/policy-links.tsx'
import { ProviderLogo } from './site/providers/with-provider-of-page.tsx'
import { SiteShell } from './site/shell/site-shell.tsx'

const NotFoundPage = lazyPart(() => import('./site/pages/not-found-page.tsx').then((page) => page.NotFoundPage))
const AdConsent = lazyPart(() => import('./site/ad-consent-banner.tsx').then((part) => part.AdConsent))

/**
 * The component of each page. It is in `site/pages/`, or in the folder of its audience, in a file of the page's name:
 * `findProvider` in `find-provider-page.tsx`.
 */
const COMPONENTS: Record<PageName, () => Promise<ComponentType>> = {
  home: () => import('./site/pages/home-page.tsx').then(({ HomePage }) => HomePage),
  start: () => import('./site/pages/start-page.tsx').then(({ StartPage }) => StartPage),
  findProvider: () => import('./site/pages/find-provider-page.tsx').then(({ FindProviderPage }) => FindProviderPage),
  microsite: () => import('./site/pages/microsite-page.tsx').then(({ MicrositePage }) => MicrositePage),
  map: () => import('./site/pages/map-page.tsx').then(({ MapPage }) => MapPage),
  clinics: () => import('./site/pages/clinics-page.tsx').then(({ ClinicsPage }) => ClinicsPage),
  success: () => import('./site/pages/success-page.tsx').then(({ SuccessPage }) => SuccessPage),
  privacy: () => import('./site/pages/privacy-page.tsx').then(({ PrivacyPage }) => PrivacyPage),
  healthPrivacy: () =>
    import('./site/pages/health-privacy-page.tsx').then(({ HealthPrivacyPage }) => HealthPrivacyPage),
  terms: () => import('./site/pages/terms-page.tsx').then(({ TermsPage }) => TermsPage),
  refunds: () => import('./site/pages/refunds-page.tsx').then(({ RefundsPage }) => RefundsPage),
  optOut: () =>
    import('./site/pages/link-pages.tsx').then((file) => () => createElement(file.OptOutPage, { of: 'person' })),
  clinicOptOut: () =>
    import('./site/pages/link-pages.tsx').then((file) => () => createElement(file.OptOutPage, { of: 'clinic' })),
  request: () => import('./clinic/request-page.tsx').then(({ RequestPage }) => RequestPage),
  clinic: () => import('./clinic/clinic-page.tsx').then(({ ClinicPage }) => ClinicPage),
  called: () => import('./site/pages/link-pages.tsx').then(({ CalledPage }) => CalledPage),
  phoneNumber: () => import('./site/pages/link-pages.tsx').then(({ PhoneNumberPage }) => PhoneNumberPage),
  admin: () =>
    import('./dashboard/dashboard.tsx').then((file) => () => createElement(file.AdminPage, { gate: 'server' })),
  choosePassword: () => import('./dashboard/password-link-page.tsx').then(({ PasswordLinkPage }) => PasswordLinkPage),
  getmpx: () =>
    import('./dashboard/dashboard.tsx').then((file) => () => createElement(file.AdminPage, { gate: 'password' })),
}

const routes = Object.entries(pages).map(([name, { path, rendered, audience, shell }]) => {
  const Page = lazyPart(COMPONENTS[name as PageName], { isPage: true })
  const around = shell ?? (rendered === 'browser' || audience ? 'own' : 'site')
  return { path, load: Page.load, around, route: <Route key={path} path={path} element={<Page />} /> }
})

/** Loads a page with all its parts, so that it can be drawn in one go. @throws what the second try of one throws */
export async function loadPage(pathname: string): Promise<void> {
  const path = pageAt(pathname)?.path
  await routes.find((route) => route.path === path)?.load()
  await loadParts()
}

export function AppRoutes() {
  useScrollOnNavigation()
  const within = (shell: (typeof routes)[number]['around']) =>
    routes.filter(({ around }) => around === shell).map(({ route }) => route)

  return (
    <Routes>
      <Route element={<Site />}>
        <Route element={<Part />}>
          {within('site')}
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
      <Route element={<Plain />}>
        <Route element={<Part />}>{within('plain')}</Route>
      </Route>
      <Route element={<Part />}>{within('own')}</Route>
    </Routes>
  )
}

/**
 * Renders the shell around a page for visitors, and asks for consent to ads where a clinic uses them. The footer opens the
 * question again.
 */
function Site() {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const [isReopened, setReopened] = useState(false)
  const advertiser = useAdvertiser()
  const hasChoice = isHydrated && isAdChoiceOffered(advertiser)

  return (
    <>
      <SiteShell
        logo={<ProviderLogo />}
        policies={<PolicyLinks onAdChoice={hasChoice ? () => setReopened(true) : undefined} />}
      />
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

const PRIVACY = (
  <p>
    <a href={pages.privacy.path} className="inline-block min-h-6 underline underline-offset-3">
      {pages.privacy.title}
    </a>
  </p>
)

/** Renders the shell of pages that are about one matter. */
function Plain() {
  return (
    <PlainShell footer={PRIVACY}>
      <Outlet />
    </PlainShell>
  )
}

/** Keeps the shell on the screen while a page loads. */
function Part() {
  return (
    <Suspense>
      <Outlet />
    </Suspense>
  )
}
