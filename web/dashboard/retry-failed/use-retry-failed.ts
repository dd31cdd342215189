import { useEffect, useRef, useState } from 'react'
import type { BulkProgress, RetryReport } from '../../../core/contract/lead-bulk.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { type Failures, useFailedCount } from './api/count-failed.ts'
import { retryFailed } from './api/retry-failed.ts'

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
  const { data, error } = useFailedCount(failures)
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
