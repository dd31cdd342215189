import { render, toPlainText } from '@react-email/components'
import type { ReactElement } from 'react'
import type { EmailPurpose } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { StaffProvider } from '../../core/contract/providers.ts'
import type { Env } from '../../core/env.ts'
import type { Mail } from '../senders/mailer.ts'
import { providerEmail } from './provider.tsx'
import { teamEmail } from './team.tsx'
import { visitorEmail } from './visitor.tsx'

/** What every template gets. Who has been matched since the job was made is the one who is named. */
export type EmailContext = { lead: Lead; provider: StaffProvider | null; env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL'> }

/** One e-mail before it is rendered; each template makes one. */
export type EmailDraft = Pick<Mail, 'to' | 'replyTo' | 'subject'> & { body: ReactElement }

const TEMPLATES = {
  provider: providerEmail,
  visitor: visitorEmail,
  team: teamEmail,
} satisfies Record<EmailPurpose, (context: EmailContext) => EmailDraft>

/** An e-mail about a lead, as HTML and as plain text. */
export async function composeEmail(purpose: EmailPurpose, context: EmailContext): Promise<Omit<Mail, 'messageId'>> {
  const { body, ...envelope } = TEMPLATES[purpose](context)
  const html = await render(body)
  return { ...envelope, html, text: toPlainText(html) }
}
