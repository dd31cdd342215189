import type { ReactNode } from 'react'
import { brand } from '../../core/brand/brand.ts'
import { websiteAddress } from '../../core/contract/applications.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Facts, Note, Paragraph, Phone, Steps, Subtitle, Typed } from './parts.tsx'
import { consultationOf, mailtoUrl, plain, telUrl, thanks } from './words.ts'

type Matched = LeadEmailContext & { provider: NonNullable<LeadEmailContext['provider']> }

/**
 * Returns the e-mail to the visitor: the matched provider, or that the search continues. Subject and preview must not
 * name a treatment.
 */
export function visitorEmail({ provider, ...context }: LeadEmailContext): EmailDraft {
  const { id, email } = context.lead
  return {
    to: email,
    replyTo: { name: brand.company, address: brand.email },
    // The visitor agreed to further contact and may withdraw that.
    optOut: { url: context.optOutUrl, mailto: mailtoUrl(brand.email, `STOP (request no. ${id})`) },
    ...(provider
      ? { subject: 'Your request has reached a provider near you', body: matched({ ...context, provider }) }
      : { subject: 'We have received your request', body: searching(context.lead, context.optOutUrl) }),
  }
}

/** Returns the e-mail to a visitor whose provider has changed. */
export function newClinicEmail(context: LeadEmailContext): EmailDraft {
  const { provider, previous } = context
  if (!provider || !previous) throw new Error('A change of the provider needs both providers')
  return {
    ...visitorEmail(context),
    subject: 'Another provider will take care of your request',
    body: matched(
      { ...context, provider },
      {
        title: 'A new provider for you',
        opening: (
          <>
            <Typed>{previous.practiceName || previous.name}</Typed>, the provider that we told you about before, no
            longer handles your request. We have passed your contact details to this provider instead:
          </>
        ),
      },
    ),
  }
}

const REASON = `You received this e-mail because you sent a request to ${brand.company}.`

type Opening = { title: string; opening: ReactNode }

function matched(
  { lead, provider, optOutUrl }: Matched,
  { title, opening }: Opening = {
    title: thanks(lead.first_name),
    opening: 'We have passed your contact details to this provider:',
  },
) {
  const phone = provider.phone?.trim()
  return (
    <Layout
      preview="They will call you to arrange your consultation."
      title={title}
      reason={REASON}
      optOutUrl={optOutUrl}
    >
      <Paragraph>{opening}</Paragraph>
      <WhomWeTold provider={provider} />
      <Actions of={[[`Call ${phone}`, telUrl(phone ?? '')]]} />
      <Subtitle>What happens next</Subtitle>
      <Steps
        of={[
          ['call', `They will call you at ${plain(lead.phone)} to arrange your ${consultationOf(provider)}.`],
          [
            'wait',
            `If you have not heard from them within two business days, ${phone ? 'call them, or ' : ''}write to us at ${brand.email}.`,
          ],
        ]}
      />
      <Corrections />
    </Layout>
  )
}

function WhomWeTold({ provider }: Pick<Matched, 'provider'>) {
  const phone = provider.phone?.trim()
  const website = provider.website && websiteAddress(provider.website)
  return (
    <Facts
      of={[
        ['Provider', <Typed key="name">{provider.practiceName || provider.name}</Typed>],
        ['Phone', phone && <Phone key="phone">{phone}</Phone>],
        ['Address', addressOf(provider)],
        [
          'Website',
          website && (
            <A key="website" href={website}>
              {provider.website}
            </A>
          ),
        ],
      ]}
    />
  )
}

/** Returns the address with its zip code, which some addresses already contain. */
function addressOf({ address, zipCode }: Matched['provider']): string {
  const street = address?.trim()
  if (!street) return `zip code ${zipCode}`
  return street.includes(zipCode) ? street : `${street}, ${zipCode}`
}

function searching({ first_name, zip_code }: LeadEmailContext['lead'], optOutUrl: string) {
  return (
    <Layout
      preview="We are looking for a provider near you."
      title={thanks(first_name)}
      reason={REASON}
      optOutUrl={optOutUrl}
    >
      <Paragraph>
        We have received your request. There is no certified provider near zip code {zip_code} yet, and our team is
        looking for one. No provider has your contact details until then.
      </Paragraph>
      <Subtitle>What happens next</Subtitle>
      <Steps
        of={[
          ['search', 'Our team keeps looking. You do not need to do anything.'],
          ['mail', 'Once we find one, they get your contact details, and you get an e-mail that says who they are.'],
        ]}
      />
      <Paragraph>If you have a question, reply to this e-mail, or call {brand.phone}.</Paragraph>
      <Corrections />
    </Layout>
  )
}

function Corrections() {
  return <Note>If any of your details are wrong, reply to this e-mail.</Note>
}
