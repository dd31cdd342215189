import { brand } from '../../core/brand/brand.ts'
import type { MatchKind } from '../../core/contract/leads.ts'
import { formatMoment } from '../../core/dates.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Email, Facts, Note, Paragraph, Phone, Quote, Subtitle, Typed } from './parts.tsx'
import { consultationOf, distance, mailtoUrl, nameOf, replyTo, TO_A_CLINIC, telUrl } from './words.ts'

/** The reasons for the match, by kind. */
const MATCHES: Record<MatchKind, string> = {
  chosen: 'and chose your clinic',
  nearest: 'and you are the nearest clinic in our network',
  staff: 'and our team has chosen your clinic',
}

/** Returns the e-mail to the clinic about a new lead. Replies go to the visitor. */
export function providerEmail({ lead, provider, env }: LeadEmailContext): EmailDraft {
  if (!provider) throw new Error('The clinic of a lead without a provider cannot be written to')
  const name = nameOf(lead)

  return {
    to: provider.email,
    replyTo: replyTo(name, lead.email),
    subject: `New consultation request from zip ${lead.zip_code} (no. ${lead.id})`,
    body: (
      <Layout
        preview="Please call within one business day."
        title="A new patient has requested a consultation"
        reason={TO_A_CLINIC}
      >
        <Paragraph>Hello {provider.practiceName || provider.name},</Paragraph>
        <Paragraph>
          <Typed>{name}</Typed> asked {brand.company} for a {consultationOf(provider)}
          {lead.match_kind && `, ${MATCHES[lead.match_kind]}`}. Please call within one business day; you can also reply
          to this e-mail, and your reply goes to them.
        </Paragraph>
        <WhoAsks lead={lead} env={env} />
        <Actions
          of={[
            [`Call ${lead.phone}`, telUrl(lead.phone)],
            ['Reply by e-mail', mailtoUrl(lead.email, 'Your request for a consultation')],
          ]}
        />
        <ConsentGiven lead={lead} env={env} />
      </Layout>
    ),
  }
}

type About = Pick<LeadEmailContext, 'lead' | 'env'>

function WhoAsks({ lead, env }: About) {
  const { email, phone, zip_code, match_distance_miles: miles } = lead
  return (
    <Facts
      of={[
        ['Name', <Typed key="name">{nameOf(lead)}</Typed>],
        ['Phone', <Phone key="phone">{phone}</Phone>],
        ['E-mail', <Email key="email">{email}</Email>],
        ['Zip code', zip_code],
        ['Distance', miles === null ? null : `${distance(miles)} from your clinic to their zip code`],
        ['Request', `no. ${lead.id}, ${formatMoment(lead.created_at, env.NETWORK_TIME_ZONE)}`],
      ]}
    />
  )
}

/** Renders the evidence of the consent. Form, wording and time are stored in one statement, so that they agree. */
function ConsentGiven({ lead, env }: About) {
  return (
    <>
      <Subtitle>Their consent</Subtitle>
      {lead.acceptance_message ? (
        <>
          <Paragraph>Given on {formatMoment(lead.created_at, env.NETWORK_TIME_ZONE)}, in these words:</Paragraph>
          <Quote>{lead.acceptance_message}</Quote>
        </>
      ) : (
        <Paragraph>
          Given on {formatMoment(lead.created_at, env.NETWORK_TIME_ZONE)}; the page did not send a wording that we know.
        </Paragraph>
      )}
      <Note>If they ever reply STOP, please do not contact them again.</Note>
    </>
  )
}
