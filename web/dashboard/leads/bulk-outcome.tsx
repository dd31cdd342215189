import { Link } from 'react-router-dom'
import type { BulkReport } from '../../../core/contract/bulk.ts'
import { formatCount } from '../../lib/numbers.ts'
import { OutcomeDetails } from '../../shared/deliveries/outcome-details.tsx'
import { Button } from '../../ui/button.tsx'
import { SpokenProgressBar } from '../../ui/progress-bar.tsx'
import { BULK_WORDS, countOf } from './bulk-leads.ts'
import type { BulkRequest, BulkRun } from './use-bulk.ts'

type Props = { bulk: BulkRun; searchOf: (id: number) => string }

/**
 * Shows the progress of a bulk action, then its failures or the results of its deliveries. Stays in the window while
 * staff scroll.
 */
export function BulkOutcome({ bulk, searchOf }: Props) {
  const { isRunning, report, request } = bulk
  return (
    <div className="sticky top-3 z-10 rounded-2xl shadow-lg empty:hidden">
      {request && isRunning && <Progress bulk={bulk} doing={BULK_WORDS[request.action].doing} />}
      {request && report && <Report {...{ request, report, searchOf }} onClose={bulk.closeReport} />}
    </div>
  )
}

type ReportProps = Pick<Props, 'searchOf'> & {
  request: Pick<BulkRequest, 'action'>
  report: BulkReport
  onClose: () => void
}

function Report({ request, report, searchOf, onClose }: ReportProps) {
  const { failed, waiting, failures } = report
  return (
    <section
      role={failed > 0 ? 'alert' : 'status'}
      aria-label={failed > 0 ? 'What failed' : 'Outcome'}
      className={`rounded-2xl border bg-background p-4 ${failed > 0 ? 'border-bad' : 'border-line'}`}
    >
      <div className="flex items-start justify-between gap-3">
        <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{headingOf(request, report)}</p>
        <Button variant="ghost" size="small" onClick={onClose} className="-mt-1">
          Close report
        </Button>
      </div>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map(({ position, lead_id, name, error }) => ({
          id: position,
          error,
          owner: (
            <Link
              to={{ search: searchOf(lead_id ?? 0) }}
              preventScrollReset
              className="mr-2 inline-block min-h-6 font-semibold text-secondary hover:underline"
            >
              {name ?? `Lead #${lead_id}`}
            </Link>
          ),
        }))}
      />
    </section>
  )
}

function headingOf({ action }: Pick<BulkRequest, 'action'>, { succeeded, failed, waiting }: BulkReport): string {
  const { subject, done, failed: failure } = BULK_WORDS[action]
  const leads = countOf(succeeded + failed + waiting)
  if (subject === undefined) return `${failure}: ${formatCount(failed)} of ${leads}`
  if (failed + waiting === 0) return done(leads)
  return `${subject} of ${leads}: ${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`
}

function Progress({ bulk: { progress }, doing }: { bulk: BulkRun; doing: string }) {
  const { done = 0, total = 0, failed = 0 } = progress ?? {}
  return (
    <div className="grid gap-2 rounded-2xl border border-line bg-background p-4">
      <p>
        {doing}: {formatCount(done)} of {formatCount(total)}
        {failed > 0 && <span className="text-bad">, {formatCount(failed)} failed</span>}
      </p>
      <SpokenProgressBar label={doing} value={done} max={total} />
    </div>
  )
}
