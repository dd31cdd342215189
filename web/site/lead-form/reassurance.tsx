import { countOf } from '../../lib/numbers.ts'
import { usePageData } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'
import { PageLink } from '../../shared/page-link.tsx'

const POLICY =
  'inline-flex min-h-6 items-center font-medium text-secondary underline underline-offset-3 hover:text-primary'

/** Says below the button of a form where its details go. It is true in every case, also where no clinic is in reach. */
export function Reassurance() {
  const { network } = usePageData()

  return (
    <div className="mt-3 text-sm leading-snug text-quiet">
      <p className="grid grid-cols-[1.25rem_1fr] gap-x-2">
        <Lock />
        <span>
          Private: only the clinic and our care team see this. We ask the clinic to call within one business day. We
          never sell it.
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
      {network && network.clinics > 0 && (
        <p className="mt-2 pl-7 font-medium text-ink">
          {`${countOf(network.clinics, 'certified clinic')} in ${countOf(network.states, 'state')}`}
        </p>
      )}
    </div>
  )
}

function Lock() {
  return (
    <svg viewBox="0 0 20 20" className="size-5 text-secondary" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x="4" y="9" width="12" height="8" rx="1.5" strokeWidth="1.5" />
      <path d="M7 9V6.5a3 3 0 0 1 6 0V9M10 12v2" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  )
}
