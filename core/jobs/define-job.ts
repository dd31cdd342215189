import type { z } from 'zod'
import type { JobName } from '../contract/jobs.ts'

/** When a failed attempt is tried again. Delays are in milliseconds. */
export type RetryPolicy = { attempts: number; firstDelay: number; maxDelay: number }

export type JobDefinition<Name extends JobName = JobName, Purpose extends string = string> = {
  name: Name
  /** What a row of this job may be for. */
  purpose: z.ZodEnum<{ [P in Purpose]: P }>
  retry: RetryPolicy
  /** How many run at once in one worker process. */
  concurrency: number
}

export function defineJob<Name extends JobName, Purpose extends string>(
  definition: JobDefinition<Name, Purpose>,
): JobDefinition<Name, Purpose> {
  return definition
}
