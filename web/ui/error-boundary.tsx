import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'

/** Shown instead of a blank page when drawing it failed, or when a part of it could not be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
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
