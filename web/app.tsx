import type { ReactNode } from 'react'
import { Suspense, useEffect } from 'react'
import type { PageData } from '../core/contract/page.ts'
import { lazyPart } from './lib/lazy-parts.ts'
import { PageDataContext } from './lib/page-data.ts'
import { useHydrated } from './lib/use-hydrated.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

const Toaster = lazyPart(() => import('./ui/toaster.tsx').then((part) => part.Toaster))

type Props = {
  data: PageData
  children: ReactNode
  onAlive?: () => void
}

/** Renders the app within the router, which differs between browser and server. */
export function App({ data, children, onAlive }: Props) {
  const isHydrated = useHydrated()
  useEffect(() => onAlive?.(), [onAlive])

  return (
    <ErrorBoundary>
      <PageDataContext value={data}>
        {children}
        {isHydrated && (
          <Suspense>
            <Toaster />
          </Suspense>
        )}
      </PageDataContext>
    </ErrorBoundary>
  )
}
