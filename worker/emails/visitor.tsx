import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { directionsUrl, fullAddress } from '../../core/contract/addresses.ts'
import { websiteAddress } from '../../core/contract/applications.ts'
import { contactCardUrl } from '../../core/contract/page.ts'
import { dialable } from '../../core/contract/phones.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import {
  A,
  Actions,
  Facts,
  MainAction,
  Names,
  Note,
  Paragraph,
  Phone,
  Points,
  Steps,
  Subtitle,
  Typed,
} from './parts.tsx'
import { slotted } from './render.tsx'
import { clinicPictureUrl, consultationOf, mailtoUrl, markUrl, plain, shownPhone, thanks } from './words.ts'

type Matched = LeadEmailContext & { provider: NonNullable<LeadEmailContext['provider']> }

/**
 * Returns the e-mail to the visitor: the matched provider, or that the search continues. Subject and preview must not
 * name a treatment.
 */
export function visitorEmail({ provider, ...context }: LeadEmailContext): EmailDraft {
  const { lead, optOutUrl, env } = context
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
          body: (
            <Searching
              mark={markUrl(env.PUBLIC_URL)}
              title={thanks(lead.first_name)}
              zipCode={lead.zip_code}
              miles={`${env.MATCH_RADIUS_MILES}`}
              optOutUrl={optOutUrl}
            />
          ),
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
 * `doctor` is null where the clinic's name is the only one. `picture`, `directions` and `contact` are addresses. `website` is as it was
 * typed; `href` is its address if that differs. `previous` is the clinic that had the lead. `againFrom` is the zip of somebody
 * whose earlier request decided.
 */
type MatchedSlots = {
  mark: string
  title: string
  previous: string | null
  againFrom: string | null
  clinic: string
  doctor: string | null
  picture: string | null
  phone: string | null
  dial: string | null
  contact: string | null
  address: string
  directions: string | null
  website: string | null
  href: string | null
  visitorPhone: string
  consultation: string
  optOutUrl: string
}

function matchedSlots({ lead, provider, optOutUrl, env }: Matched): MatchedSlots {
  const { id, name, practiceName, image_url, address } = provider
  const phone = provider.phone?.trim() || null
  const href = provider.website ? websiteAddress(provider.website) : null
  return {
    mark: markUrl(env.PUBLIC_URL),
    title: thanks(lead.first_name),
    previous: null,
    againFrom: lead.match_kind === 'again' ? plain(lead.zip_code) : null,
    clinic: plain(practiceName || name),
    doctor: practiceName && practiceName !== name ? plain(name) : null,
    picture: image_url && clinicPictureUrl(env.PUBLIC_URL, id),
    phone: phone && shownPhone(phone),
    dial: phone && dialable(phone),
    contact: phone && `${env.PUBLIC_URL}${contactCardUrl(id)}`,
    address: addressOf(provider),
    directions: address?.trim() ? directionsUrl(provider) : null,
    website: href && provider.website,
    href: href === provider.website ? null : href,
    visitorPhone: shownPhone(lead.phone),
    consultation: consultationOf(provider),
    optOutUrl,
  }
}

function addressOf({ address, zipCode }: Matched['provider']): string {
  return address?.trim() ? fullAddress({ address, zipCode }) : `zip code ${zipCode}`
}

const MatchedBody = slotted((slots: MatchedSlots) => {
  const { mark, title, previous, againFrom, phone, dial, contact, directions, optOutUrl } = slots
  return (
    <Layout
      preview="They will call you to arrange your consultation."
      mark={mark}
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
      {dial !== null && <MainAction label={`Call ${phone}`} href={`tel:${dial}`} />}
      <Actions
        quiet
        of={[
          ['Directions', directions],
          ['Save contact', contact],
        ]}
      />
      <WhatComes {...slots} />
      <Subtitle>What you can ask at the consultation</Subtitle>
      <Points of={texts.toAsk} />
      <Discreet />
    </Layout>
  )
})

function WhomWeTold({ clinic, doctor, picture, phone, dial, address, website, href }: MatchedSlots) {
  return (
    <Facts
      head={<Names picture={picture} first={doctor ?? clinic} second={doctor === null ? null : clinic} />}
      of={[
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

function WhatComes({ phone, visitorPhone, consultation }: MatchedSlots) {
  const others: [key: string, step: string][] =
    phone === null ? [] : [['save', `Save their number, ${phone}, so that you know who calls.`]]
  return (
    <>
      <Subtitle>What happens next</Subtitle>
      <Steps
        of={[
          ['call', `They will call you at ${visitorPhone} to arrange your ${consultation}.`],
          ...others,
          [
            'wait',
            `If you have not heard from them within two business days, ${phone === null ? '' : 'call them, or '}write to us at ${brand.email}.`,
          ],
        ]}
      />
    </>
  )
}

type SearchingSlots = { mark: string; title: string; zipCode: string; miles: string; optOutUrl: string }

const Searching = slotted(({ mark, title, zipCode, miles, optOutUrl }: SearchingSlots) => (
  <Layout
    preview="We are looking for a provider near you."
    mark={mark}
    title={title}
    reason={REASON}
    optOutUrl={optOutUrl}
  >
    <Paragraph>
      We have received your request. There is no certified provider within {miles} miles of zip code {zipCode} yet, and
      our team is looking for one. No provider has your contact details until then.
    </Paragraph>
    <Subtitle>What happens next</Subtitle>
    <Steps
      of={[
        ['search', 'Our team keeps looking. You do not need to do anything.'],
        ['mail', 'Once we find one, they get your contact details, and you get an e-mail that says who they are.'],
      ]}
    />
    <Paragraph>If you have a question, reply to this e-mail, or call {brand.phone}.</Paragraph>
    <Discreet />
  </Layout>
))

/** Says how to correct the request, and how discreet the e-mail is. */
function Discreet() {
  return (
    <>
      <Note>If any of your details are wrong, reply to this e-mail.</Note>
      <Note>This e-mail and its subject name no treatment, on purpose.</Note>
    </>
  )
}
