import { brand } from '../../core/brand/brand.ts'
import { fullAddress } from '../../core/contract/addresses.ts'
import { websiteAddress } from '../../core/contract/applications.ts'
import { dialable } from '../../core/contract/phones.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Facts, Note, Paragraph, Phone, Steps, Subtitle, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { consultationOf, mailtoUrl, plain, shownPhone, thanks } from './words.ts'

type Matched = LeadEmailContext & { provider: NonNullable<LeadEmailContext['provider']> }

/**
 * Returns the e-mail to the visitor: the matched provider, or that the search continues. Subject and preview must not
 * name a treatment.
 */
export function visitorEmail({ provider, ...context }: LeadEmailContext): EmailDraft {
  const { lead, optOutUrl } = context
  return {
    to: lead.email,
    replyTo: { name: brand.company, address: brand.email },
    // The visitor agreed to further contact and may withdraw that.
    optOut: { url: optOutUrl, mailto: mailtoUrl(brand.email, `STOP (request no. ${lead.id})`) },
    ...(provider
      ? {
          subject:
            lead.match_kind === 'again'
              ? 'Your request has reached the provider that has your earlier one'
              : 'Your request has reached a provider near you',
          body: <MatchedBody {...matchedSlots({ ...context, provider })} />,
        }
      : {
          subject: 'We have received your request',
          body: <Searching title={thanks(lead.first_name)} zipCode={lead.zip_code} optOutUrl={optOutUrl} />,
        }),
  }
}

/** Returns the e-mail to a visitor whose provider has changed. */
export function newClinicEmail(context: LeadEmailContext): EmailDraft {
  const { provider, previous } = context
  if (!provider || !previous) throw new Error('A change of the provider needs both providers')
  return {
    ...visitorEmail(context),
    subject: 'Another provider will take care of your request',
    body: (
      <MatchedBody
        {...matchedSlots({ ...context, provider })}
        title="A new provider for you"
        previous={plain(previous.practiceName || previous.name)}
      />
    ),
  }
}

const REASON = `You received this e-mail because you sent a request to ${brand.company}.`

/**
 * `website` is as it was typed; `href` is its address if that differs. `previous` is the clinic that had the lead.
 * `againFrom` is the zip of somebody whose earlier request decided.
 */
type MatchedSlots = {
  title: string
  previous: string | null
  againFrom: string | null
  clinic: string
  phone: string | null
  dial: string | null
  address: string
  website: string | null
  href: string | null
  visitorPhone: string
  consultation: string
  optOutUrl: string
}

function matchedSlots({ lead, provider, optOutUrl }: Matched): MatchedSlots {
  const phone = provider.phone?.trim() || null
  const href = provider.website ? websiteAddress(provider.website) : null
  return {
    title: thanks(lead.first_name),
    previous: null,
    againFrom: lead.match_kind === 'again' ? plain(lead.zip_code) : null,
    clinic: plain(provider.practiceName || provider.name),
    phone: phone && shownPhone(phone),
    dial: phone && dialable(phone),
    address: addressOf(provider),
    website: href && provider.website,
    href: href === provider.website ? null : href,
    visitorPhone: plain(lead.phone),
    consultation: consultationOf(provider),
    optOutUrl,
  }
}

function addressOf({ address, zipCode }: Matched['provider']): string {
  return address?.trim() ? fullAddress({ address, zipCode }) : `zip code ${zipCode}`
}

const MatchedBody = slotted((slots: MatchedSlots) => {
  const { title, previous, againFrom, phone, dial, visitorPhone, consultation, optOutUrl } = slots
  return (
    <Layout
      preview="They will call you to arrange your consultation."
      title={title}
      reason={REASON}
      optOutUrl={optOutUrl}
    >
      {previous === null ? (
        <Paragraph>We have passed your contact details to this provider:</Paragraph>
      ) : (
        <Paragraph>
          <Typed>{previous}</Typed>, the provider that we told you about before, no longer handles your request. We have
          passed your contact details to this provider instead:
        </Paragraph>
      )}
      <WhomWeTold {...slots} />
      {againFrom !== null && (
        <Paragraph>
          They have an earlier request from you. If you would rather go to another provider near {againFrom}, reply to
          this e-mail.
        </Paragraph>
      )}
      <Actions of={[[`Call ${phone}`, dial === null ? null : `tel:${dial}`]]} />
      <Subtitle>What happens next</Subtitle>
      <Steps
        of={[
          ['call', `They will call you at ${visitorPhone} to arrange your ${consultation}.`],
          [
            'wait',
            `If you have not heard from them within two business days, ${phone === null ? '' : 'call them, or '}write to us at ${brand.email}.`,
          ],
        ]}
      />
      <Corrections />
    </Layout>
  )
})

function WhomWeTold({ clinic, phone, dial, address, website, href }: MatchedSlots) {
  return (
    <Facts
      of={[
        ['Provider', <Typed key="name">{clinic}</Typed>],
        [
          'Phone',
          phone !== null && (
            <Phone key="phone" dial={dial}>
              {phone}
            </Phone>
          ),
        ],
        ['Address', address],
        [
          'Website',
          website !== null && (
            <A key="website" href={href ?? website}>
              {website}
            </A>
          ),
        ],
      ]}
    />
  )
}

type SearchingSlots = { title: string; zipCode: string; optOutUrl: string }

const Searching = slotted(({ title, zipCode, optOutUrl }: SearchingSlots) => (
  <Layout preview="We are looking for a provider near you." title={title} reason={REASON} optOutUrl={optOutUrl}>
    <Paragraph>
      We have received your request. There is no certified provider near zip code {zipCode} yet, and our team is looking
      for one. No provider has your contact details until then.
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
))

function Corrections() {
  return <Note>If any of your details are wrong, reply to this e-mail.</Note>
}
