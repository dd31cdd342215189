import { isOurWording } from '../../core/contract/consent.ts'
import { CALLING_WORDS, callingAt } from '../../core/contract/hours.ts'
import { aboutMiles, dialable } from '../../core/contract/texts.ts'
import { formatDayAndTime, formatMoment } from '../../core/dates.ts'
import type { Lead, MatchKind } from '../../core/leads/contract/leads.ts'
import { answerTimes } from '../../core/leads/rules/outcomes.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import * as zipCodes from '../../core/leads/stores/places.ts'
import { findEarlier } from '../../core/leads/stores/repeats.ts'
import { queryTogether } from '../../core/platform/db.ts'
import { calledPlace } from '../../core/providers/rules/business-hours.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { TaskAbout } from '../handlers/handler.ts'
import { AnswerTiles, CallFirst, placeOf } from './answers.tsx'
import { defineEmail, type Reading, type Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { requestLink } from './links.ts'
import { Actions, Email, Facts, Note, Paragraph, Quote, Typed, Unbroken } from './parts.tsx'
import { slotted } from './render.tsx'
import { aboutLead, hostile, LONG, long, rightToLeft } from './sample-people.ts'
import { clinicName, consultationOf, mailbox, nameOf, plain, replyTo, shownPhone, TO_A_CLINIC } from './words.ts'

/** The reasons for the match, by kind. */
const MATCHES: Record<MatchKind, string> = {
  chosen: 'They chose your clinic.',
  nearest: 'You are the nearest clinic in our network that can take it.',
  staff: 'Our team chose your clinic.',
  again: 'They sent you an earlier request.',
}

/** What a reply does where it comes to a mailbox of ours (`core/leads/rules/outcomes.ts`). */
const BY_REPLY =
  'Or reply to this email with one of these: reached, booked, no answer, wrong number, cannot help, stop.'

/** The email to the clinic about a new lead. Replies go to the visitor, unless there is a mailbox for them. Its times are the clinic's. */
export const provider = defineEmail({
  ...{ about: 'lead', purpose: 'provider', to: 'clinic' },
  ...{ label: 'Email to the provider', isContact: true },
  load: (task, reading) => readContext(task, reading),
  draft(context) {
    const { lead, formerPhone, env } = context
    return {
      ...(!env.INBOX_URL && { replyTo: replyTo(nameOf(lead), lead.email) }),
      subject:
        formerPhone === null
          ? `New consultation request from zip ${lead.zip_code} (no. ${lead.id})`
          : `Corrected phone number: request no. ${lead.id} from zip ${lead.zip_code}`,
      body: <ToClinic {...slotsOf(context)} />,
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

async function readContext({ job, row: lead }: TaskAbout<'lead'>, reading: Reading) {
  const { env } = reading
  const provider = reading.known.provider(lead.provider_id)
  const requestUrl =
    provider && requestLink(env, lead, { of: 'clinic', mailedAt: job.createdAt, to: provider.requestEmail })
  if (!provider || !requestUrl) {
    throw new DeliveryError('The lead has no provider to write to.', { cause: 'no_provider', retry: 'never' })
  }
  const since = new Date(lead.matched_at ?? lead.created_at)
  const [earlier, known] = await Promise.all([
    findEarlierAtSameClinic(lead, reading),
    queryTogether<Rows>(
      reading.db,
      {
        formerPhones: leadChanges.formerPhoneQuery(lead),
        zips: zipCodes.findQuery(lead.zip_code),
        clocks: ['select due_at from answer_clocks where lead_id = ?', [lead.id]],
        calendars: answerClocks.calendarQuery(provider.id, since),
      },
      { name: 'read-for-clinic' },
    ),
  ])
  const [[zip = null], [former], [clock], [row]] = [known.zips, known.formerPhones, known.clocks, known.calendars]
  const usual = { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS }
  const { calendar, answerHours } = answerClocks.answersOf(row, usual)
  // What its answer clock says, or will say. Null for a clinic that does not open for a year.
  const due = clock?.due_at
    ? Date.parse(clock.due_at)
    : (answerTimes(since.getTime(), answerHours, calendar)?.late ?? 0)
  const called = calledPlace(zip)
  return {
    ...{ lead, provider, requestUrl, place: placeOf(lead, zip), earlier },
    formerPhone: former && former.was !== lead.phone ? former.was : null,
    calling: called && callingAt(called, Date.now()),
    callBy: due <= Date.now() ? null : new Date(due).toISOString(),
    timeZone: calendar.timeZone,
  }
}

type Rows = {
  formerPhones: { was: string }
  zips: zipCodes.ZipCodePlace
  clocks: { due_at: string | null }
  calendars: answerClocks.CalendarRow
}

type Context = Awaited<ReturnType<typeof readContext>>

/** Returns the words of the email. Null leaves a part out. */
function slotsOf({
  lead,
  provider,
  requestUrl,
  place,
  earlier,
  formerPhone,
  callBy,
  calling,
  timeZone: zone,
  env,
}: Context & Settings) {
  const { match_kind, match_distance_miles: miles, acceptance_message: wording } = lead
  const dial = dialable(lead.phone)
  const callFrom = dial !== null && calling?.isAllowed === false ? calling.fromInWords : null
  // A deadline before the hours in which one may call there cannot be met by a call.
  const isTooEarly = callFrom !== null && calling !== null && callBy !== null && Date.parse(callBy) < calling.from
  return {
    ...{ dial, requestUrl, place },
    replies: env.INBOX_URL ? BY_REPLY : 'A reply to this email goes to the visitor, too, and not to us.',
    clinic: clinicName(provider),
    consultation: consultationOf(provider),
    match: match_kind && MATCHES[match_kind],
    earlierAt: earlier && formatMoment(earlier.created_at, zone),
    earlierId: earlier && `${earlier.id}`,
    name: nameOf(lead),
    phone: shownPhone(lead.phone),
    formerPhone: formerPhone && shownPhone(formerPhone),
    email: lead.email,
    box: mailbox(lead.email),
    zipCode: lead.zip_code,
    distance: miles === null ? null : aboutMiles(miles),
    id: `${lead.id}`,
    sentAt: formatDayAndTime(lead.created_at, zone),
    callBy: callBy && !isTooEarly ? formatDayAndTime(callBy, zone) : null,
    callFrom: callFrom && plain(callFrom),
    callingHours: dial === null ? null : plain(calling?.words ?? CALLING_WORDS),
    consentAt: formatMoment(lead.created_at, zone),
    ourWording: isOurWording(wording) ? plain(wording) : null,
    clientWording: wording && !isOurWording(wording) ? plain(wording) : null,
  }
}

/** Finds the earlier request of the same mailbox, if the clinic of the lead has that one too. Anybody can type a phone. */
async function findEarlierAtSameClinic(lead: Lead, { db }: Reading): Promise<Pick<Lead, 'id' | 'created_at'> | null> {
  const [earlier = []] = lead.repeat_of === null ? [] : await findEarlier(db, [lead])
  const same = earlier.find(({ isSameEmail }) => isSameEmail)
  const found = same ? await leads.find(db, same.id) : null
  return found && found.provider_id === lead.provider_id && found.held_reason === null ? found : null
}

type ClinicSlots = ReturnType<typeof slotsOf>

const ToClinic = slotted((slots: ClinicSlots) => {
  const { dial, zipCode, place, distance, requestUrl } = slots
  return (
    <Layout
      preview={
        <>
          Zip {zipCode}
          {distance !== null && `, ${distance} away`}.{' '}
          {dial === null ? 'Open the request to answer it.' : 'Tap to call.'}
        </>
      }
      title="A visitor asks for a consultation"
      reason={TO_A_CLINIC}
    >
      <CallFirst {...slots} />
      {slots.formerPhone !== null && (
        <Paragraph>
          The phone number was corrected. It was {slots.formerPhone}, the number on the consent. Please call the new
          number.
        </Paragraph>
      )}
      <WhenToCall {...slots} />
      <AnswerTiles requestUrl={requestUrl} />
      <Paragraph>
        {place}
        {distance !== null && `, ${distance} from you`} · <Unbroken>{slots.sentAt}</Unbroken>
      </Paragraph>
      <Actions
        quiet
        of={[
          ['Reply by email', `mailto:${slots.box}?subject=${encodeURIComponent('Your request for a consultation')}`],
          ['Open the request', dial === null ? null : requestUrl],
        ]}
      />
      <Note>{slots.replies}</Note>
      <Details {...slots} />
      <ConsentGiven {...slots} />
    </Layout>
  )
})

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
