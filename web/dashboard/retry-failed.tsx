import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { type Bulk, type BulkProgress, type BulkReport, retryFailedJobs } from '../../core/contract/bulk.ts'
import { countFailedJobs, DeliveryName, JOB_LABELS } from '../../core/contract/jobs.ts'
import { call } from '../lib/call.ts'
import { formatCount } from '../lib/numbers.ts'
import { SECOND } from '../lib/time.ts'
import { OutcomeDetails } from '../shared/deliveries/outcome-details.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { followBulk, useRunningBulk } from './bulk.ts'

/** What the dialog shows first. */
type Chosen = { span: Span; name: DeliveryName }

type ButtonProps = { label: string; className: string; chosen: Chosen }

/** Opens the dialog that retries all failed deliveries since a given time. */
export function RetryFailedButton({ label, className, chosen }: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="small" className={className} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <RetryFailedDialog chosen={chosen} onClose={() => setOpen(false)} />}
    </>
  )
}

const SELECT = 'min-h-10 w-full rounded-lg border border-edge bg-background px-3 text-ink hover:border-secondary'

/** Asks for the time, shows the number of failed deliveries, and retries them. */
function RetryFailedDialog({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) {
  const retry = useRetryFailed(chosen)
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
              onChange={({ target }) => retry.setName(DeliveryName.safeParse(target.value).data)}
              className={SELECT}
            >
              <option value="">All</option>
              {DeliveryName.options.map((name) => (
                <option key={name} value={name}>
                  {JOB_LABELS[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {retry.error && <Alert title="Error">{retry.error.message || 'Failed to count what failed'}</Alert>}
        <p role="status" className="font-semibold text-ink">
          {isRunning &&
            `${formatCount(retry.progress?.done ?? 0)} of ${deliveries(retry.progress?.total ?? total ?? 0)} retried`}
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
function Outcome({ report }: { report: BulkReport }) {
  const { failed, waiting, failures } = report
  return (
    <section role={failed > 0 ? 'alert' : 'status'} aria-label="Outcome">
      <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{outcomeOf(report)}</p>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map((failure) => ({
          id: failure.position,
          error: failure.error,
          owner: `${failure.name ?? ownerWords(failure)}:`,
        }))}
      />
    </section>
  )
}

function ownerWords({ lead_id, application_id, account_id, sync_id }: BulkReport['failures'][number]): string {
  if (lead_id !== null) return `Lead #${lead_id}`
  if (application_id !== null) return `Application #${application_id}`
  if (account_id !== null) return `Account #${account_id}`
  return sync_id !== null ? `Sync #${sync_id}` : 'An e-mail about no lead'
}

/** The failures to retry: since an ISO time, of one kind or of all. */
type Failures = { since: string; name?: DeliveryName }

const HOUR = 60 * 60 * SECOND

/** Returns, for example, `1 delivery` or `1,200 deliveries`. */
const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

/** Returns, for example, `9 delivered, 4 refused, 0 waiting`. */
const outcomeOf = ({ succeeded, failed, waiting }: BulkReport) =>
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
function useRetryFailed({ span: first, name }: Chosen) {
  const [span, setSpan] = useState<Span>(first)
  const [failures, setFailures] = useState<Failures>(() => ({ since: sinceOf(first), name }))
  const [progress, setProgress] = useState<BulkProgress>()
  const client = useQueryClient()
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
    async act(resumed?: Bulk) {
      setProgress(resumed?.progress)
      const { id } = resumed ?? (await call(retryFailedJobs, { body: { ...failures, expected: Number(total) } }))
      return followBulk(client, id, setProgress)
    },
    done(report) {
      // The dialog shows the report; a toast does if it was closed meanwhile.
      if (!isOpen.current) toast({ title: outcomeOf(report), duration: Number.POSITIVE_INFINITY })
    },
    failed: 'Failed to retry',
    changes: 'failed-jobs',
  })

  const { mutate } = run
  const resume = useCallback((bulk: Bulk) => mutate(bulk), [mutate])
  useRunningBulk({ of: RETRY_FAILED, enabled: !run.isPending, resume })

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
    start: () => mutate(undefined),
    isRunning: run.isPending,
    progress,
    report: run.data,
  }
}

const RETRY_FAILED = ['retry-failed'] as const
