import type { ReactNode } from 'react'
import { Outlet } from 'react-router-dom'
import { Banner } from './banner.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

const MAIN = 'main'

type Props = {
  /** The provider's logo, where a page is a provider's. */
  logo?: ReactNode
  /** What opens the policies from the footer. */
  policies?: ReactNode
}

/** What is around every page for visitors. */
export function SiteShell({ logo, policies }: Props) {
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
      <Header logo={logo} />
      <main id={MAIN} tabIndex={-1} className="flex grow flex-col *:w-full">
        <Outlet />
      </main>
      <Footer policies={policies} />
    </div>
  )
}
