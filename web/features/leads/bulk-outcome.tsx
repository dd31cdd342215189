import { Link } from 'react-router-dom'
import type { Lead } from '../../../core/contract/leads.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { BULK_WORDS, countOf, inWords } from './bulk-words.ts'
import type { Bulk } from './use-bulk.ts'

type Props = {
  bulk: Bulk
  /** The names of those that are on the page. */
  leads: Lead[] | undefined
  searchOf: (id: number) => string
}

/** How far it is with many, and in the end what failed and why. */
export function BulkOutcome({ bulk, leads, searchOf }: Props) {
  const { isRunning, report, request } = bulk
  return (
    <div className="empty:hidden">
      {request && isRunning && <Progress bulk={bulk} doing={BULK_WORDS[request.action].doing} />}
      {request && report && (
        <section role="alert" aria-label="What failed" className="rounded-2xl border border-bad bg-white p-4">
          <div className="flex items-start justify-between gap-3">
            <p className="font-semibold text-bad">
              {BULK_WORDS[request.action].failed}: {inWords(report.failed)} of{' '}
              {countOf(report.succeeded + report.failed)}
            </p>
            <Button variant="ghost" size="small" onClick={bulk.closeReport} className="-mt-1">
              Close report
            </Button>
          </div>
          <ul className="mt-2 grid max-h-60 gap-1 overflow-y-auto text-sm">
            {report.failures.map(({ id, error }) => (
              <li key={id}>
                <Link
                  to={{ search: searchOf(id) }}
                  preventScrollReset
                  className="mr-2 inline-block min-h-6 font-semibold text-secondary hover:underline"
                >
                  {nameOf(leads, id)}
                </Link>
                {error}
              </li>
            ))}
          </ul>
          {report.failed > report.failures.length && (
            <p className="mt-2 text-sm text-quiet">
              And {inWords(report.failed - report.failures.length)} more, which are not listed here.
            </p>
          )}
        </section>
      )}
    </div>
  )
}

function Progress({ bulk: { progress }, doing }: { bulk: Bulk; doing: string }) {
  const { done = 0, total = 0, failed = 0 } = progress ?? {}
  return (
    <div className="grid gap-2 rounded-2xl border border-line bg-white p-4">
      <p>
        {doing}: {inWords(done)} of {inWords(total)}
        {failed > 0 && <span className="text-bad">, {inWords(failed)} failed</span>}
      </p>
      {/* Not read out at every step. */}
      <p role="status" className="sr-only">
        {doing}: {Math.floor((4 * done) / Math.max(total, 1)) * 25}%
      </p>
      <ProgressBar label={doing} value={done} max={total} />
    </div>
  )
}

function nameOf(leads: Lead[] | undefined, id: number): string {
  const lead = leads?.find((one) => one.id === id)
  return lead ? `${lead.first_name} ${lead.last_name}` : `Lead #${id}`
}
