import { EmailPurpose } from '../contract/jobs.ts'
import { HOUR, SECOND } from '../time.ts'
import { defineJob } from './define-job.ts'

/** Sends one e-mail about a lead (to its provider, the visitor or the team), an application or a staff account. */
export const sendEmail = defineJob({
  name: 'send-email',
  purpose: EmailPurpose,
  retry: { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR },
  concurrency: 10,
})
