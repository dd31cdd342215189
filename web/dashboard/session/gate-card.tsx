import type { ReactNode } from 'react'
import { Logo } from '../../ui/logo.tsx'

/** What stands in the middle of the page while the dashboard is not open. */
export function GateCard({ title, notice, children }: { title: string; notice: string; children: ReactNode }) {
  return (
    <div className="w-full max-w-sm rounded-2xl border border-line bg-white p-6 sm:p-8">
      <div className="text-primary">
        <Logo />
      </div>
      <h1 className="mt-6 font-display text-3xl font-medium text-ink">{title}</h1>
      <p role="status" className="mt-1 text-quiet">
        {notice}
      </p>
      {children}
    </div>
  )
}
