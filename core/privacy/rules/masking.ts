import type { ApplicationDetails } from '../../applications/contract/applications.ts'
import { maskEmail, maskPhone, maskText } from '../../contract/texts.ts'
import type { Ledger } from '../../deliveries/contract/jobs.ts'
import type { LeadDetails } from '../../leads/contract/leads.ts'
import type { ProviderRecord } from '../../providers/contract/provider-record.ts'
import type { AuditLine } from '../../staff/contract/audit-log.ts'
import type { StaffRole } from '../../staff/contract/staff.ts'
import type { Suppression } from '../contract/opt-outs.ts'

/** Masks the contact details of a lead or an application for viewers, also those in the message of an application. */
export function maskPerson<Person extends { email: string; phone: string; message?: string | null }>(
  person: Person,
): Person {
  return {
    ...person,
    email: maskEmail(person.email),
    phone: maskPhone(person.phone),
    ...('acceptance_ip' in person && { acceptance_ip: null }),
    ...(person.message && { message: maskText(person.message) }),
  }
}

/** Masks a lead's details for viewers: also without IP address and browser, and what staff have written. */
export function maskDetails(lead: LeadDetails): LeadDetails {
  const consent = lead.consent && { ...lead.consent, ip: null, user_agent: null, page_url: null }
  return {
    ...maskPerson(lead),
    consent,
    attribution: {},
    next_action: mask(lead.next_action),
    notes: lead.notes.map((note) => ({ ...note, body: maskText(note.body) })),
    opt_out: { ...lead.opt_out, since: lead.opt_out.since && maskSuppression(lead.opt_out.since) },
  }
}

/** Masks an application's details for viewers: also what notes quote. */
export function maskApplication(application: ApplicationDetails): ApplicationDetails {
  const notes = application.notes.map((note) => ({ ...note, text: maskText(note.text) }))
  return { ...maskPerson(application), notes, ledger: maskLedger(application.ledger) }
}

function maskField(field: string, value: string): string {
  if (field === 'email') return maskEmail(value)
  return field === 'phone' ? maskPhone(value) : value
}

const mask = (text: string | null) => text && maskText(text)

/** Masks a ledger for viewers: recipients and results, and the contact details in what others have written. */
export function maskLedger({ jobs, acts, outcomes, edits }: Ledger): Ledger {
  return {
    acts,
    edits: edits.map((edit) => ({
      ...edit,
      was: maskField(edit.field, edit.was),
      became: maskField(edit.field, edit.became),
    })),
    outcomes: outcomes.map((outcome) => ({ ...outcome, note: mask(outcome.note) })),
    jobs: jobs.map((job) => ({
      ...job,
      recipient: job.recipient && maskEmail(job.recipient),
      // It has the recipient, and the words of the mail server.
      result: null,
      last_error: mask(job.last_error),
      last_detail: mask(job.last_detail),
      attempt_log: job.attempt_log.map((attempt) => ({
        ...attempt,
        error: mask(attempt.error),
        detail: mask(attempt.detail),
      })),
    })),
  }
}

/** Returns a line of the audit log as a role sees it: IP addresses are for managers, and viewers get texts masked. */
export function maskAuditLine(line: AuditLine, role: StaffRole): AuditLine {
  if (role === 'manager') return line
  return { ...line, ip: null, ...(role === 'viewer' && { details: maskDetailsOf(line.details) }) }
}

/** Masks each text of a JSON object but the ids of jobs and times. */
function maskDetailsOf(details: AuditLine['details']): AuditLine['details'] {
  const isPlain = (text: string) => /^(?:[\da-f-]{36}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)$/.test(text)
  return JSON.parse(JSON.stringify(details), (_, value) =>
    typeof value === 'string' && !isPlain(value) ? maskText(value) : value,
  )
}

export function maskRecord(record: ProviderRecord, role: StaffRole): ProviderRecord {
  const changes = record.changes.map((change) =>
    'act' in change ? { ...change, act: maskAuditLine(change.act, role) } : change,
  )
  if (role !== 'viewer') return { ...record, changes }
  const mails = record.mails.map((mail) => ({ ...mail, error: mask(mail.error), detail: mask(mail.detail) }))
  return { ...record, changes, mails }
}

/** Masks the contact details in what staff have written about an opt-out, for viewers. */
export function maskSuppression(suppression: Suppression): Suppression {
  return { ...suppression, lifted_because: mask(suppression.lifted_because) }
}
