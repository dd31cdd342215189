import type { CrmPurpose, EmailPurpose, JobName } from '../contract/jobs.ts'

/** A job to be made for a lead. */
export type NewJob =
  | { name: 'match-lead'; purpose: 'nearest' }
  | { name: 'send-email'; purpose: EmailPurpose }
  | { name: 'sync-crm'; purpose: CrmPurpose }

/** The newest generation of one of a lead's jobs: `open` while it waits or runs. */
export type LatestJob = { name: JobName; purpose: string; state: 'open' | 'done' | 'failed' | 'cancelled' }

const email = (purpose: EmailPurpose): NewJob => ({ name: 'send-email', purpose })
const crm = (purpose: CrmPurpose): NewJob => ({ name: 'sync-crm', purpose })

/** What we owe once a lead is stored. Without a provider, who is told what waits for the outcome of the matching. */
export function jobsForNewLead({ matched }: { matched: boolean }): NewJob[] {
  return matched
    ? [email('provider'), email('visitor'), crm('created')]
    : [{ name: 'match-lead', purpose: 'nearest' }, crm('created')]
}

/** What we owe once a provider is found for a lead that had none, or is changed by staff. */
export function jobsForLaterMatch(): NewJob[] {
  return [email('provider'), email('visitor'), crm('matched')]
}

/** What we owe once nobody is in reach: the team looks for a clinic, and the visitor knows that we do. Once per lead. */
export function jobsForNoMatch(): NewJob[] {
  return [email('team'), email('visitor')]
}

/**
 * What "Resend Email" sends: everything that has not arrived, and in any case the mail that makes something happen: the
 * clinic's, or the team's while there is no clinic.
 */
export function emailsToResend(latest: LatestJob[], { matched }: { matched: boolean }): NewJob[] {
  const purposes = new Set<EmailPurpose>([matched ? 'provider' : 'team'])
  for (const { name, purpose, state } of latest) {
    const isOtherParty = purpose === (matched ? 'team' : 'provider')
    if (name === 'send-email' && state !== 'done' && !isOtherParty) purposes.add(purpose as EmailPurpose)
  }
  return [...purposes].map(email)
}

/** What "Retry CRM Sync" sends: every event that the CRM has not taken; if it took all, the newest once more. */
export function crmEventsToRetry(latest: LatestJob[]): NewJob[] {
  const events = latest.filter(({ name }) => name === 'sync-crm')
  const missing = events.filter(({ state }) => state !== 'done').map(({ purpose }) => crm(purpose as CrmPurpose))
  if (missing.length > 0) return missing
  return [crm(events.some(({ purpose }) => purpose === 'matched') ? 'matched' : 'created')]
}
