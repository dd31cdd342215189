import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { loadOrRetry } from '../../lib/rendered-page.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { paths } from '../../pages.ts'
import { PageLink } from '../../shared/page-link.tsx'
import type { Policy } from './policy-text.tsx'

const PolicyDialog = lazyPart(() => import('./policy-dialog.tsx').then((part) => part.PolicyDialog))

/** The policies by name. Each text is long, so it is loaded on demand. */
export const policies = {
  terms: {
    title: 'Terms and Conditions',
    path: paths.terms,
    load: () => import('./texts/terms.ts').then(({ terms }) => terms),
  },
  privacy: {
    title: 'Privacy Policy',
    path: paths.privacy,
    load: () => import('./texts/privacy.ts').then(({ privacy }) => privacy),
  },
  refunds: {
    title: 'Refund & Cancellation Policy',
    path: paths.refunds,
    load: () => import('./texts/refunds.ts').then(({ refunds }) => refunds),
  },
} as const

type PolicyName = keyof typeof policies

const NAMES = Object.keys(policies) as PolicyName[]
const LOOK =
  'inline-flex min-h-9 items-center rounded text-left text-sm underline-offset-4 hover:text-white hover:underline'

/** Called to change the answer about ad measurement; absent where nothing is measured. */
type Props = { onAdChoice?: () => void }

/**
 * Shows links that open the policies in dialogs, as all links with `data-policy` on the page then do. Before hydration and without JavaScript they lead to the policies'
 * pages. A button opens the question about ad measurement again.
 */
export function PolicyLinks({ onAdChoice }: Props) {
  const isHydrated = useHydrated()
  const [open, setOpen] = useState<{ title: string; policy: Policy }>()

  async function show(name: PolicyName) {
    const { title, path, load } = policies[name]
    try {
      const [policy] = await Promise.all([loadOrRetry<Policy>(load), PolicyDialog.load()])
      setOpen({ title, policy })
    } catch {
      window.location.assign(path)
    }
  }

  useEffect(() => {
    const open = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-policy]') : null
      const name = NAMES.find((each) => each === link?.dataset.policy)
      if (!name || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      show(name)
    }
    // Before the router, which would go to the policy's page.
    document.addEventListener('click', open, { capture: true })
    return () => document.removeEventListener('click', open, { capture: true })
  })

  return (
    <>
      <ul className="-mt-1.5">
        {NAMES.map((name) => (
          <li key={name}>
            {isHydrated ? (
              <button type="button" aria-haspopup="dialog" onClick={() => show(name)} className={LOOK}>
                {policies[name].title}
              </button>
            ) : (
              <PageLink to={policies[name].path} className={LOOK}>
                {policies[name].title}
              </PageLink>
            )}
          </li>
        ))}
        <li>
          <PageLink to={paths.healthPrivacy} className={LOOK}>
            Consumer Health Data Privacy
          </PageLink>
        </li>
        {onAdChoice && (
          <li>
            <button type="button" onClick={onAdChoice} className={LOOK}>
              Ad Measurement
            </button>
          </li>
        )}
      </ul>
      {open && (
        <Suspense>
          <PolicyDialog {...open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
