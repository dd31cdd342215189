import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { countFailedJobs, type JobName, MAX_WAIT, type RetryFailed } from '../../../core/contract/jobs.ts'
import { type BulkProgress, type RetryReport, retryFailedJobs } from '../../../core/contract/lead-bulk.ts'
import { call } from '../../lib/call.ts'
import { callLines } from '../../lib/call-lines.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** Which failures: since an ISO time, of one kind or of all. */
type Failures = { since: string; name?: JobName }

const HOUR = 60 * 60 * SECOND

/** `1 delivery`, `1,200 deliveries` */
export const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

/** `9 delivered, 4 refused, 0 waiting` */
export const outcomeOf = ({ succeeded, failed, waiting }: RetryReport) =>
  `${formatCount(succeeded)} delivered, ${formatCount(failed)} refused, ${formatCount(waiting)} waiting`

/** How far back, in milliseconds, by its words. */
export const SPANS = {
  'Last hour': HOUR,
  'Last 24 hours': 24 * HOUR,
  'Last 7 days': 7 * 24 * HOUR,
  'Last 30 days': 30 * 24 * HOUR,
} as const
export type Span = keyof typeof SPANS

const sinceOf = (span: Span) => new Date(Date.now() - SPANS[span]).toISOString()

/** What is to be tried again, how much that is, and how far it is. */
export function useRetryFailed() {
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
      // The dialog shows the report, unless it was closed meanwhile.
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
 * Tries everything again that failed since, and waits for the first attempts. `onProgress` hears how far it is.
 * @throws what `callLines` throws, and Error when the answer ends before its end
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
