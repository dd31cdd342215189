import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { loadOrRetry } from '../../lib/rendered-page.ts'
import { CloseButton, Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { type PolicyName, policies } from './policies.ts'
import type { Policy } from './policy.ts'
import { DataKinds, LastUpdated, PolicyText } from './policy-text.tsx'

/** Shows a policy in a dialog over the current page. */
export function PolicyDialog({ name, onClose }: { name: PolicyName; onClose: () => void }) {
  const { title, path } = policies[name]
  const policy = usePolicy(name)

  return (
    <Dialog
      title={title}
      isSheet
      onClose={onClose}
      className="flex max-h-[inherit] w-2xl max-w-full flex-col pt-6 [&>:first-child]:px-5 sm:[&>:first-child]:px-8"
      corner={<CloseButton onClick={onClose} />}
    >
      <section
        aria-label={title}
        aria-busy={policy === undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        className="mt-4 min-h-0 overflow-y-auto overscroll-contain border-t border-line px-5 pt-5 leading-relaxed focus-visible:-outline-offset-3 sm:px-8 after:pointer-events-none after:sticky after:bottom-0 after:block after:h-12 after:bg-linear-to-t after:from-background"
      >
        {policy && <Sections policy={policy} />}
        {policy === undefined && <Loading />}
        {policy === null && (
          <p role="alert">
            The text could not be loaded. Please{' '}
            <Link reloadDocument to={path} className="font-medium text-secondary underline underline-offset-3">
              read it on its own page
            </Link>
            .
          </p>
        )}
      </section>
    </Dialog>
  )
}

function Sections({ policy }: { policy: Policy }) {
  return (
    <>
      <LastUpdated day={policy.updated} className="text-sm text-quiet" />
      <p className="mt-3">{policy.intro}</p>
      {policy.sections.map(({ id, title, text, data }, index) => (
        <div key={id} className="mt-6">
          <h3 className="font-semibold text-ink">
            {index + 1}. {title}
          </h3>
          <PolicyText text={text} />
          {data && <DataKinds kinds={data} />}
        </div>
      ))}
    </>
  )
}

function Loading() {
  return (
    <div className="grid gap-3">
      <p className="sr-only">Loading...</p>
      {['w-2/5', 'w-full', 'w-11/12', 'w-10/12', 'w-3/4'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}

/** Returns the policy; undefined while it loads, null if loading failed. */
function usePolicy(name: PolicyName): Policy | null | undefined {
  const [policy, setPolicy] = useState<Policy | null>()

  useEffect(() => {
    let isWanted = true
    loadOrRetry(policies[name].load).then(
      (text) => isWanted && setPolicy(text),
      () => isWanted && setPolicy(null),
    )
    return () => {
      isWanted = false
    }
  }, [name])

  return policy
}
