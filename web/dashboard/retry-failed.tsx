import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { countFailedJobs, JobName, MAX_WAIT, type RetryFailed } from '../../core/contract/jobs.ts'
import { type BulkProgress, type RetryReport, retryFailedJobs } from '../../core/contract/lead-bulk.ts'
import { call } from '../lib/call.ts'
import { formatCount } from '../lib/numbers.ts'
import { SECOND } from '../lib/time.ts'
import { OutcomeDetails } from '../shared/deliveries/outcome-details.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { callLines } from './call-lines.ts'

/** Opens the dialog that retries all failed deliveries since a given time. */
export function RetryFailedButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        Retry what failed...
      </Button>
      {isOpen && <RetryFailedDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const KINDS: Record<JobName, string> = {
  'send-email': 'E-mails',
  'sync-crm': 'CRM calls',
  'match-lead': 'Matching',
}
const SELECT = 'min-h-10 w-full rounded-lg border border-edge bg-white px-3 text-ink hover:border-secondary'

/** Asks for the time, shows the number of failed deliveries, and retries them. */
function RetryFailedDialog({ onClose }: { onClose: () => void }) {
  const retry = useRetryFailed()
  const { total, report, isRunning } = retry
  const count = deliveries(total ?? 0)

  return (
    <ConfirmDialog
      title="Retry what failed"
      confirmLabel={total ? `Retry ${count}` : 'Retry'}
      variant="primary"
      busy={isRunning}
      disabled={!total}
      onConfirm={retry.start}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>Deliveries that failed for good are sent again now. Those that were already retried are left out.</p>
        <Field label="Failed in the">
          {(id) => (
            <select
              id={id}
              value={retry.span}
              disabled={isRunning}
              onChange={({ target }) => retry.setSpan(target.value as Span)}
              className={SELECT}
            >
              {Object.keys(SPANS).map((span) => (
                <option key={span}>{span}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Kind">
          {(id) => (
            <select
              id={id}
              value={retry.name ?? ''}
              disabled={isRunning}
              onChange={({ target }) => retry.setName(JobName.safeParse(target.value).data)}
              className={SELECT}
            >
              <option value="">All</option>
              {JobName.options.map((name) => (
                <option key={name} value={name}>
                  {KINDS[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {retry.error && <Alert title="Error">{retry.error.message || 'Failed to count what failed'}</Alert>}
        <p role="status" className="font-semibold text-ink">
          {isRunning && `${formatCount(retry.progress?.done ?? 0)} of ${count} retried`}
          {!isRunning && total === 0 && 'Nothing is left to retry.'}
          {!isRunning && total !== undefined && total > 0 && `${count} failed.`}
        </p>
        {report && !isRunning && <Outcome report={report} />}
      </div>
    </ConfirmDialog>
  )
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm text-quiet">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** Shows the results of the attempts, and the deliveries that could not be retried. */
function Outcome({ report }: { report: RetryReport }) {
  const { failed, waiting, failures } = report
  return (
    <section role={failed > 0 ? 'alert' : 'status'} aria-label="Outcome">
      <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{outcomeOf(report)}</p>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map((failure) => ({
          id: failure.id,
          error: failure.error,
          owner: `${failure.name ?? ownerWords(failure)}:`,
        }))}
      />
    </section>
  )
}

function ownerWords({ lead_id, application_id, account_id, sync_id }: RetryReport['failures'][number]): string {
  if (lead_id !== null) return `Lead #${lead_id}`
  if (application_id !== null) return `Application #${application_id}`
  return account_id !== null ? `Account #${account_id}` : `Sync #${sync_id}`
}

/** The failures to retry: since an ISO time, of one kind or of all. */
type Failures = { since: string; name?: JobName }

const HOUR = 60 * 60 * SECOND

/** Returns, for example, `1 delivery` or `1,200 deliveries`. */
const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

/** Returns, for example, `9 delivered, 4 refused, 0 waiting`. */
const outcomeOf = ({ succeeded, failed, waiting }: RetryReport) =>
  `${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`

/** The choices of a time span, in milliseconds. */
const SPANS = {
  'Last hour': HOUR,
  'Last 24 hours': 24 * HOUR,
  'Last 7 days': 7 * 24 * HOUR,
  'Last 30 days': 30 * 24 * HOUR,
} as const
type Span = keyof typeof SPANS

const sinceOf = (span: Span) => new Date(Date.now() - SPANS[span]).toISOString()

/** Returns the chosen failures, their number, and the progress of the retry. */
function useRetryFailed() {
  const [span, setSpan] = useState<Span>('Last 24 hours')
  const [failures, setFailures] = useState<Failures>(() => ({ since: sinceOf('Last 24 hours') }))
  const [progress, setProgress] = useState<BulkProgress>()
  const { data, error } = useQuery({
    queryKey: ['failed-jobs', failures],
    queryFn: () => call(countFailedJobs, { query: failures }),
    staleTime: 0,
  })
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const total = data?.total

  const run = useAction({
    act: () => retryFailed({ ...failures, expected: Number(total) }, setProgress),
    done(report) {
      // The dialog shows the report; a toast does if it was closed meanwhile.
      if (!isOpen.current) toast({ title: outcomeOf(report), duration: Number.POSITIVE_INFINITY })
    },
    failed: 'Failed to retry',
    changes: 'failed-jobs',
  })

  return {
    span,
    setSpan(chosen: Span) {
      setSpan(chosen)
      setFailures({ ...failures, since: sinceOf(chosen) })
    },
    name: failures.name,
    setName: (name: Failures['name']) => setFailures({ since: failures.since, ...(name && { name }) }),
    total,
    error,
    start: () => run.mutate(undefined),
    isRunning: run.isPending,
    progress,
    report: run.data,
  }
}

/**
 * Retries failed deliveries and waits for their first attempts. `onProgress` gets the progress. @throws what
 * `callLines` throws, and Error if the answer breaks off
 */
async function retryFailed(body: RetryFailed, onProgress: (progress: BulkProgress) => void): Promise<RetryReport> {
  let report: RetryReport | undefined
  await callLines(retryFailedJobs, { query: { wait: MAX_WAIT }, body }, (line) => {
    if ('succeeded' in line) report = line
    else onProgress(line)
  })
  if (!report) throw new Error('The connection was lost. Some may have been retried anyway. Please check.')
  return report
}
