import { brand } from '../../core/brand/brand.ts'
import type { Lead } from '../../core/contract/leads.ts'
import { formatMoment } from '../../core/dates.ts'
import type { ClinicEmailContext, EmailDraft, Settings } from './email.ts'
import { Layout, TestNotice } from './layout.tsx'
import { Facts, Paragraph } from './parts.tsx'
import { plain, TO_A_CLINIC } from './words.ts'

/** Returns the e-mail that shows whether requests can reach a clinic. It contains no request. */
export function testEmail({ clinic, to, at, env }: ClinicEmailContext): EmailDraft {
  const what = 'This is a test. It is not a request, and there is nothing to do.'
  return {
    to,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Test e-mail from ${brand.company}`,
    body: (
      <Layout preview={what} title="Test e-mail" reason={TO_A_CLINIC}>
        <Paragraph>Hello {plain(clinic.practiceName || clinic.name)},</Paragraph>
        <Paragraph>{what} If you can read it, requests from visitors reach you at this address.</Paragraph>
        <Paragraph>
          If you found it in your junk folder, please mark it as not junk, so that you see requests in time.
        </Paragraph>
        <Facts
          of={[
            ['Requests go to', to],
            ['Sent', formatMoment(at, env.NETWORK_TIME_ZONE)],
          ]}
        />
      </Layout>
    ),
  }
}

/** The context of the e-mail that shows staff whether e-mails are sent. `at` is in ISO 8601. */
export type CheckContext = Settings & { to: string; at: string }

/** Returns the e-mail with which staff test the mail server. */
export function checkEmail({ to, at, env }: CheckContext): EmailDraft {
  const what = 'This is a test of the mail server. There is nothing to do.'
  return {
    to,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Test e-mail from ${brand.company}`,
    isTest: true,
    body: (
      <Layout
        preview={what}
        title="Test e-mail"
        reason={`You received this e-mail because ${to} was typed in the setup.`}
      >
        <Paragraph>{what} If you can read it, e-mails are sent.</Paragraph>
        <Paragraph>If you found it in your junk folder, sign your e-mails (DKIM) and publish an SPF record.</Paragraph>
        <Facts of={[['Sent', formatMoment(at, env.NETWORK_TIME_ZONE)]]} />
      </Layout>
    ),
  }
}

/**
 * Returns an e-mail about a test lead as the staff who made it get it: to the lead's own address, marked as a test, and without
 * the header that stops contact.
 */
export function asTest({ body, optOut: _, ...draft }: EmailDraft, { email }: Pick<Lead, 'email'>): EmailDraft {
  const notice =
    draft.to === email
      ? 'This is a test. A visitor would have got this e-mail.'
      : `This is a test. It would have gone to ${draft.to}, and was sent to you instead.`
  return {
    ...draft,
    to: email,
    subject: `[Test] ${draft.subject}`,
    isTest: true,
    body: <TestNotice value={notice}>{body}</TestNotice>,
  }
}
