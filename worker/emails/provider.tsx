import { Fragment } from 'react'
import { brand } from '../../core/brand/brand.ts'
import type { MatchKind } from '../../core/contract/leads.ts'
import { REQUEST_ANSWERS } from '../../core/contract/page.ts'
import { dialable } from '../../core/contract/phones.ts'
import { formatMoment } from '../../core/dates.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Email, Facts, Note, Paragraph, Phone, Quote, Subtitle, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { consultationOf, distance, mailbox, nameOf, plain, replyTo, shownPhone, TO_A_CLINIC } from './words.ts'

/** The reasons for the match, by kind. */
const MATCHES: Record<MatchKind, string> = {
  chosen: 'and chose your clinic',
  nearest: 'and you are the nearest clinic in our network that can take it',
  staff: 'and our team has chosen your clinic',
  again: 'and you have an earlier request from them',
}

/** The answers that the links of the e-mail preselect on the clinic's page. */
const ANSWERS = (['reached', 'booked', 'no_answer', 'declined'] as const).map(
  (answer) => [answer, REQUEST_ANSWERS[answer]] as const,
)

/** Returns the e-mail to the clinic about a new lead. Replies go to the visitor. */
export function providerEmail({ lead, provider, requestUrl, earlier, env }: LeadEmailContext): EmailDraft {
  if (!provider || !requestUrl) throw new Error('The clinic of a lead without a provider cannot be written to')
  const name = nameOf(lead)
  const { match_kind, match_distance_miles: miles, acceptance_message: wording } = lead

  return {
    to: provider.requestEmail,
    replyTo: replyTo(name, lead.email),
    subject: `New consultation request from zip ${lead.zip_code} (no. ${lead.id})`,
    body: (
      <ToClinic
        clinic={provider.practiceName || provider.name}
        consultation={consultationOf(provider)}
        match={match_kind && MATCHES[match_kind]}
        earlierAt={earlier ? formatMoment(earlier.created_at, env.NETWORK_TIME_ZONE) : null}
        earlierId={earlier ? `${earlier.id}` : null}
        name={name}
        phone={shownPhone(lead.phone)}
        dial={dialable(lead.phone)}
        email={lead.email}
        box={mailbox(lead.email)}
        zipCode={lead.zip_code}
        distance={miles === null ? null : distance(miles)}
        id={`${lead.id}`}
        requestUrl={requestUrl}
        createdAt={formatMoment(lead.created_at, env.NETWORK_TIME_ZONE)}
        wording={wording ? plain(wording) : null}
      />
    ),
  }
}

type ClinicSlots = {
  clinic: string
  consultation: string
  match: string | null
  earlierAt: string | null
  earlierId: string | null
  name: string
  phone: string
  dial: string | null
  email: string
  box: string
  zipCode: string
  distance: string | null
  id: string
  requestUrl: string
  createdAt: string
  wording: string | null
}

const ToClinic = slotted((slots: ClinicSlots) => (
  <Layout
    preview="Please call within one business day."
    title="A new patient has requested a consultation"
    reason={TO_A_CLINIC}
  >
    <Paragraph>Hello {slots.clinic},</Paragraph>
    <Paragraph>
      <Typed>{slots.name}</Typed> asked {brand.company} for a {slots.consultation}
      {slots.match !== null && `, ${slots.match}`}. Please call within one business day; you can also reply to this
      e-mail, and your reply goes to them.
    </Paragraph>
    {slots.earlierAt !== null && slots.earlierId !== null && (
      <Paragraph>
        They asked before, on {slots.earlierAt} (request no. {slots.earlierId}); please call.
      </Paragraph>
    )}
    <WhoAsks {...slots} />
    <Actions of={[['Open the request', slots.requestUrl]]} />
    <Outcome {...slots} />
    <Actions
      quiet
      of={[
        [`Call ${slots.phone}`, slots.dial === null ? null : `tel:${slots.dial}`],
        ['Reply by e-mail', `mailto:${slots.box}?subject=${encodeURIComponent('Your request for a consultation')}`],
      ]}
    />
    <ConsentGiven {...slots} />
  </Layout>
))

function Outcome({ requestUrl }: ClinicSlots) {
  return (
    <Paragraph>
      What came of it?{' '}
      {ANSWERS.map(([answer, words], index) => (
        <Fragment key={answer}>
          {index > 0 && ' · '}
          <A href={`${requestUrl}?answer=${answer}`}>{words}</A>
        </Fragment>
      ))}
    </Paragraph>
  )
}

function WhoAsks({ name, phone, dial, email, box, zipCode, distance, id, createdAt }: ClinicSlots) {
  return (
    <Facts
      of={[
        ['Name', <Typed key="name">{name}</Typed>],
        [
          'Phone',
          <Phone key="phone" dial={dial}>
            {phone}
          </Phone>,
        ],
        [
          'E-mail',
          <Email key="email" box={box}>
            {email}
          </Email>,
        ],
        ['Zip code', zipCode],
        ['Distance', distance === null ? null : `${distance} from your clinic to their zip code`],
        ['Request', `no. ${id}, ${createdAt}`],
      ]}
    />
  )
}

/** Renders the evidence of the consent. Form, wording and time are stored in one statement, so that they agree. */
function ConsentGiven({ createdAt, wording }: ClinicSlots) {
  return (
    <>
      <Subtitle>Their consent</Subtitle>
      {wording === null ? (
        <Paragraph>Given on {createdAt}; the page did not send a wording that we know.</Paragraph>
      ) : (
        <>
          <Paragraph>Given on {createdAt}, in these words:</Paragraph>
          <Quote>{wording}</Quote>
        </>
      )}
      <Note>If they ever reply STOP, please do not contact them again.</Note>
    </>
  )
}
