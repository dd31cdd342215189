import type { ReactNode } from 'react'
import { PlainShell } from '../shared/plain-shell.tsx'

type Props = {
  children: ReactNode
  /** What the clinic can do beyond this page. */
  footer?: ReactNode
  /** For lists. */
  isWide?: boolean
}

/** Shows header and footer around the pages for clinics. */
export function ClinicShell({ children, footer, isWide = false }: Props) {
  const width = isWide ? 'max-w-5xl' : 'max-w-2xl'
  return (
    <PlainShell footer={footer} width={width}>
      <div
        className={`mx-auto grid w-full ${width} grow grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 pt-6 pb-10 sm:px-6 sm:pt-8`}
      >
        {children}
      </div>
    </PlainShell>
  )
}

/** A white card with an optional heading. */
export function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-2xl border border-line bg-white p-4 sm:p-6">
      {title && <h2 className="text-lg font-semibold text-ink">{title}</h2>}
      {children}
    </section>
  )
}

export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 className="font-display text-3xl leading-tight font-medium text-ink wrap-anywhere sm:text-4xl">{children}</h1>
  )
}
