import type { ReactNode } from 'react'
import { paths } from '../pages.ts'
import { PageLink } from '../shared/page-link.tsx'
import { Icon } from '../ui/drawing.tsx'

const POLICY =
  'inline-flex min-h-6 items-center font-medium text-secondary underline underline-offset-3 hover:text-primary'

/** Says below the button of a form who sees what is sent, with links that open the policies. */
export function PrivacyLine({ children }: { children: ReactNode }) {
  return (
    <p className="mt-3 grid grid-cols-[1.25rem_1fr] gap-x-2 text-sm leading-snug text-quiet">
      <Icon d="M4 9h12v8H4zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v2" box={20} width={1.5} className="size-5 text-secondary" />
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
