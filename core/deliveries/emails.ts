import { z } from 'zod'

/*
 * The registry of e-mails: one line each, by what it is about. The purposes of `send-email`, its labels, the delivery
 * targets, the rules of contact and the recipients in the ledger derive from it. The e-mail itself is defined in
 * `worker/emails`, which the compiler checks against this table.
 */

/** About one clinic, whichever clinic has the lead then. */
const OfProvider = z.strictObject({ providerId: z.int() })
/** About a clinic that had the lead before. */
const OfPreviousProvider = z.strictObject({ previousProviderId: z.int() })

/** What a job says beside its subject: ids only, because the worker reads the rows. */
export type JobPayload = Partial<z.infer<typeof OfProvider> & z.infer<typeof OfPreviousProvider>>

export type EmailFacts = {
  /**
   * The recipient. `clinic` has the lead, or is named by the job; `second` is that clinic's address for late answers;
   * `stated` is an address that is known when the e-mail is sent.
   */
  to: 'clinic' | 'second' | 'previous_clinic' | 'visitor' | 'applicant' | 'team' | 'account' | 'stated'
  /** For staff. */
  label: string
  /** What its job says. Nothing, if there is none. */
  payload?: typeof OfProvider | typeof OfPreviousProvider
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
    passed_on: { to: 'previous_clinic', payload: OfPreviousProvider, label: 'E-mail to the previous clinic' },
    new_clinic: {
      to: 'visitor',
      payload: OfPreviousProvider,
      label: 'E-mail to the visitor: new clinic',
      isContact: true,
    },
    opted_out: { to: 'clinic', payload: OfProvider, label: 'E-mail to the clinic: no more contact' },
    reminder: { to: 'clinic', payload: OfProvider, label: 'Reminder to the clinic', awaitsAnswer: true },
    late_clinic: {
      to: 'second',
      payload: OfProvider,
      label: 'E-mail to the clinic’s second address: answer late',
      awaitsAnswer: true,
    },
    late_team: { to: 'team', label: 'E-mail to the team: answer late', awaitsAnswer: true },
    no_other_clinic: { to: 'team', label: 'E-mail to the team: no other clinic', awaitsAnswer: true },
    visitor_question: { to: 'visitor', label: 'Question to the visitor: did the clinic call?', awaitsAnswer: true },
    wrong_number: { to: 'visitor', label: 'E-mail to the visitor: right phone number?', awaitsAnswer: true },
    not_called: { to: 'team', label: 'E-mail to the team: visitor not called', awaitsAnswer: true },
    withdrawn: { to: 'clinic', payload: OfProvider, label: 'E-mail to the clinic: request withdrawn' },
  },
  'erased lead': {
    erased: { to: 'previous_clinic', payload: OfPreviousProvider, label: 'E-mail to the clinic: please delete' },
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
    provider_changed: { to: 'stated', payload: OfProvider, label: 'E-mail to the clinic: what a sync changed' },
  },
  report: {
    weekly_report: { to: 'team', label: 'Weekly report to the team' },
  },
  // Staff test the mail server.
  none: {
    test: { to: 'stated', label: 'Test e-mail' },
  },
} as const satisfies Record<SubjectKind | 'erased lead' | 'none', Record<string, EmailFacts>>

/** A row that jobs may belong to. */
export type SubjectKind = 'lead' | 'application' | 'account' | 'sync' | 'provider' | 'report'
/** The row that a job belongs to. Every change of the row or its jobs takes the lock of the row first. */
export type Subject<Kind extends SubjectKind = SubjectKind> = `${Kind}:${number}`

export type EmailAbout = keyof typeof EMAILS
/** The purposes of the e-mails about something. */
export type EmailPurpose<About extends EmailAbout = EmailAbout> = {
  [Of in About]: keyof (typeof EMAILS)[Of] & string
}[About]

/** The payload of an e-mail. */
export type PayloadOf<About extends EmailAbout, Purpose> = {
  [P in keyof (typeof EMAILS)[About]]: P extends Purpose
    ? (typeof EMAILS)[About][P] extends { payload: infer Schema extends z.ZodType }
      ? z.infer<Schema>
      : Record<never, never>
    : never
}[keyof (typeof EMAILS)[About]]

/** Returns the purposes of all e-mails with a fact, or of those about something. */
export function emailsWith(fact: (facts: EmailFacts) => unknown, about?: EmailAbout): EmailPurpose[] {
  const tables: Record<string, EmailFacts>[] = about ? [EMAILS[about]] : Object.values(EMAILS)
  return tables.flatMap((table) =>
    Object.keys(table).filter((purpose) => fact(table[purpose] as EmailFacts)),
  ) as EmailPurpose[]
}

/** Returns the recipient of the e-mails with a purpose. */
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
