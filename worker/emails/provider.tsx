import { Fragment } from 'react'
import { isOurWording } from '../../core/contract/consent.ts'
import { CALLING_WORDS, callingAt } from '../../core/contract/hours.ts'
import { REQUEST_ANSWERS } from '../../core/contract/page.ts'
import { dialable } from '../../core/contract/phones.ts'
import { formatDayAndTime, formatMoment } from '../../core/dates.ts'
import type { Lead, MatchKind } from '../../core/leads/contract/leads.ts'
import { answerTimes } from '../../core/leads/rules/outcomes.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { findEarlier } from '../../core/leads/stores/repeats.ts'
import * as zipCodes from '../../core/leads/stores/zip-codes.ts'
import { calledPlace } from '../../core/providers/rules/business-hours.ts'
import { DeliveryError } from '../delivery-error.ts'
import { defineEmail, type Reading } from './email.ts'
import { Layout } from './layout.tsx'
import { requestLink } from './links.ts'
import {
  A,
  Actions,
  Email,
  Facts,
  Large,
  MainAction,
  Note,
  Paragraph,
  Phone,
  Quote,
  Typed,
  Unbroken,
} from './parts.tsx'
import { slotted } from './render.tsx'
import { aboutLead, hostile, LONG, long, rightToLeft } from './sample-people.ts'
import { consultationOf, distance, mailbox, nameOf, plain, replyTo, shownPhone, TO_A_CLINIC } from './words.ts'

/** The reasons for the match, by kind. */
const MATCHES: Record<MatchKind, string> = {
  chosen: 'They chose your clinic.',
  nearest: 'You are the nearest clinic in our network that can take it.',
  staff: 'Our team chose your clinic.',
  again: 'They sent you an earlier request.',
}

/** The answers that the links of the email preselect on the clinic's page. */
const ANSWERS = (['reached', 'booked', 'no_answer', 'wrong_number', 'declined'] as const).map(
  (answer) => [answer, REQUEST_ANSWERS[answer]] as const,
)

