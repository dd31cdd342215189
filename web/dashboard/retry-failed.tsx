import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { DAY } from '../../core/contract/time.ts'
import {
  CAUSE_WORDS,
  countFailedJobs,
  DeliveryName,
  FailureCause,
  JOB_LABELS,
} from '../../core/deliveries/contract/jobs.ts'
import { type Bulk, type BulkProgress, type BulkReport, retryFailedJobs } from '../../core/staff/contract/bulk.ts'
import { call } from '../lib/call.ts'
import { formatCount } from '../lib/numbers.ts'
import { ConfirmDialog, DialogButton } from '../ui/confirm.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { SelectField } from '../ui/saved-select.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { followBulk, resultWords, useRunningBulk } from './bulk.ts'
import { BulkOutcome } from './job-labels.tsx'

/** By their length in days. */
const PERIODS = [
  [String(1 / 24), 'in the last hour'],
  ['1', 'in the last 24 hours'],
  ['7', 'in the last 7 days'],
  ['30', 'in the last 30 days'],
] as const
const KINDS = [['', 'All'], ...DeliveryName.options.map((each) => [each, JOB_LABELS[each]] as const)] as const
const CAUSES = [
  ['', 'Any cause'],
  ...FailureCause.options.map((each) => [each, CAUSE_WORDS[each].replace(/\.$/, '')] as const),
] as const
const RETRY_FAILED = ['retry-failed'] as const
const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${formatCount(count)} deliveries`)

type ButtonProps = { total: number; className: string; name?: DeliveryName }

/** Opens the dialog that retries the failed deliveries of a kind, or of all. `total` are those of the last 30 days. */
export function RetryFailedButton({ total, className, name }: ButtonProps) {
  return (
    <DialogButton className={className} dialog={(close) => <RetryFailedDialog of={name} onClose={close} />}>
      {total === 1 ? 'Retry it...' : `Retry these ${formatCount(total)}...`}
    </DialogButton>
  )
}

function RetryFailedDialog({ of, onClose }: { of?: DeliveryName; onClose: () => void }) {
  const [opened] = useState(Date.now)
  const [days, setDays] = useState<string>('30')
  const [name, setName] = useState<DeliveryName | ''>(of ?? '')
  const [cause, setCause] = useState<FailureCause | ''>('')
  const [progress, setProgress] = useState<BulkProgress>()
  const client = useQueryClient()
  const since = new Date(opened - Number(days) * DAY).toISOString()
  const failures = { since, ...(name && { name }), ...(cause && { cause }) }
  const query = useQuery({
    queryKey: ['failed-jobs', failures],
    queryFn: () => call(countFailedJobs, { query: failures }),
    staleTime: 0,
  })
  const total = query.data?.total ?? 0
  const count = deliveries(total)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const {
    mutate,
    isPending,
    data: report,
  } = useAction({
    async act(resumed?: Bulk) {
      setProgress(resumed?.progress)
      const { id } = resumed ?? (await call(retryFailedJobs, { body: { ...failures, expected: total } }))
      return followBulk(client, id, setProgress)
    },
    done(ended) {
      // The dialog shows the report; a toast does if it was closed meanwhile.
      if (!isShown.current) toast({ title: resultWords(ended), duration: Number.POSITIVE_INFINITY })
    },
    failed: 'Failed to retry',
    changes: 'failed-jobs',
  })
  useRunningBulk({ of: RETRY_FAILED, enabled: !isPending, resume: useCallback((bulk: Bulk) => mutate(bulk), [mutate]) })
  return (
    <ConfirmDialog
      title="Retry failed deliveries"
      confirmLabel={total ? `Retry ${count}` : 'Retry'}
      variant="primary"
      busy={isPending}
      disabled={!total}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>Deliveries that failed permanently are sent again now, except those already retried.</p>
        <div className="flex flex-wrap gap-3">
          <SelectField label="Failed" words={PERIODS} value={days} onChoose={setDays} />
          <SelectField label="Kind" words={KINDS} value={name} onChoose={setName} />
          <SelectField label="Because" words={CAUSES} value={cause} onChoose={setCause} />
        </div>
        <div role="status" className="font-semibold text-ink">
          <Loaded of={query} fallback="Failed to count failed deliveries" className="h-6 w-40">
            {() =>
              isPending
                ? `${formatCount(progress?.done ?? 0)} of ${deliveries(progress?.total ?? total)} retried`
                : total === 0
                  ? 'Nothing is left to retry.'
                  : `${count} failed.`
            }
          </Loaded>
        </div>
        {report && !isPending && <BulkOutcome {...{ report, ownerOf }} title={resultWords(report)} />}
      </div>
    </ConfirmDialog>
  )
}

function ownerOf({ name, lead_id, subject }: BulkReport['failures'][number]): string {
  const [kind = '', row] = (lead_id === null ? subject : `lead:${lead_id}`)?.split(':') ?? []
  const words = row ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)} #${row}` : 'An email about no lead'
  return `${name ?? words}:`
}
