import type { Ledger } from '../contract/jobs.ts'
import type { LeadDetails } from '../contract/leads.ts'
import { maskEmail, maskPhone, maskText } from '../contract/masking.ts'

/** A lead or an application as viewers see it. */
export function maskPerson<Person extends { email: string; phone: string }>(person: Person): Person {
  const hasAddress = 'acceptance_ip' in person
  return {
    ...person,
    email: maskEmail(person.email),
    phone: maskPhone(person.phone),
    ...(hasAddress && { acceptance_ip: null }),
  }
}

/** The same of all that is known of a lead: without the address and the browser that it came from. */
export function maskDetails(lead: LeadDetails): LeadDetails {
  const consent = lead.consent && { ...lead.consent, ip: null, user_agent: null, page_url: null }
  return { ...maskPerson(lead), consent, attribution: {} }
}

/** What happened to a lead or an application, without the addresses that e-mails went to and what others said of them. */
export function maskLedger({ jobs, acts }: Ledger): Ledger {
  const mask = (text: string | null) => text && maskText(text)
  return {
    acts,
    jobs: jobs.map((job) => ({
      ...job,
      recipient: job.recipient && maskEmail(job.recipient),
      last_detail: mask(job.last_detail),
      attempt_log: job.attempt_log.map((attempt) => ({ ...attempt, detail: mask(attempt.detail) })),
    })),
  }
}
