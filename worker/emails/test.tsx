import { brand } from '../../core/brand/brand.ts'
import * as setup from '../../core/conditions/setup.ts'
import { formatMoment } from '../../core/dates.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, type EmailDraft } from './email.ts'
import { Layout, TestNotice } from './layout.tsx'
import { Facts, Paragraph } from './parts.tsx'

/** The email with which staff test the mail server. */
export const check = defineEmail({
  ...{ about: 'none', purpose: 'test', to: 'stated' },
  label: 'Test email',
  async load({ job }, { db }) {
    const check = await setup.findCheck(db, job.id)
    if (!check?.to) throw new NotNeeded('A newer test has replaced it.')
    return { to: check.to, at: check.at }
  },
  draft({ to, at, env }) {
    const what = 'This is a test of the mail server. There is nothing to do.'
    return {
      subject: `Test email from ${brand.company}`,
      isTest: true,
      body: (
        <Layout
          preview={what}
          title="Test email"
          reason={`You received this email because ${to} was entered in the setup.`}
        >
          <Paragraph>{what} If you can read this, emails are being sent.</Paragraph>
          <Paragraph>If you found it in your junk folder, sign your emails (DKIM) and publish an SPF record.</Paragraph>
          <Facts of={[['Sent', formatMoment(at, env.NETWORK_TIME_ZONE)]]} />
        </Layout>
      ),
    }
  },
  samples: {
    'mail-server-test': [
      'To an address typed in the setup: a test',
      { to: 'ada@leadwell.example', at: '2026-11-22T09:41:00.000Z' },
    ],
  },
})

/** Goes to the lead's own address, marked as a test, without the header that stops contact. */
export function asTest({ body, optOut: _, ...draft }: EmailDraft, { email }: Pick<Lead, 'email'>): EmailDraft {
  const notice =
    draft.to === email
      ? 'This is a test. A visitor would have received this email.'
      : `This is a test. It would have gone to ${draft.to} and was sent to you instead.`
  return {
    ...draft,
    to: email,
    subject: `[Test] ${draft.subject}`,
    isTest: true,
    body: <TestNotice value={notice}>{body}</TestNotice>,
  }
}
