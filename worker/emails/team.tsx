import { Link } from '@react-email/components'
import type { EmailContext, EmailDraft } from './email.ts'
import { Facts, Layout, Paragraph } from './layout.tsx'

/** To our own team: a visitor waits, because no provider is in reach. */
export function teamEmail({ lead, env }: EmailContext): EmailDraft {
  return {
    to: env.TEAM_EMAIL,
    subject: `No provider near zip ${lead.zip_code} (lead ${lead.id})`,
    body: (
      <Layout preview="A visitor is waiting to be matched." title={`Nobody is in reach of zip ${lead.zip_code}`}>
        <Paragraph>
          A visitor asked for a consultation, and no active provider is within reach. They were told that we keep
          looking.
        </Paragraph>
        <Facts
          of={[
            ['Lead', `no. ${lead.id}`],
            ['Name', `${lead.first_name} ${lead.last_name}`],
            ['Phone', lead.phone],
            ['E-mail', lead.email],
            ['Zip code', lead.zip_code],
          ]}
        />
        <Paragraph>
          <Link href={`${env.PUBLIC_URL}/admin`}>Match the lead in the dashboard</Link>
        </Paragraph>
      </Layout>
    ),
  }
}
