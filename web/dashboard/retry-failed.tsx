import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { countFailedJobs, type DeliveryName } from '../../core/deliveries/contract/jobs.ts'
import { type Bulk, type BulkProgress, type BulkReport, retryFailedJobs } from '../../core/staff/contract/bulk.ts'
import { call } from '../lib/call.ts'
import { formatCount } from '../lib/numbers.ts'
import { DAY } from '../lib/time.ts'
import { SmallButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { followBulk, resultWords, useRunningBulk } from './bulk.ts'
import { OutcomeDetails } from './job-labels.tsx'

const MAX_DAYS = 30

type ButtonProps = { label: string; className: string; name: DeliveryName }

/** Opens the dialog that retries the failed deliveries of a kind. */
export function RetryFailedButton({ label, className, name }: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <SmallButton className={className} onClick={() => setOpen(true)}>
        {label}
      </SmallButton>
      {isOpen && <RetryFailedDialog name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows the number of failed deliveries, and retries them. */
function RetryFailedDialog({ name, onClose }: { name: DeliveryName; onClose: () => void }) {
  const { query, progress, report, isRunning, start } = useRetryFailed(name)
  const total = query.data?.total
  const count = deliveries(total ?? 0)
  return (
    <ConfirmDialog
      title="Retry failed deliveries"
      confirmLabel={total ? `Retry ${count}` : 'Retry'}
      variant="primary"
      busy={isRunning}
      disabled={!total}
      onConfirm={start}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>
          Deliveries that failed permanently in the last {MAX_DAYS} days are sent again now, except those already
          retried.
        </p>
        <div role="status" className="font-semibold text-ink">
          <Loaded of={query} fallback="Failed to count failed deliveries" className="h-6 w-40">
            {() =>
              isRunning
                ? `${formatCount(progress?.done ?? 0)} of ${deliveries(progress?.total ?? total ?? 0)} retried`
                : total === 0
                  ? 'Nothing is left to retry.'
                  : `${count} failed.`
            }
          </Loaded>
        </div>
        {report && !isRunning && <Outcome report={report} />}
      </div>
    </ConfirmDialog>
  )
}

/** Shows the results of the attempts, and the deliveries that could not be retried. */
function Outcome({ report }: { report: BulkReport }) {
  const { failed, waiting, failures } = report
  return (
    <section role={failed > 0 ? 'alert' : 'status'} aria-label="Outcome">
      <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{resultWords(report)}</p>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map((failure) => ({
          id: failure.position,
          error: failure.error,
          owner: `${failure.name ?? subjectWords(failure)}:`,
        }))}
      />
    </section>
  )
}

function subjectWords({ lead_id, subject }: BulkReport['failures'][number]): string {
  const [kind = '', id] = (lead_id === null ? subject : `lead:${lead_id}`)?.split(':') ?? []
  return id === undefined ? 'An email about no lead' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} #${id}`
}

/** Returns, for example, `1 delivery` or `1,200 deliveries`. */
const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

/** Returns the number of failures, and the progress of the retry. */
function useRetryFailed(name: DeliveryName) {
  const [failures] = useState({ since: new Date(Date.now() - MAX_DAYS * DAY).toISOString(), name })
  const [progress, setProgress] = useState<BulkProgress>()
  const client = useQueryClient()
  const query = useQuery({
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

  const { mutate, isPending, data } = useAction({
    async act(resumed?: Bulk) {
      setProgress(resumed?.progress)
      const expected = Number(query.data?.total)
      const { id } = resumed ?? (await call(retryFailedJobs, { body: { ...failures, expected } }))
      return followBulk(client, id, setProgress)
    },
    done(report) {
      // The dialog shows the report; a toast does if it was closed meanwhile.
      if (!isOpen.current) toast({ title: resultWords(report), duration: Number.POSITIVE_INFINITY })
    },
    failed: 'Failed to retry',
    changes: 'failed-jobs',
  })
  const resume = useCallback((bulk: Bulk) => mutate(bulk), [mutate])
  useRunningBulk({ of: RETRY_FAILED, enabled: !isPending, resume })
  return { query, progress, report: data, isRunning: isPending, start: () => mutate(undefined) }
}

const RETRY_FAILED = ['retry-failed'] as const
