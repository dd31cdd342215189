import { Component, type ReactNode, Suspense, useEffect } from 'react'
import type { PageData } from '../core/contract/page.ts'
import { lazyPart } from './lib/lazy-parts.ts'
import { PageDataContext } from './lib/page-data.ts'
import { useHydrated } from './lib/use-hydrated.ts'
import { Button } from './ui/button.tsx'

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

/** Shown instead of a blank page when drawing it failed, or when a part of it could not be loaded. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-6">
        <h1 className="font-display text-4xl text-ink">Something went wrong</h1>
        <p>This page could not be shown. Reloading it usually helps.</p>
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
      </main>
    )
  }
}
