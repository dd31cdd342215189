import { Outlet } from 'react-router-dom'
import { Banner } from './banner.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** What is around every page for visitors. */
export function SiteShell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-lg focus:bg-white focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <Banner />
      <Header />
      <main id="main" tabIndex={-1} className="flex grow flex-col *:w-full">
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}
