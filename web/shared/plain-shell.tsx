import type { ReactNode } from 'react'
import { WriteOrCall } from './contact-links.tsx'
import { Logo } from './logo.tsx'

const LINK = 'inline-block min-h-6 underline underline-offset-3'

type Props = {
  children: ReactNode
  footer?: ReactNode
  /** The class of the width of header, content and footer. */
  width?: string
}

/** Shows a page that is about one matter: our name, the page, and how to reach us, without advertising or navigation. */
export function PlainShell({ children, footer, width = 'max-w-3xl' }: Props) {
  return (
    <div className="flex min-h-dvh flex-col bg-mist">
      <header className="border-b border-line bg-white print:border-0">
        <div className={`mx-auto flex min-h-14 ${width} items-center px-4 text-primary sm:px-6`}>
          <Logo />
        </div>
      </header>
      <main className="flex grow flex-col *:w-full">{children}</main>
      <footer className="border-t border-line bg-white text-sm text-quiet print:hidden">
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
