import type { EmailAbout } from '../../core/deliveries/emails.ts'
import type { Mail } from '../senders/mailer.ts'
import { DEFINED, type Email, type EmailDraft } from './email.ts'
import { render } from './render.tsx'
// definitions: npm run generate
import './application.tsx'
import './clinic-stops.tsx'
import './clinic.tsx'
import './late-clinic.tsx'
import './late-team.tsx'
import './provider.tsx'
import './reports.tsx'
import './staff.tsx'
import './sync-changes.tsx'
import './team.tsx'
import './test.tsx'
import './visit-question.tsx'
import './visitor-questions.tsx'
import './visitor.tsx'
// end

export const DEFINITIONS: readonly Email[] = DEFINED.toSorted((a, b) => a.purpose.localeCompare(b.purpose))

const byName = new Map(DEFINITIONS.map((email) => [`${email.about} ${email.purpose}`, email]))
export const findEmail = (about: EmailAbout, purpose: string) => byName.get(`${about} ${purpose}`)

export type Composed = Omit<Mail, 'messageId'>

export function compose({ body, ...envelope }: EmailDraft): Composed {
  return { ...envelope, ...render(body) }
}

/** An email about fictional people. `name` is for addresses and files. */
export type EmailSample = { name: string; title: string; mail: Composed }

/** Returns samples of every email, and of the unusual cases: long, hostile or incomplete data. */
export function emailSamples(): EmailSample[] {
  return DEFINITIONS.flatMap((email) => email.samples()).map(({ name, title, draft }) => ({
    ...{ name, title },
    mail: compose(draft),
  }))
}
