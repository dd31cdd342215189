import { brand } from '../../core/brand/brand.ts'
import { formatMoment } from '../../core/dates.ts'
import type { ClinicEmailContext, EmailDraft } from './email.ts'
import { Layout } from './layout.tsx'
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
