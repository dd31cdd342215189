import type { SyncCounts, SyncRunDetails } from '../../../core/contract/sync.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { OldLeads } from './old-leads.tsx'
import { isTrial, leadsSentence } from './words.ts'

const SHOWN: [keyof SyncCounts, string][] = [
  ['seen', 'Seen'],
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['deactivated', 'Deactivated'],
  ['reactivated', 'Reactivated'],
  ['unchanged', 'Unchanged'],
  ['skipped', 'Skipped'],
]

/** What a run did in numbers, or would have done. */
export function RunCounts({ run }: { run: SyncRunDetails }) {
  const { counts, state, dry_run } = run
  return (
    <div className="grid gap-3">
      {isTrial(run) && <p className="-mb-1.5 text-sm text-quiet">What a sync would do:</p>}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-y-3 rounded-xl bg-mist px-4 py-3">
        {SHOWN.map(([name, label]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-[0.8125rem] text-quiet">{label}</dt>
            <dd className="text-lg font-semibold text-ink tabular-nums">{formatCount(counts[name])}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-1 text-[0.9375rem] empty:hidden">
        {state === 'done' && !dry_run && <p>{leadsSentence(run)}</p>}
        <OldLeads run={run} />
        {counts.missing > 0 && (
          <p>
            {countOf(counts.missing, 'active provider')} {counts.missing === 1 ? 'is' : 'are'} missing in WordPress. A
            provider missing from three complete syncs in a row is deactivated.
          </p>
        )}
        {counts.unreadable > 0 && (
          <p>WordPress counts {countOf(counts.unreadable, 'post')} that we are not allowed to read.</p>
        )}
      </div>
    </div>
  )
}
