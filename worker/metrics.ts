import { Counter, Histogram } from 'prom-client'
import { FailureCause, JobName } from '../core/deliveries/contract/jobs.ts'
import type { Job, Settlement } from '../core/deliveries/stores/attempts.ts'
import { DURATIONS, registry } from '../core/platform/process.ts'

const duration = new Histogram({
  name: 'leadwell_job_duration_seconds',
  help: 'Duration of one attempt at a job, by outcome',
  labelNames: ['queue', 'outcome'] as const,
  buckets: DURATIONS,
  registers: [registry],
})

const failures = new Counter({
  name: 'leadwell_job_failures_total',
  help: 'Failed attempts: permanent, or to be retried',
  labelNames: ['queue', 'cause', 'outcome'] as const,
  registers: [registry],
})
// From zero: otherwise the first event of a kind is no increase.
for (const queue of JobName.options) {
  for (const outcome of ['done', 'failed', 'retried']) duration.zero({ queue, outcome })
  for (const cause of FailureCause.options) {
    for (const outcome of ['failed', 'retried']) failures.inc({ queue, cause, outcome }, 0)
  }
}

/** Measures an attempt: duration in milliseconds, outcome and cause. */
export function measureAttempt(
  job: Job,
  { settlement, ms, isRecorded }: { settlement: Settlement; ms: number; isRecorded: boolean },
): void {
  const outcome = isRecorded ? OUTCOMES[settlement.state] : 'superseded'
  duration.observe({ queue: job.name, outcome }, ms / 1000)
  if (isRecorded && 'cause' in settlement) failures.inc({ queue: job.name, cause: settlement.cause, outcome })
}

const OUTCOMES = { done: 'done', failed: 'failed', cancelled: 'cancelled', waiting: 'retried' } as const
