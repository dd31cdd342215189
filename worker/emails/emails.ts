import type { EmailAbout, EmailPurpose } from '../../core/deliveries/emails.ts'
import type { Mail } from '../senders/mailer.ts'
import { answerEmails } from './answers.tsx'
import { applicant } from './applicant.tsx'
import { application } from './application.tsx'
import { clinicEmails } from './clinic.tsx'
import type { Email, EmailDraft } from './email.ts'
import { erased } from './erased.tsx'
import { opted_out } from './opted-out.tsx'
import { passed_on } from './passed-on.tsx'
import { provider } from './provider.tsx'
import { joined, render } from './render.tsx'
import { weekly_report } from './reports.tsx'
import { staffEmails } from './staff.tsx'
import { provider_changed, sync_team } from './sync-changes.tsx'
import { team } from './team.tsx'
import { check } from './test.tsx'
import { visitorEmails } from './visitor.tsx'

/** The definition of each e-mail in `core/deliveries/emails.ts`. A missing one is a compile error. */
export const DEFINITIONS = {
  lead: { provider, ...visitorEmails, team, passed_on, opted_out, ...answerEmails },
  'erased lead': { erased },
  application: { team: application, applicant },
  account: staffEmails,
  provider: clinicEmails,
  sync: { team: sync_team, provider_changed },
  report: { weekly_report },
  none: { test: check },
} satisfies { [About in EmailAbout]: Record<EmailPurpose<About>, Email<About>> }

/** An e-mail as HTML and as plain text. */
export type Composed = Omit<Mail, 'messageId'>

export function compose({ body, ...envelope }: EmailDraft): Composed {
  return { ...envelope, ...render(body) }
}

/** An e-mail about fictional people. `name` is for addresses and files. */
export type EmailSample = {
  name: string
  title: string
  mail: Omit<Composed, 'html' | 'text'> & Record<'html' | 'text', string>
}

/** Returns samples of every e-mail, and of the unusual cases: long, hostile or incomplete data. */
export function emailSamples(): EmailSample[] {
  const all = Object.values(DEFINITIONS).flatMap((emails) => Object.values(emails))
  return all
    .flatMap((email) => email.samples())
    .map(({ name, title, draft }) => {
      const { html, text, ...mail } = compose(draft)
      return { name, title, mail: { ...mail, html: joined(html), text: joined(text) } }
    })
}
