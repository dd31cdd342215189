import { Suspense, useState } from 'react'
import { Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { lazyPart, loadParts } from './lib/lazy-parts.ts'
import { useHydrated } from './lib/use-hydrated.ts'
import { useScrollOnNavigation } from './lib/use-scroll-on-navigation.ts'
import { pageAt, pages } from './pages.ts'
import { paths } from './paths.ts'
import { PlainShell } from './shared/plain-shell.tsx'
import { isAdChoiceOffered, useAdvertiser } from './site/ad-consent.ts'
import { PolicyLinks } from './site/legal/policy-links.tsx'
import { ProviderLogo } from './site/providers/provider-logo.tsx'
import { SiteShell } from './site/shell/site-shell.tsx'

const NotFoundPage = lazyPart(() => import('./site/pages/not-found-page.tsx').then((page) => page.NotFoundPage))
const AdConsent = lazyPart(() => import('./site/ad-consent-banner.tsx').then((part) => part.AdConsent))

const routes = Object.values(pages).map(({ path, rendered, audience, shell, component }) => {
  const Page = lazyPart(component, { isPage: true })
  const around = shell ?? (rendered === 'browser' || audience ? 'own' : 'site')
  return { path, load: Page.load, around, route: <Route key={path} path={path} element={<Page />} /> }
})

/** Loads a page with all its parts, so that it can be drawn in one go. Never rejects. */
export async function loadPage(pathname: string): Promise<void> {
  const path = pageAt(pathname)?.path
  await routes
    .find((route) => route.path === path)
    ?.load()
    .catch(() => {})
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
