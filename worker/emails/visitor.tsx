import { websiteAddress } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { contactCardUrl } from '../../core/contract/page.ts'
import { dialable } from '../../core/contract/texts.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { directionsUrl, fullAddress } from '../../core/providers/contract/providers.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, movedBetween, type Settings } from './email.ts'
import { Layout, ToVisitor } from './layout.tsx'
import { personsLink } from './links.ts'
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
import { aboutLead, LONG, long, previous, withoutProvider } from './sample-people.ts'
import {
  clinicName,
  consultationOf,
  markUrl,
  plain,
  providerPictureUrl,
  shownPhone,
  TO_A_VISITOR,
  thanks,
} from './words.ts'

type Context = { lead: Lead; provider: Provider; optOutUrl: string } & Settings

/** Subject and preview must not name a treatment. */
export const visitor = defineEmail({
  ...{ about: 'lead', purpose: 'visitor', to: 'visitor' },
  ...{ label: 'Email to the visitor', isContact: true },
  load: ({ row: lead }, { known, env }) => ({
    lead,
    provider: known.provider(lead.provider_id),
    optOutUrl: personsLink(env, lead.email, lead.id),
  }),
  draft({ lead, provider, optOutUrl, env }) {
    if (provider) {
      const isAgain = lead.match_kind === 'again'
      return {
        subject: isAgain
          ? 'Your request has reached the provider that has your earlier one'
          : 'Your request has reached a provider near you',
        body: <MatchedBody {...matchedSlots({ lead, provider, optOutUrl, env })} />,
      }
    }
    return { subject: 'We have received your request', body: <Searching {...{ lead, optOutUrl, env }} /> }
  },
  samples: {
    visitor: ['To the visitor', aboutLead()],
    'visitor-no-phone': [
      'To the visitor: a clinic without phone, address, website and picture',
      aboutLead({
        provider: {
          ...{ phone: '', address: null, website: 'javascript:alert(1)', image_url: null },
          accepts_free_consultation: false,
        },
      }),
    ],
    'visitor-long': [
      'To the visitor: long names',
      aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } }),
    ],
    'visitor-searching': ['To the visitor: we keep looking', withoutProvider()],
  },
})

/** Says once to a visitor, by the hand of staff, that no provider is near yet. Names no treatment. */
export const no_provider = defineEmail({
  ...{ about: 'lead', purpose: 'no_provider', to: 'visitor' },
  ...{ label: 'Email to the visitor: no provider near yet', isContact: true },
  load({ row: lead }, { env }) {
    if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider now.')
    return { lead, optOutUrl: personsLink(env, lead.email, lead.id) }
  },
  draft: ({ lead, optOutUrl, env }) => ({
    subject: 'We have no provider near you yet',
    body: (
      <ToVisitor preview="We keep your request." title="We have no provider near you yet" {...{ optOutUrl, env }}>
        <Paragraph>
          We looked again, and there is still no certified provider within {env.MATCH_RADIUS_MILES} miles of zip code{' '}
          {lead.zip_code}.
        </Paragraph>
        <Paragraph>
          We keep your request, and no provider gets your contact details until one is near you. Then you get an email
          that says who they are. We do not write to you about this again before that.
        </Paragraph>
        <Paragraph>If you no longer want this, reply to this email, or call {brand.phone}.</Paragraph>
        <Note>This email and its subject name no treatment, on purpose.</Note>
      </ToVisitor>
    ),
  }),
  samples: { 'visitor-no-provider': ['To the visitor: no provider near yet', withoutProvider()] },
})

export const new_clinic = defineEmail({
  ...{ about: 'lead', purpose: 'new_clinic', to: 'visitor', payload: 'previous_provider' },
  ...{ label: 'Email to the visitor: new provider', isContact: true },
  load: (task, reading) => ({
    lead: task.row,
    ...movedBetween(task, reading),
    optOutUrl: personsLink(reading.env, task.row.email, task.row.id),
  }),
  draft: ({ previous, ...context }) => ({
    subject: 'Another provider will take care of your request',
    body: <MatchedBody {...matchedSlots(context, previous)} />,
  }),
  samples: { 'visitor-new-clinic': ['To the visitor: another clinic', { ...aboutLead(), previous }] },
})

/**
 * Returns the words of the email. Null leaves a part out. `doctor` is null where the clinic's name is the only one. `picture`,
 * `directions` and `contact` are addresses. `website` is as it was typed; `href` is its address if that differs. `againFrom` is
 * the zip of a person whose earlier request decided.
 * @param before the clinic that had the lead
 */
function matchedSlots({ lead, provider, optOutUrl, env }: Context, before: Provider | null = null) {
  const { id, name, practiceName, image_url, address } = provider
  const phone = provider.phone?.trim() || null
  const href = provider.website ? websiteAddress(provider.website) : null
  return {
    mark: markUrl(env.PUBLIC_URL),
    title: before ? 'A new provider for you' : thanks(lead.first_name),
    previous: before && clinicName(before),
    againFrom: lead.match_kind === 'again' ? plain(lead.zip_code) : null,
    clinic: clinicName(provider),
    doctor: practiceName && practiceName !== name ? plain(name) : null,
    picture: image_url && providerPictureUrl(env.PUBLIC_URL, id),
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
type MatchedSlots = ReturnType<typeof matchedSlots>

function addressOf({ address, zipCode }: Provider): string {
  return address?.trim() ? fullAddress({ address, zipCode }) : `zip code ${zipCode}`
}

const MatchedBody = slotted((slots: MatchedSlots) => {
  const { mark, title, previous, againFrom, phone, dial, contact, directions, optOutUrl } = slots
  return (
    <Layout
      preview="They will call you to arrange your consultation."
      mark={mark}
      title={title}
      reason={TO_A_VISITOR}
      optOutUrl={optOutUrl}
    >
      {previous === null ? (
        <Paragraph>We have passed your contact details to this provider:</Paragraph>
      ) : (
        <Paragraph>
          <Typed>{previous}</Typed>, the provider we told you about before, no longer handles your request. We have
          passed your contact details to this provider instead:
        </Paragraph>
      )}
      <MatchedProvider {...slots} />
      {againFrom !== null && (
        <Paragraph>
          They have an earlier request from you. If you would rather go to another provider near {againFrom}, reply to
          this email.
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

function MatchedProvider({ clinic, doctor, picture, phone, dial, address, website, href }: MatchedSlots) {
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

const Searching = ({ lead, optOutUrl, env }: Omit<Context, 'provider'>) => (
  <ToVisitor preview="We are looking for a provider near you." title={thanks(lead.first_name)} {...{ optOutUrl, env }}>
    <Paragraph>
      We have received your request. There is no certified provider within {env.MATCH_RADIUS_MILES} miles of zip code{' '}
      {lead.zip_code} yet, and our team is looking for one. No provider gets your contact details until then.
    </Paragraph>
    <Subtitle>What happens next</Subtitle>
    <Steps
      of={[
        ['search', 'Our team keeps looking. You do not need to do anything.'],
        ['mail', 'Once we find one, they get your contact details, and you get an email that says who they are.'],
      ]}
    />
    <Paragraph>If you have a question, reply to this email, or call {brand.phone}.</Paragraph>
    <Discreet />
  </ToVisitor>
)

/** Says how to correct the request, and how discreet the email is. */
function Discreet() {
  return (
    <>
      <Note>If any of your details are wrong, reply to this email.</Note>
      <Note>This email and its subject name no treatment, on purpose.</Note>
    </>
  )
}
