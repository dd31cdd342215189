import { Link } from '@react-email/components'
import { brand } from '../../core/brand.ts'
import type { EmailContext, EmailDraft } from './email.ts'
import { Facts, Layout, Paragraph } from './layout.tsx'

/** To the clinic: somebody near you asks for a consultation. An answer to it goes to the visitor. */
export function providerEmail({ lead, provider }: EmailContext): EmailDraft {
  if (!provider) throw new Error('The clinic of a lead without a provider cannot be written to')
  const name = `${lead.first_name} ${lead.last_name}`
  const miles = lead.match_distance_miles

  return {
    to: provider.email,
    replyTo: { name, address: lead.email },
    subject: `New consultation request from zip ${lead.zip_code}`,
    body: (
      <Layout preview="Please call within one business day." title="A new patient asks for a consultation">
        <Paragraph>Hello {provider.practiceName ?? provider.name},</Paragraph>
        <Paragraph>
          {name} asked {brand.company} for a free consultation and was matched to you. Please call within one business
          day; you can also simply answer this e-mail.
        </Paragraph>
        <Facts
          of={[
            ['Name', name],
            [
              'Phone',
              <Link key="phone" href={`tel:${lead.phone.replace(/[^\d+]/g, '')}`}>
                {lead.phone}
              </Link>,
            ],
            [
              'E-mail',
              <Link key="email" href={`mailto:${lead.email}`}>
                {lead.email}
              </Link>,
            ],
            ['Zip code', lead.zip_code],
            ['Distance', miles === null ? null : `about ${Math.round(miles)} miles`],
            ['Request', `no. ${lead.id}, ${lead.created_at.slice(0, 16).replace('T', ' ')} UTC`],
          ]}
        />
        {lead.acceptance_message && <Paragraph>They agreed to: “{lead.acceptance_message}”</Paragraph>}
      </Layout>
    ),
  }
}
