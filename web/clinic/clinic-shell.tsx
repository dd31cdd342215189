import type { ReactNode } from 'react'
import { Logo } from '../shared/logo.tsx'
import { WriteOrCall } from '../shared/write-or-call.tsx'

const LINK = 'inline-block min-h-6 underline underline-offset-3'

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
    <div className="flex min-h-dvh flex-col bg-mist">
      <header className="border-b border-line bg-white">
        <div className={`mx-auto flex min-h-14 ${width} items-center px-4 text-primary sm:px-6`}>
          <Logo />
        </div>
      </header>
      <main
        className={`mx-auto grid w-full ${width} grow grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 pt-6 pb-10 sm:px-6 sm:pt-8`}
      >
        {children}
      </main>
      <footer className="border-t border-line bg-white text-sm text-quiet">
        <div className={`mx-auto grid ${width} gap-3 px-4 py-6 sm:px-6`}>
          {footer}
          <p>
            A question? <WriteOrCall startsSentence linkClass={LINK} />.
          </p>
        </div>
      </footer>
    </div>
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
