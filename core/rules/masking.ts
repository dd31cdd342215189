import type { ApplicationDetails } from '../contract/application-details.ts'
import type { Ledger } from '../contract/jobs.ts'
import type { LeadWork } from '../contract/lead-work.ts'
import type { LeadDetails } from '../contract/leads.ts'
import { maskEmail, maskPhone, maskText } from '../contract/masking.ts'

/** Masks the contact details of a lead or an application for viewers. */
export function maskPerson<Person extends { email: string; phone: string }>(person: Person): Person {
  const hasAddress = 'acceptance_ip' in person
  return {
    ...person,
    email: maskEmail(person.email),
    phone: maskPhone(person.phone),
    ...(hasAddress && { acceptance_ip: null }),
  }
}

/** Masks a lead's details for viewers: also without IP address and browser. */
export function maskDetails(lead: LeadDetails): LeadDetails {
  const consent = lead.consent && { ...lead.consent, ip: null, user_agent: null, page_url: null }
  return { ...maskPerson(lead), consent, attribution: {} }
}

/** Masks an application's details for viewers: also what notes quote. */
export function maskApplication(application: ApplicationDetails): ApplicationDetails {
  const notes = application.notes.map((note) => ({ ...note, text: maskText(note.text) }))
  return { ...maskPerson(application), notes }
}

function maskField(field: string, value: string): string {
  if (field === 'email') return maskEmail(value)
  return field === 'phone' ? maskPhone(value) : value
}

/** Masks a ledger for viewers: recipients, and the contact details in what others have written. */
export function maskLedger({ jobs, acts, outcomes, edits, notes }: Ledger): Ledger {
  const mask = (text: string | null) => text && maskText(text)
  return {
    acts,
    edits: edits.map((edit) => ({
      ...edit,
      was: maskField(edit.field, edit.was),
      became: maskField(edit.field, edit.became),
    })),
    outcomes: outcomes.map((outcome) => ({ ...outcome, note: mask(outcome.note) })),
    notes: notes.map((note) => ({ ...note, body: maskText(note.body) })),
    jobs: jobs.map((job) => ({
      ...job,
      recipient: job.recipient && maskEmail(job.recipient),
      last_detail: mask(job.last_detail),
      attempt_log: job.attempt_log.map((attempt) => ({ ...attempt, detail: mask(attempt.detail) })),
    })),
  }
}

/** Masks the contact details in what staff have written about a lead, for viewers. */
export function maskWork(work: LeadWork): LeadWork {
  return {
    ...work,
    next_action: work.next_action && maskText(work.next_action),
    notes: work.notes.map((note) => ({ ...note, body: maskText(note.body) })),
  }
}