/** The email to the clinic about a new lead. Replies go to the visitor. Its times are the clinic's. */
export const provider = defineEmail({
  ...{ about: 'lead', purpose: 'provider', to: 'clinic' },
  ...{ label: 'Email to the provider', isContact: true },
  async load({ job, row: lead }, reading) {
    const { db, env, known } = reading
    const provider = known.provider(lead.provider_id)
    const requestUrl =
      provider && requestLink(env, lead, { of: 'clinic', mailedAt: job.createdAt, to: provider.requestEmail })
    if (!provider || !requestUrl) {
      throw new DeliveryError('The lead has no provider to write to.', { cause: 'no_provider', retry: 'never' })
    }
    const [earlier, formerPhone, zip, clocks] = await Promise.all([
      findEarlierAtSameClinic(lead, reading),
      leadChanges.findFormerPhone(db, lead),
      zipCodes.find(db, lead.zip_code),
      readClocks(lead, provider.id, reading),
    ])
    const place = calledPlace(zip)
    const calling = place && callingAt(place, Date.now())
    return { lead, provider, requestUrl, earlier, formerPhone, calling, ...clocks }
  },
  draft({ lead, provider, requestUrl, earlier, formerPhone, callBy, calling, timeZone: zone }) {
    const name = nameOf(lead)
    const { match_kind, match_distance_miles: miles, acceptance_message: wording } = lead
    const dial = dialable(lead.phone)
    const callFrom = dial !== null && calling?.isAllowed === false ? calling.fromInWords : null
    // A deadline before the hours in which one may call there cannot be met by a call.
    const isTooEarly = callFrom !== null && calling !== null && callBy !== null && Date.parse(callBy) < calling.from
    return {
      replyTo: replyTo(name, lead.email),
      subject:
        formerPhone === null
          ? `New consultation request from zip ${lead.zip_code} (no. ${lead.id})`
          : `Corrected phone number: request no. ${lead.id} from zip ${lead.zip_code}`,
      body: (
        <ToClinic
          clinic={plain(provider.practiceName || provider.name)}
          consultation={consultationOf(provider)}
          match={match_kind && MATCHES[match_kind]}
          earlierAt={earlier && formatMoment(earlier.created_at, zone)}
          earlierId={earlier && `${earlier.id}`}
          name={name}
          phone={shownPhone(lead.phone)}
          formerPhone={formerPhone && shownPhone(formerPhone)}
          dial={dial}
          email={lead.email}
          box={mailbox(lead.email)}
          zipCode={lead.zip_code}
          distance={miles === null ? null : distance(miles)}
          id={`${lead.id}`}
          requestUrl={requestUrl}
          sentAt={formatDayAndTime(lead.created_at, zone)}
          callBy={callBy && !isTooEarly ? formatDayAndTime(callBy, zone) : null}
          callFrom={callFrom && plain(callFrom)}
          callingHours={dial === null ? null : plain(calling?.words ?? CALLING_WORDS)}
          consentAt={formatMoment(lead.created_at, zone)}
          ourWording={isOurWording(wording) ? plain(wording) : null}
          clientWording={wording && !isOurWording(wording) ? plain(wording) : null}
        />
      ),
    }
  },
  samples: {
    provider: ['To the clinic', aboutLead()],
    'provider-chosen': [
      'To the clinic: chosen by the visitor, without a wording',
      aboutLead({
        lead: { match_kind: 'chosen', match_distance_miles: null, acceptance_message: '' },
        provider: { accepts_free_consultation: false },
      }),
    ],
    'provider-again': [
      'To the clinic: the person has asked before, and agreed on the form of a partner',
      {
        ...aboutLead({
          lead: {
            ...{ match_kind: 'again', repeat_of: 4011 },
            acceptance_message: 'I agree that a clinic calls me. Partner Form, 2026',
          },
        }),
        earlier: { id: 4011, created_at: '2026-11-03T15:04:00.000Z' },
      },
    ],
    'provider-late': ['To the clinic: again, after the time for an answer', { ...aboutLead(), callBy: null }],
    'provider-long': [
      'To the clinic: long names',
      aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } }),
    ],
    'provider-right-to-left': ['To the clinic: from right to left', aboutLead({ lead: rightToLeft })],
    'provider-hostile': [
      'To the clinic: hostile HTML',
      aboutLead({ lead: hostile, provider: { practiceName: '<b>Clinic</b>' } }),
    ],
  },
})

/** Finds the earlier request of the same mailbox, if the clinic of the lead has that one too. Anybody can type a phone. */
async function findEarlierAtSameClinic(lead: Lead, { db }: Reading): Promise<Pick<Lead, 'id' | 'created_at'> | null> {
  const [earlier = []] = lead.repeat_of === null ? [] : await findEarlier(db, [lead])
  const same = earlier.find(({ isSameEmail }) => isSameEmail)
  const found = same ? await leads.find(db, same.id) : null
  return found && found.provider_id === lead.provider_id && found.held_reason === null ? found : null
}

/**
 * Returns the time zone of the lead's clinic, and the moment by which it should answer: what its answer clock says, or will say.
 * Null once that has passed, and for a clinic that does not open for a year.
 */
async function readClocks(lead: Lead, providerId: number, { db, env }: Reading) {
  const since = new Date(lead.matched_at ?? lead.created_at)
  const usual = { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS }
  const [{ calendar, answerHours }, clocks] = await Promise.all([
    answerClocks.findOfClinic(db, providerId, since, usual),
    answerClocks.findMany(db, [lead.id]),
  ])
  const kept = clocks.get(lead.id)?.due_at
  const due = kept ? Date.parse(kept) : answerTimes(since.getTime(), answerHours, calendar)?.late
  const callBy = due === undefined || due <= Date.now() ? null : new Date(due).toISOString()
  return { callBy, timeZone: calendar.timeZone }
}

type ClinicSlots = {
  clinic: string
  consultation: string
  match: string | null
  earlierAt: string | null
  earlierId: string | null
  name: string
  phone: string
  formerPhone: string | null
  dial: string | null
  email: string
  box: string
  zipCode: string
  distance: string | null
  id: string
  requestUrl: string
  sentAt: string
  callBy: string | null
  callFrom: string | null
  callingHours: string | null
  consentAt: string
  ourWording: string | null
  clientWording: string | null
}

