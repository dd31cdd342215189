import type { z } from 'zod'
import type { JobName } from '../contract/jobs.ts'

/** When a failed attempt is retried. Delays in milliseconds. */
export type RetryPolicy = { attempts: number; firstDelay: number; maxDelay: number }

export type JobDefinition<Name extends JobName = JobName, Purpose extends string = string> = {
  name: Name
  /** The purposes that a row of this job may have. */
  purpose: z.ZodEnum<{ [P in Purpose]: P }>
  retry: RetryPolicy
  /** Concurrent attempts in one worker process. */
  concurrency: number
}

export function defineJob<Name extends JobName, Purpose extends string>(
  definition: JobDefinition<Name, Purpose>,
): JobDefinition<Name, Purpose> {
  return definition
}
