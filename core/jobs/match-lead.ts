import { z } from 'zod'
import { MINUTE, SECOND } from '../time.ts'
import { defineJob } from './define-job.ts'

/** Finds a provider for a lead that was stored without one. Fails only when the database fails. */
export const matchLead = defineJob({
  name: 'match-lead',
  purpose: z.enum(['nearest']),
  retry: { attempts: 250, firstDelay: SECOND, maxDelay: 15 * MINUTE },
  concurrency: 5,
})
