import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { SiteShell } from './features/shell/site-shell.tsx'
import { useScrollOnNavigation } from './lib/use-scroll-on-navigation.ts'
import { LandingPage } from './pages/landing-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { SuccessPage } from './pages/success-page.tsx'
import { paths } from './paths.ts'

// The thank-you page comes with the first load: it must not depend on a second one. The staff's pages are their own.
const AdminPage = lazy(() => import('./pages/admin-page.tsx').then((page) => ({ default: page.AdminPage })))

export function AppRoutes() {
  useScrollOnNavigation()

  return (
    <Suspense>
      <Routes>
        <Route element={<SiteShell />}>
          <Route path={paths.home} element={<LandingPage />} />
          <Route path={paths.success} element={<SuccessPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
        <Route path={paths.admin} element={<AdminPage gate="server" />} />
        <Route path={paths.getmpx} element={<AdminPage gate="password" />} />
      </Routes>
    </Suspense>
  )
}
