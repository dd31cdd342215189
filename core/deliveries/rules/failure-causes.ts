import type { FailureCause, JobName, JobState } from '../contract/jobs.ts'
import { type EmailFacts, recipientOf } from '../emails.ts'
import { JOBS } from '../jobs.ts'

/** The facts about a job that decide the advice. */
export type JudgedJob = { name: JobName; purpose: string; state: JobState; last_cause: FailureCause | null }

/** Returns the advice to staff about a failed job. Returns null if it did not fail. */
export function adviceFor({ name, purpose, state, last_cause: cause }: JudgedJob): string | null {
  if (!cause || state === 'cancelled' || state === 'done') return null
  if (state !== 'failed') return 'No action needed yet. It is retried automatically.'
  return ADVICE[name]?.(cause, purpose) ?? JOBS[name].advice
}

/** What helps depends on the cause where something outside has failed. The other kinds have one advice. */
const ADVICE: Partial<Record<JobName, (cause: FailureCause, purpose: string) => string | undefined>> = {
  'send-email': mailAdvice,
  'sync-crm': crmAdvice,
  'send-alert': alertAdvice,
}

function alertAdvice(cause: FailureCause): string | undefined {
  if (cause === 'credentials' || cause === 'wrong_address' || cause === 'refused') {
    return 'The other side does not take it. Check the channel under Alerts, send a test, then retry what failed.'
  }
}

const RESEND = 'press “Resend Email”'
const CLINIC = `Correct the clinic’s e-mail address in WordPress, sync the providers, then ${RESEND}.`
const WRONG_ADDRESS: Record<EmailFacts['to'], string> = {
  ...{ clinic: CLINIC, second: CLINIC, previous_clinic: CLINIC, stated: CLINIC },
  visitor: 'The visitor probably mistyped it. Call them instead.',
  applicant: 'The applicant probably mistyped it. Call them instead.',
  team: `Correct the team’s address in the settings, then ${RESEND}.`,
  account: 'Check the address of the account.',
}
const CREDENTIALS = 'Our credentials were refused. Check them in the settings, then try again here.'

function mailAdvice(cause: FailureCause, purpose: string): string | undefined {
  switch (cause) {
    case 'unknown_mailbox':
    case 'bad_address':
      return `The address does not work. ${WRONG_ADDRESS[recipientOf(purpose)]}`
    case 'mailbox_full':
      return `The mailbox is full. Call the recipient, then ${RESEND}.`
    case 'blocked':
      return `The mail server treats our e-mails as spam. Check SPF, DKIM and DMARC of our domain, then ${RESEND}.`
    case 'no_provider':
      return 'Match the lead with a provider. The clinic is then e-mailed.'
    case 'credentials':
      return CREDENTIALS
    case 'refused':
      return `The mail server does not accept this e-mail. Its answer above says why. Then ${RESEND}.`
    case 'our_side':
      return `Something went wrong on our side. Report it to the developers, then ${RESEND}.`
  }
}

function crmAdvice(cause: FailureCause): string | undefined {
  switch (cause) {
    case 'credentials':
      return CREDENTIALS
    case 'wrong_address':
      return 'Nothing accepts leads at the address of the CRM. Check it in the settings, then press “Retry CRM Sync”.'
    case 'unknown_property':
      return 'The CRM does not have a field that we send. Create it there or remove it from the settings, then press “Retry CRM Sync”.'
    case 'refused':
      return 'The CRM does not accept this lead. Its answer above says why. Then press “Retry CRM Sync”.'
  }
}