const ToClinic = slotted((slots: ClinicSlots) => {
  const { phone, dial, zipCode, distance, requestUrl } = slots
  const isDialed = dial !== null
  return (
    <Layout
      preview={
        <>
          Zip {zipCode}
          {distance !== null && `, ${distance} away`}. {isDialed ? 'Tap to call.' : 'Open the request to answer it.'}
        </>
      }
      title="A visitor asks for a consultation"
      reason={TO_A_CLINIC}
    >
      <WhoAsks {...slots} />
      {isDialed ? (
        <MainAction label={`Call ${phone}`} href={`tel:${dial}`} />
      ) : (
        <MainAction label="Open the request" href={requestUrl} />
      )}
      <Paragraph>
        {zipCode}
        {distance !== null && `, ${distance} from you`} · <Unbroken>{slots.sentAt}</Unbroken>
      </Paragraph>
      {slots.formerPhone !== null && (
        <Paragraph>
          The phone number was corrected. It was {slots.formerPhone}, the number on the consent. Please call the new
          number.
        </Paragraph>
      )}
      <WhenToCall {...slots} />
      <Outcome {...slots} />
      <Actions
        quiet
        of={[
          ['Reply by email', `mailto:${slots.box}?subject=${encodeURIComponent('Your request for a consultation')}`],
          ['Open the request', isDialed ? requestUrl : null],
        ]}
      />
      <Details {...slots} />
      <ConsentGiven {...slots} />
    </Layout>
  )
})

function WhoAsks({ name, phone, dial }: ClinicSlots) {
  return (
    <>
      <Large size={20}>
        <Typed>{name}</Typed>
      </Large>
      <Large size={28}>
        <Phone dial={dial}>{phone}</Phone>
      </Large>
    </>
  )
}

function WhenToCall({ dial, callBy, callFrom, callingHours, earlierAt, earlierId }: ClinicSlots) {
  return (
    <>
      <Paragraph>
        {dial === null ? 'They expect your answer. Please reply' : 'They expect your call. Please call'}
        {callFrom !== null && ` from ${callFrom}`}
        {callFrom !== null && callBy !== null && ','}
        {callBy !== null ? ` by ${callBy}.` : callFrom !== null ? '.' : ' as soon as you can.'}
        {earlierAt !== null && earlierId !== null && ` They asked before, on ${earlierAt} (request no. ${earlierId}).`}
      </Paragraph>
      {callingHours !== null && <Note>{callingHours}</Note>}
    </>
  )
}

function Outcome({ requestUrl }: ClinicSlots) {
  return (
    <Paragraph>
      How did it go?{' '}
      {ANSWERS.map(([answer, words], index) => (
        <Fragment key={answer}>
          {index > 0 && ' · '}
          <Unbroken>
            <A href={`${requestUrl}?answer=${answer}`}>{words}</A>
          </Unbroken>
        </Fragment>
      ))}
    </Paragraph>
  )
}

function Details({ clinic, consultation, match, email, box, id }: ClinicSlots) {
  return (
    <Facts
      of={[
        [
          'Email',
          <Email key="email" box={box}>
            {email}
          </Email>,
        ],
        ['Asks for', `a ${consultation}`],
        ['For', <Typed key="clinic">{clinic}</Typed>],
        ['Match', match],
        ['Request', `no. ${id}`],
      ]}
    />
  )
}

/** Renders the evidence of the consent. Form, wording and time are stored in one statement, so that they agree. */
function ConsentGiven({ consentAt, ourWording, clientWording }: ClinicSlots) {
  return (
    <>
      {ourWording !== null ? (
        <>
          <Note>They gave their consent on {consentAt}, in these words:</Note>
          <Quote>{ourWording}</Quote>
        </>
      ) : clientWording !== null ? (
        <>
          <Note>
            They gave their consent on {consentAt}, but not on one of our forms. This is the wording stated by the
            client that sent the request:
          </Note>
          <Quote>{clientWording}</Quote>
        </>
      ) : (
        <Note>They gave their consent on {consentAt}; the page did not send a wording that we know.</Note>
      )}
      <Note>If they ever reply STOP, please do not contact them again.</Note>
    </>
  )
}
