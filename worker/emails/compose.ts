import { render, toPlainText } from '@react-email/components'
import type { EmailPurpose } from '../../core/contract/jobs.ts'
import type { Mail } from '../senders/mailer.ts'
import type { EmailContext, EmailDraft } from './email.ts'
import { providerEmail } from './provider.tsx'
import { teamEmail } from './team.tsx'
import { visitorEmail } from './visitor.tsx'

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
