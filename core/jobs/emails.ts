/*
 * The registry of e-mails: one line each, by what it is about. The purposes of `send-email`, its labels, the delivery
 * targets, the rules of contact and the recipients in the ledger derive from it. The e-mail itself is defined in
 * `worker/emails`, which the compiler checks against this table.
 */

export type EmailFacts = {
  /**
   * The recipient. `clinic` has the lead, or is named by the job; `second` is that clinic's address for late answers;
   * `stated` is an address that is known when the e-mail is sent.
   */
  to: 'clinic' | 'second' | 'previous_clinic' | 'visitor' | 'applicant' | 'team' | 'account' | 'stated'
  /** For staff. */
  label: string
  /** Must not be sent to or about a person who asked for no contact. */
  isContact?: true
  /** Waits for the answer of one clinic, and ends when another clinic gets the lead. Is a contact, too. */
  awaitsAnswer?: true
  /** A notice about one event, which a newer one does not replace. */
  eachCounts?: true
}

export const EMAILS = {
  lead: {
    provider: { to: 'clinic', label: 'E-mail to the clinic', isContact: true },
    visitor: { to: 'visitor', label: 'E-mail to the visitor', isContact: true },
    team: { to: 'team', label: 'E-mail to the team' },
    passed_on: { to: 'previous_clinic', label: 'E-mail to the previous clinic' },
    new_clinic: { to: 'visitor', label: 'E-mail to the visitor: new clinic', isContact: true },
    opted_out: { to: 'clinic', label: 'E-mail to the clinic: no more contact' },
    reminder: { to: 'clinic', label: 'Reminder to the clinic', awaitsAnswer: true },
    late_clinic: { to: 'second', label: 'E-mail to the clinic’s second address: answer late', awaitsAnswer: true },
    late_team: { to: 'team', label: 'E-mail to the team: answer late', awaitsAnswer: true },
    no_other_clinic: { to: 'team', label: 'E-mail to the team: no other clinic', awaitsAnswer: true },
    visitor_question: { to: 'visitor', label: 'Question to the visitor: did the clinic call?', awaitsAnswer: true },
    wrong_number: { to: 'visitor', label: 'E-mail to the visitor: right phone number?', awaitsAnswer: true },
    not_called: { to: 'team', label: 'E-mail to the team: visitor not called', awaitsAnswer: true },
    withdrawn: { to: 'clinic', label: 'E-mail to the clinic: request withdrawn' },
  },
  'erased lead': {
    erased: { to: 'previous_clinic', label: 'E-mail to the clinic: please delete' },
  },
  application: {
    team: { to: 'team', label: 'E-mail to the team' },
    applicant: { to: 'applicant', label: 'E-mail to the applicant', isContact: true },
  },
  account: {
    invitation: { to: 'account', label: 'Invitation to an account' },
    reset: { to: 'account', label: 'Link to reset a password' },
    password_changed: { to: 'account', label: 'Notice: password changed', eachCounts: true },
    new_browser: { to: 'account', label: 'Notice: sign-in from a new browser', eachCounts: true },
    new_factor: { to: 'account', label: 'Notice: two-step sign-in added', eachCounts: true },
    factor_removed: { to: 'account', label: 'Notice: two-step sign-in removed', eachCounts: true },
  },
  provider: {
    clinic_link: { to: 'stated', label: 'Link to the clinic’s pages', eachCounts: true },
    address_changed: { to: 'stated', label: 'Notice to the clinic: person or address changed', eachCounts: true },
    test: { to: 'clinic', label: 'Test e-mail to the clinic' },
  },
  sync: {
    team: { to: 'team', label: 'E-mail to the team' },
    provider_changed: { to: 'stated', label: 'E-mail to the clinic: what a sync changed' },
  },
  report: {
    weekly_report: { to: 'team', label: 'Weekly report to the team' },
  },
  // Staff test the mail server.
  check: {
    test: { to: 'stated', label: 'Test e-mail' },
  },
} as const satisfies Record<string, Record<string, EmailFacts>>

export type EmailAbout = keyof typeof EMAILS
/** The purposes of the e-mails about something. */
export type EmailPurpose<About extends EmailAbout = EmailAbout> = {
  [Of in About]: keyof (typeof EMAILS)[Of] & string
}[About]

/** Returns the purposes of all e-mails with a fact, or of those about something. */
export function emailsWith(fact: (facts: EmailFacts) => unknown, about?: EmailAbout): EmailPurpose[] {
  const tables: Record<string, EmailFacts>[] = about ? [EMAILS[about]] : Object.values(EMAILS)
  return tables.flatMap((table) =>
    Object.keys(table).filter((purpose) => fact(table[purpose] as EmailFacts)),
  ) as EmailPurpose[]
}

/** The label of each purpose. */
export const EMAIL_LABELS = Object.assign({}, ...Object.values(EMAILS).toReversed().map(labelsOf)) as Record<
  EmailPurpose,
  string
>

function labelsOf(emails: Record<string, EmailFacts>): Record<string, string> {
  return Object.fromEntries(Object.entries(emails).map(([purpose, { label }]) => [purpose, label]))
}
