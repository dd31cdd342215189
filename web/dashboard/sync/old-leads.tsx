import { Link } from 'react-router-dom'
import type { SyncRun } from '../../../core/contract/sync.ts'
import { oldLeadsWords } from './words.ts'

/** The leads that a run did not match because of their age, to be matched by staff. */
export function OldLeads({ run }: { run: SyncRun }) {
  if (run.old_leads === 0) return null
  return (
    <p>
      {oldLeadsWords(run)}:{' '}
      <Link
        to={{ search: `?tab=leads&asked_by_sync=${run.id}` }}
        className="font-semibold text-secondary underline underline-offset-3 hover:text-primary"
      >
        match by hand
      </Link>
      .
    </p>
  )
}
