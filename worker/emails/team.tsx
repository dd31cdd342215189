import { Fragment } from 'react'
import { HELD_REASONS, type HeldReason, NOTIFIED_HOURLY } from '../../core/contract/forms.ts'
import { aboutMiles } from '../../core/contract/texts.ts'
import { formatMoment } from '../../core/dates.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { NearProvider } from '../../core/providers/stores/providers.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, type Settings } from './email.ts'
import { ToTheTeam } from './layout.tsx'
import { Actions, Email, Facts, Note, Paragraph, Phone, Subtitle, Typed } from './parts.tsx'
import { hostile, rightToLeft, withoutProvider } from './sample-people.ts'
import { nameOf, replyTo } from './words.ts'

type Context = { lead: Lead; nearest: NearProvider[] } & Settings

/** The email to our team about a lead that is held or has no provider in reach. */
export const team = defineEmail({
  ...{ about: 'lead', purpose: 'team', to: 'team' },
  label: 'Email to the team',
  async load({ row: lead }, { db }) {
    if (lead.held_reason !== null) return { lead, nearest: [] }
    if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider now.')
    return { lead, nearest: await providers.listNearest(db, lead.zip_code, NEAREST_SHOWN) }
  },
  draft: (context) =>
    context.lead.held_reason === null ? noneInReach(context) : held(context, context.lead.held_reason),
  samples: {
    team: ['To the team: no provider in reach', withoutProvider()],
    'team-no-provider': [
      'To the team: no provider at all, from right to left',
      { ...withoutProvider(rightToLeft), nearest: [] },
    ],
    'team-held': ['To the team: a held lead', withoutProvider({ ...hostile, held_reason: 'too_fast' })],
  },
})

/** Providers named when none is in reach. */
const NEAREST_SHOWN = 5

const AUTOMATED =
  'If this could be a person, release the lead. It is then delivered as if it had just arrived. If you are sure it is not, delete it. It stays held until you decide.'
const UNWANTED =
  'The form came with a new consent. If this person wants to be contacted again, release the lead: the person is taken off the list and the lead is delivered. Otherwise delete it. It stays held until you decide.'

function held({ lead, env }: Context, reason: HeldReason) {
  return {
    subject: `Lead ${lead.id} is held for review`,
    body: (
      <ToTheTeam preview="Nothing has been sent to a provider or to the visitor." title={`Lead ${lead.id} is held`}>
        <Paragraph>
          This form was held. {HELD_REASONS[reason]} Nothing has been sent to a provider, to the visitor or to the CRM.
        </Paragraph>
        {NOTIFIED_HOURLY.includes(reason) && (
          <Paragraph>
            More forms may be held for this reason. You get one email an hour about all of them. See Held in the
            dashboard.
          </Paragraph>
        )}
        <WhoWaits lead={lead} env={env} />
        <Paragraph>{reason === 'do_not_contact' ? UNWANTED : AUTOMATED}</Paragraph>
        <Actions of={[['Release or delete the lead in the dashboard', `${env.PUBLIC_URL}/admin?lead=${lead.id}`]]} />
      </ToTheTeam>
    ),
  }
}

function noneInReach({ lead, nearest, env }: Context) {
  return {
    replyTo: replyTo(nameOf(lead), lead.email),
    subject: `No provider near zip ${lead.zip_code} (lead ${lead.id})`,
    body: (
      <ToTheTeam
        preview="A visitor is waiting to be matched."
        title={`No provider is within reach of zip ${lead.zip_code}`}
      >
        <Paragraph>
          A visitor asked for a consultation, and no active provider is within {env.MATCH_RADIUS_MILES} miles. They know
          that we are still looking. Once you choose a provider, both get their emails.
        </Paragraph>
        <WhoWaits lead={lead} env={env} />
        <Actions of={[['Match the lead in the dashboard', `${env.PUBLIC_URL}/admin?lead=${lead.id}`]]} />
        <Nearest of={nearest} />
        <Note>Replies to this email go to the visitor.</Note>
      </ToTheTeam>
    ),
  }
}

function WhoWaits({ lead, env }: Omit<Context, 'nearest'>) {
  return (
    <Facts
      of={[
        ['Lead', `no. ${lead.id}, ${formatMoment(lead.created_at, env.NETWORK_TIME_ZONE)}`],
        ['Name', <Typed key="name">{nameOf(lead)}</Typed>],
        ['Phone', <Phone key="phone">{lead.phone}</Phone>],
        ['Email', <Email key="email">{lead.email}</Email>],
        ['Zip code', lead.zip_code],
      ]}
    />
  )
}

function Nearest({ of: providers }: { of: NearProvider[] }) {
  return (
    <>
      <Subtitle>The nearest providers</Subtitle>
      {providers.length === 0 ? (
        <Paragraph>None: no provider is active, or this zip code could not be located.</Paragraph>
      ) : (
        <Facts
          of={providers.map(({ id, name, practiceName, zipCode, phone, miles }) => [
            `${practiceName || name} (no. ${id})`,
            <Fragment key={id}>
              {aboutMiles(miles)}, zip {zipCode}
              {phone?.trim() && ', '}
              {phone?.trim() && <Phone>{phone}</Phone>}
            </Fragment>,
          ])}
        />
      )}
    </>
  )
}
