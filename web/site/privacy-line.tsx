import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { PageLink } from '../shared/page-link.tsx'

const POLICY =
  'inline-flex min-h-6 items-center font-medium text-secondary underline underline-offset-3 hover:text-primary'

/** Says below the button of a form who sees what is sent, with links that open the policies. */
export function PrivacyLine({ children }: { children: ReactNode }) {
  return (
    <p className="mt-3 grid grid-cols-[1.25rem_1fr] gap-x-2 text-sm leading-snug text-quiet">
      <svg viewBox="0 0 20 20" className="size-5 text-secondary" fill="none" stroke="currentColor" aria-hidden="true">
        <rect x="4" y="9" width="12" height="8" rx="1.5" strokeWidth="1.5" />
        <path d="M7 9V6.5a3 3 0 0 1 6 0V9M10 12v2" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
      <span>
        {children}
        <span className="block">
          <PageLink to={paths.privacy} data-policy="privacy" className={POLICY}>
            Privacy Policy
          </PageLink>{' '}
          ·{' '}
          <PageLink to={paths.terms} data-policy="terms" className={POLICY}>
            Terms
          </PageLink>
        </span>
      </span>
    </p>
  )
}
