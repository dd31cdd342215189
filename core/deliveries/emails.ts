import { z } from 'zod'

/** What jobs of emails say besides their subject: ids only, because the worker reads the rows. */
export const PAYLOADS = {
  /** About one provider, whichever provider has the lead then. */
  provider: z.strictObject({ providerId: z.int() }),
  /** About a provider that had the lead before. */
  previous_provider: z.strictObject({ previousProviderId: z.int() }),
}
export type PayloadKind = keyof typeof PAYLOADS
/** The payload of a kind. An email without a payload has `undefined` as its kind. */
export type Payload<Kind> = Kind extends PayloadKind ? z.infer<(typeof PAYLOADS)[Kind]> : Record<never, never>
export const JobPayload = z.object({ ...PAYLOADS.provider.shape, ...PAYLOADS.previous_provider.shape }).partial()
export type JobPayload = z.infer<typeof JobPayload>

/** What every process knows of an email, stated by its definition in `worker/emails`. */
export type EmailFacts = {
  /**
   * The recipient. `clinic` has the lead, or is named by the job; `second` is that provider's address for late answers;
   * `stated` is an address that is known when the email is sent.
   */
  to: 'clinic' | 'second' | 'previous_clinic' | 'visitor' | 'applicant' | 'team' | 'account' | 'stated'
  /** For staff. */
  label: string
  payload?: PayloadKind
  /** Must not be sent to or about a person who asked for no contact. */
  isContact?: true
  /** Waits for the answer of one provider, and ends when another provider gets the lead. Is a contact, too. */
  awaitsAnswer?: true
  /** A notice about one event, which a newer one does not replace. */
  eachCounts?: true
}

/**
 * The emails by what they are about, written by `npm run generate`. Purposes of `send-email`, labels, delivery targets, the
 * rules of contact and the recipients in the ledger derive from it.
 */
// biome-ignore format: generated
export const EMAILS = {
  // emails: npm run generate
  'lead': {
    late_clinic: { to: 'second', payload: 'provider', label: 'Email to the provider’s second address: answer late', awaitsAnswer: true },
    late_team: { to: 'team', label: 'Email to the team: answer late', awaitsAnswer: true },
    new_clinic: { to: 'visitor', payload: 'previous_provider', label: 'Email to the visitor: new provider', isContact: true },
    no_other_clinic: { to: 'team', label: 'Email to the team: no other provider', awaitsAnswer: true },
    no_provider: { to: 'visitor', label: 'Email to the visitor: no provider near yet', isContact: true },
    not_called: { to: 'team', label: 'Email to the team: visitor not called', awaitsAnswer: true },
    opted_out: { to: 'clinic', payload: 'provider', label: 'Email to the provider: no more contact' },
    passed_on: { to: 'previous_clinic', payload: 'previous_provider', label: 'Email to the previous provider' },
    provider: { to: 'clinic', label: 'Email to the provider', isContact: true },
    reminder: { to: 'clinic', payload: 'provider', label: 'Reminder to the provider', awaitsAnswer: true },
    team: { to: 'team', label: 'Email to the team' },
    visit_question: { to: 'clinic', payload: 'provider', label: 'Question to the provider: did the person come?', awaitsAnswer: true },
    visitor: { to: 'visitor', label: 'Email to the visitor', isContact: true },
    visitor_question: { to: 'visitor', label: 'Question to the visitor: did the provider call?', awaitsAnswer: true },
    withdrawn: { to: 'clinic', payload: 'provider', label: 'Email to the provider: request withdrawn' },
    wrong_number: { to: 'visitor', label: 'Email to the visitor: right phone number?', awaitsAnswer: true },
  },
  'erased lead': {
    erased: { to: 'previous_clinic', payload: 'previous_provider', label: 'Email to the provider: please delete' },
  },
  'application': {
    applicant: { to: 'applicant', label: 'Email to the applicant', isContact: true },
    team: { to: 'team', label: 'Email to the team' },
  },
  'account': {
    factor_removed: { to: 'account', label: 'Notice: two-step sign-in removed', eachCounts: true },
    invitation: { to: 'account', label: 'Invitation to an account' },
    new_browser: { to: 'account', label: 'Notice: sign-in from a new browser', eachCounts: true },
    new_factor: { to: 'account', label: 'Notice: two-step sign-in added', eachCounts: true },
    password_changed: { to: 'account', label: 'Notice: password changed', eachCounts: true },
    reset: { to: 'account', label: 'Link to reset a password' },
  },
  'provider': {
    address_changed: { to: 'stated', label: 'Notice to the provider: person or address changed', eachCounts: true },
    clinic_link: { to: 'stated', label: 'Link to the provider’s pages', eachCounts: true },
    test: { to: 'clinic', label: 'Test email to the provider' },
  },
  'sync': {
    provider_changed: { to: 'stated', payload: 'provider', label: 'Email to the provider: what a sync changed' },
    team: { to: 'team', label: 'Email to the team' },
  },
  'report': {
    weekly_report: { to: 'team', label: 'Weekly report to the team' },
  },
  'none': {
    test: { to: 'stated', label: 'Test email' },
  },
  // end
} as const satisfies Record<SubjectKind | 'erased lead' | 'none', Record<string, EmailFacts>>

/** A row that jobs may belong to. */
export type SubjectKind = 'lead' | 'application' | 'account' | 'sync' | 'provider' | 'report'
/** The row that a job belongs to. Every change of the row or its jobs takes the lock of the row first. */
export type Subject<Kind extends SubjectKind = SubjectKind> = `${Kind}:${number}`

export type EmailAbout = keyof typeof EMAILS
/** The purposes of the emails about something. */
export type EmailPurpose<About extends EmailAbout = EmailAbout> = {
  [Of in About]: keyof (typeof EMAILS)[Of] & string
}[About]

/** The payload of an email. */
export type PayloadOf<About extends EmailAbout, Purpose> = {
  [P in keyof (typeof EMAILS)[About]]: P extends Purpose
    ? Payload<(typeof EMAILS)[About][P] extends { payload: infer Kind } ? Kind : undefined>
    : never
}[keyof (typeof EMAILS)[About]]

/** Returns the purposes of all emails with a fact, or of those about something. */
export function emailsWith(fact: (facts: EmailFacts) => unknown, about?: EmailAbout): EmailPurpose[] {
  const tables: Record<string, EmailFacts>[] = about ? [EMAILS[about]] : Object.values(EMAILS)
  return tables.flatMap((table) =>
    Object.keys(table).filter((purpose) => fact(table[purpose] as EmailFacts)),
  ) as EmailPurpose[]
}

/** Returns the recipient of the emails with a purpose. */
export function recipientOf(purpose: string): EmailFacts['to'] {
  const tables: Record<string, EmailFacts>[] = Object.values(EMAILS)
  return tables.find((table) => purpose in table)?.[purpose]?.to ?? 'clinic'
}

/** The label of each purpose. */
export const EMAIL_LABELS = Object.assign({}, ...Object.values(EMAILS).toReversed().map(labelsOf)) as Record<
  EmailPurpose,
  string
>

function labelsOf(emails: Record<string, EmailFacts>): Record<string, string> {
  return Object.fromEntries(Object.entries(emails).map(([purpose, { label }]) => [purpose, label]))
}
