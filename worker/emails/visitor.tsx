import { Link } from '@react-email/components'
import { brand } from '../../core/brand.ts'
import type { EmailContext, EmailDraft } from './email.ts'
import { Facts, Layout, Paragraph } from './layout.tsx'

/** To the visitor: whom we told, or that we keep looking. Discreet: the subject and the preview name no treatment. */
export function visitorEmail(context: EmailContext): EmailDraft {
  return {
    to: context.lead.email,
    replyTo: { name: brand.company, address: brand.email },
    subject: context.provider ? 'Your request has reached a provider near you' : 'We have received your request',
    body: context.provider ? <Matched {...context} provider={context.provider} /> : <Searching {...context} />,
  }
}

function Matched({ lead, provider }: EmailContext & { provider: NonNullable<EmailContext['provider']> }) {
  const { phone, website } = provider
  return (
    <Layout preview="They will call you to arrange your consultation." title={`Thank you, ${lead.first_name}`}>
      <Paragraph>
        We have passed your contact details to the provider below. They will call you to arrange your free consultation.
      </Paragraph>
      <Facts
        of={[
          ['Provider', provider.practiceName ?? provider.name],
          ['Phone', phone && <Link href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</Link>],
          ['Address', [provider.address, provider.zipCode].filter(Boolean).join(', ')],
          [
            'Website',
            website && <Link href={/^https?:/.test(website) ? website : `https://${website}`}>{website}</Link>,
          ],
        ]}
      />
      <Paragraph>
        If you have not heard from them within two business days, call them, or write to us at {brand.email}.
      </Paragraph>
    </Layout>
  )
}

function Searching({ lead }: EmailContext) {
  return (
    <Layout preview="We are looking for a provider near you." title={`Thank you, ${lead.first_name}`}>
      <Paragraph>
        We have received your request. There is no certified provider near zip code {lead.zip_code} yet, and our team is
        looking for one.
      </Paragraph>
      <Paragraph>
        You will hear from us as soon as there is. If you have a question, write to {brand.email} or call {brand.phone}.
      </Paragraph>
    </Layout>
  )
}
