import type { ReactNode } from 'react'
import { formatCount } from '../../lib/text.ts'

type Props = {
  waiting: number
  failed: number
  /** The first failures, with their owners. */
  failures: { id: number | string; owner: ReactNode; error: string }[]
}

/** Shows the result of a bulk action: the failures with their errors, and the number of jobs that will be retried. */
export function OutcomeDetails({ waiting, failed, failures }: Props) {
  const unnamed = failed - failures.length
  return (
    <div className="mt-1 grid gap-2 text-sm empty:hidden">
      {waiting > 0 && <p className="text-quiet">What is waiting is retried automatically.</p>}
      {failures.length > 0 && (
        <ul className="grid max-h-60 gap-1 overflow-y-auto">
          {failures.map(({ id, owner, error }) => (
            <li key={id} className="wrap-anywhere">
              {owner} {error}
            </li>
          ))}
        </ul>
      )}
      {unnamed > 0 && <p className="text-quiet">And {formatCount(unnamed)} more, which are not listed here.</p>}
    </div>
  )
}
