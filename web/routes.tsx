import { type ComponentType, createElement, Suspense } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { lazyPart, loadParts } from './lib/lazy-parts.ts'
import { useScrollOnNavigation } from './lib/use-scroll-on-navigation.ts'
import { type PageName, pageAt, pages } from './pages.ts'
import { SiteShell } from './site/site-shell.tsx'

const NotFoundPage = lazyPart(() => import('./site/pages/not-found-page.tsx').then((page) => page.NotFoundPage))
// For few visitors, so that the first load does without it.
const PlainShell = lazyPart(() => import('./shared/plain-shell.tsx').then((part) => part.PlainShell))

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
      <Route element={<SiteShell />}>
        <Route element={<Part />}>
          {within('site')}
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
      <Route
        element={
          <Suspense>
            <PlainShell footer={PRIVACY}>
              <Part />
            </PlainShell>
          </Suspense>
        }
      >
        {within('plain')}
      </Route>
      <Route element={<Part />}>{within('own')}</Route>
    </Routes>
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

const PRIVACY = (
  <p>
    <a href={pages.privacy.path} className="inline-block min-h-6 underline underline-offset-3">
      {pages.privacy.title}
    </a>
  </p>
)
