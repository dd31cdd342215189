import { brand } from '../../core/brand/brand.ts'
import type { AnswerKind } from '../../core/contract/outcomes.ts'
import { dialable } from '../../core/contract/phones.ts'
import { formatMoment } from '../../core/dates.ts'
import type { AnswerContext, EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Phone, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { clinicZone, mailtoUrl, markUrl, nameOf, plain, replyTo, shownPhone, TO_A_CLINIC } from './words.ts'

/*
 * The e-mails about a clinic's answer: reminders and notices of a late one, and the question to the visitor.
 */

const TO_SECOND = 'You received this e-mail because your clinic named this address for requests that have no answer.'
const TO_TEAM = 'You received this e-mail because this address is set as the team’s (TEAM_EMAIL).'
const TO_VISITOR = `You received this e-mail because you sent a request to ${brand.company}.`

const OURS = { name: brand.company, address: brand.email }

/** Returns the reminder to the clinic that a request waits for its call. */
export function reminderEmail(context: LeadEmailContext): EmailDraft {
  const { lead } = context
  const { answer, provider } = needed(context)
  return {
    to: provider.requestEmail,
    replyTo: OURS,
    subject: answer.isUncalled
      ? `Please call: request no. ${lead.id} says that nobody has called`
      : `Reminder: request no. ${lead.id} waits for your call`,
    body: <Reminder {...clinicSlots(context)} />,
  }
}

/** Returns the e-mail to a clinic's second address that an answer is late. */
export function lateClinicEmail(context: LeadEmailContext): EmailDraft {
  const { lead } = context
  const { answer } = needed(context)
  if (answer.secondEmail === null) throw new Error('The clinic has no second address')
  return {
    to: answer.secondEmail,
    replyTo: OURS,
    subject: `Request no. ${lead.id} has no answer yet`,
    body: <LateClinic {...clinicSlots(context)} />,
  }
}

/** `uncalled` is set when the visitor says that nobody called, `unsentTo` when our first e-mail did not arrive. */
type ClinicSlots = {
  clinic: string
  name: string
  phone: string
  dial: string | null
  id: string
  sentAt: string
  dueAt: string | null
  url: string
  uncalled: string | null
  unsentTo: string | null
}

/** Returns the slots of e-mails to the clinic, with times in its own zone unless another one is given. */
function clinicSlots(context: LeadEmailContext, zone = clinicZone(context)): ClinicSlots {
  const { lead } = context
  const { answer, provider } = needed(context)
  return {
    clinic: provider.practiceName || provider.name,
    name: nameOf(lead),
    phone: shownPhone(lead.phone),
    dial: dialable(lead.phone),
    id: `${lead.id}`,
    sentAt: formatMoment(lead.matched_at ?? lead.created_at, zone),
    dueAt: answer.dueAt && formatMoment(answer.dueAt, zone),
    url: answer.requestUrl,
    uncalled: answer.isUncalled ? 'yes' : null,
    unsentTo: answer.hasArrived ? null : provider.requestEmail,
  }
}

const Reminder = slotted((slots: ClinicSlots) => (
  <Layout preview="Please call, and tell us what became of it." title="This request waits" reason={TO_A_CLINIC}>
    <Paragraph>Hello {slots.clinic},</Paragraph>
    {slots.uncalled === null ? (
      <Paragraph>
        We sent you this request on {slots.sentAt}, and you have not told us yet whether you have reached the person.
        Please call{slots.dueAt !== null && ` by ${slots.dueAt}`}, and say with one click what became of it.
      </Paragraph>
    ) : (
      <Paragraph>
        We sent you this request on {slots.sentAt}. The person told us that your clinic has not called yet. Please call
        now, and say with one click what became of it.
      </Paragraph>
    )}
    <Request {...slots} />
  </Layout>
))

const LateClinic = slotted((slots: ClinicSlots) => (
  <Layout preview="A person waits for a call." title="This request has no answer yet" reason={TO_SECOND}>
    <Paragraph>Hello {slots.clinic},</Paragraph>
    {slots.unsentTo === null ? (
      <Paragraph>
        We sent this request to your clinic on {slots.sentAt}, and nobody has told us what became of it. Please call
        now, and say with one click whether you have reached the person.
      </Paragraph>
    ) : (
      <Paragraph>
        This request is for your clinic since {slots.sentAt}. Our e-mail to {slots.unsentTo} did not arrive, so you may
        not know of it yet. Please call now, and say with one click whether you have reached the person.
      </Paragraph>
    )}
    <Request {...slots} />
    <Note>When nobody answers, another clinic may get the request.</Note>
  </Layout>
))

function Request({ name, phone, dial, id, sentAt, url }: ClinicSlots) {
  return (
    <>
      <Facts
        of={[
          ['Name', <Typed key="name">{name}</Typed>],
          [
            'Phone',
            <Phone key="phone" dial={dial}>
              {phone}
            </Phone>,
          ],
          ['Request', `no. ${id}, ${sentAt}`],
        ]}
      />
      <Actions
        of={[
          [`Call ${phone}`, dial === null ? null : `tel:${dial}`],
          ['Say what became of it', url],
        ]}
      />
    </>
  )
}

/** Returns the e-mail to the clinic that the visitor no longer wants a consultation. */
export function withdrawnEmail(context: LeadEmailContext): EmailDraft {
  const { lead } = context
  const { provider } = needed(context)
  return {
    to: provider.requestEmail,
    replyTo: OURS,
    subject: `Please do not call: request no. ${lead.id} was withdrawn`,
    body: (
      <Withdrawn
        clinic={provider.practiceName || provider.name}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, clinicZone(context))}
      />
    ),
  }
}

type WithdrawnSlots = { clinic: string; name: string; id: string; createdAt: string }

const Withdrawn = slotted(({ clinic, name, id, createdAt }: WithdrawnSlots) => (
  <Layout preview="Please do not call." title="This request was withdrawn" reason={TO_A_CLINIC}>
    <Paragraph>Hello {clinic},</Paragraph>
    <Paragraph>
      This person told us that they no longer want a consultation. Please do not call about this request. If you have an
      appointment with them already, please reply to this e-mail and let us know.
    </Paragraph>
    <Facts
      of={[
        ['Name', <Typed key="name">{name}</Typed>],
        ['Request', `no. ${id}, ${createdAt}`],
      ]}
    />
  </Layout>
))

/** Returns the e-mail to the team that a clinic's answer is late. */
export function lateTeamEmail(context: LeadEmailContext): EmailDraft {
  const slots = teamSlots(context)
  const { answer, provider } = needed(context)
  return {
    to: context.env.TEAM_EMAIL,
    subject: `Lead ${slots.id}: ${slots.clinic} has not answered`,
    body: <LateTeam {...slots} unsentTo={answer.hasArrived ? null : provider.requestEmail} />,
  }
}

/** Returns the e-mail to the team that an unanswered lead could not be passed on by itself. */
export function noOtherClinicEmail(context: LeadEmailContext): EmailDraft {
  const slots = teamSlots(context)
  return {
    to: context.env.TEAM_EMAIL,
    subject: `Lead ${slots.id} could not be passed on`,
    body: <NoOtherClinic {...slots} miles={`${context.env.MATCH_RADIUS_MILES}`} />,
  }
}

/** Returns the e-mail to the team that a visitor was not called. Replies go to the visitor. */
export function notCalledEmail(context: LeadEmailContext): EmailDraft {
  const { lead, env } = context
  const slots = teamSlots(context)
  const { clinicSaid } = needed(context).answer
  return {
    to: env.TEAM_EMAIL,
    replyTo: replyTo(nameOf(lead), lead.email),
    subject: `Lead ${slots.id}: the visitor says that nobody has called`,
    body: <NotCalled {...slots} said={clinicSaid && WORDS[clinicSaid]} />,
  }
}

/** What a clinic has said, in a sentence after a colon. */
const WORDS: Record<AnswerKind, string> = {
  reached: 'we reached them',
  no_answer: 'they did not answer',
  wrong_number: 'the phone number is wrong',
  booked: 'they have an appointment',
  attended: 'they came to the appointment',
  no_show: 'they did not come to the appointment',
  treated: 'they were treated',
  declined: 'we cannot help',
  opted_out: 'they want no contact',
}

type TeamSlots = {
  clinic: string
  clinicPhone: string | null
  name: string
  phone: string
  dial: string | null
  id: string
  sentAt: string
  dueAt: string | null
  url: string
}

function teamSlots(context: LeadEmailContext): TeamSlots {
  const { lead, env } = context
  const { clinic, name, phone, dial, id, sentAt, dueAt } = clinicSlots(context, env.NETWORK_TIME_ZONE)
  const clinicPhone = needed(context).provider.phone?.trim() || null
  return {
    ...{ name, phone, dial, id, sentAt, dueAt },
    clinic: plain(clinic),
    clinicPhone: clinicPhone && shownPhone(clinicPhone),
    url: `${env.PUBLIC_URL}/admin?lead=${lead.id}`,
  }
}

const LateTeam = slotted((slots: TeamSlots & { unsentTo: string | null }) => (
  <Layout preview="The visitor may still wait for a call." title="A clinic has not answered" reason={TO_TEAM}>
    {slots.unsentTo === null ? (
      <Paragraph>
        <Typed>{slots.clinic}</Typed> has this request since {slots.sentAt}, and has not told us what became of it
        {slots.dueAt !== null && `. The answer was due by ${slots.dueAt}`}.
      </Paragraph>
    ) : (
      <Paragraph>
        <Typed>{slots.clinic}</Typed> should have this request since {slots.sentAt}, but our e-mail to {slots.unsentTo}{' '}
        did not arrive. The clinic does not know of it. Please call the clinic, or pass the request on.
      </Paragraph>
    )}
    <Waiting {...slots} />
  </Layout>
))

const NoOtherClinic = slotted((slots: TeamSlots & { miles: string }) => (
  <Layout preview="The visitor may still wait for a call." title="No other clinic can take it" reason={TO_TEAM}>
    <Paragraph>
      <Typed>{slots.clinic}</Typed> has this request since {slots.sentAt} and has not answered. It should go to the next
      clinic by itself, but no other clinic within {slots.miles} miles can take it. It stays where it is until you
      decide.
    </Paragraph>
    <Waiting {...slots} />
  </Layout>
))

const NotCalled = slotted((slots: TeamSlots & { said: string | null }) => (
  <Layout preview="Please look at this request." title="Nobody has called this visitor" reason={TO_TEAM}>
    <Paragraph>
      We asked the visitor whether <Typed>{slots.clinic}</Typed> has called. The answer was: not yet.
      {slots.said !== null && ` The clinic itself had told us: ${slots.said}.`}
    </Paragraph>
    <Waiting {...slots} />
    <Note>Replies to this e-mail go to the visitor.</Note>
  </Layout>
))

function Waiting({ clinic, clinicPhone, name, phone, dial, id, sentAt, url }: TeamSlots) {
  return (
    <>
      <Facts
        of={[
          ['Lead', `no. ${id}, with the clinic since ${sentAt}`],
          ['Name', <Typed key="name">{name}</Typed>],
          [
            'Phone',
            <Phone key="phone" dial={dial}>
              {phone}
            </Phone>,
          ],
          ['Clinic', <Typed key="clinic">{clinic}</Typed>],
          ['Its phone', clinicPhone === null ? null : <Typed key="its">{clinicPhone}</Typed>],
        ]}
      />
      <Actions of={[['Open the lead in the dashboard', url]]} />
    </>
  )
}

/** Returns the question to the visitor whether the clinic has called. It must not name a treatment. */
export function visitorQuestionEmail(context: LeadEmailContext): EmailDraft {
  const { lead, optOutUrl, env } = context
  const { answer, provider } = needed(context)
  return {
    to: lead.email,
    replyTo: OURS,
    optOut: { url: optOutUrl, mailto: mailtoUrl(brand.email, `STOP (request no. ${lead.id})`) },
    subject: 'Did the clinic call you?',
    body: (
      <Question
        mark={markUrl(env.PUBLIC_URL)}
        clinic={plain(provider.practiceName || provider.name)}
        sentAt={formatMoment(lead.matched_at ?? lead.created_at, env.NETWORK_TIME_ZONE)}
        yes={`${answer.questionUrl}?answer=yes`}
        notYet={`${answer.questionUrl}?answer=not_yet`}
        noLonger={`${answer.questionUrl}?answer=no_longer`}
        optOutUrl={optOutUrl}
      />
    ),
  }
}

type QuestionSlots = {
  mark: string
  clinic: string
  sentAt: string
  yes: string
  notYet: string
  noLonger: string
  optOutUrl: string
}

const Question = slotted(({ mark, clinic, sentAt, yes, notYet, noLonger, optOutUrl }: QuestionSlots) => (
  <Layout
    preview="One tap is enough."
    mark={mark}
    title="Did the clinic call you?"
    reason={TO_VISITOR}
    optOutUrl={optOutUrl}
  >
    <Paragraph>
      Your request went to <Typed>{clinic}</Typed> on {sentAt}. They should have called you by now. Did they?
    </Paragraph>
    <Actions
      of={[
        ['Yes, they called', yes],
        ['Not yet', notYet],
        ['I no longer want this', noLonger],
      ]}
    />
    <Note>Each button opens a page that asks you to confirm. We ask this once about each clinic.</Note>
  </Layout>
))

/** Returns the question to the visitor for the right phone number. It must not name a treatment. */
export function wrongNumberEmail(context: LeadEmailContext): EmailDraft {
  const { lead, optOutUrl, env } = context
  const { answer, provider } = needed(context)
  return {
    to: lead.email,
    replyTo: OURS,
    optOut: { url: optOutUrl, mailto: mailtoUrl(brand.email, `STOP (request no. ${lead.id})`) },
    subject: 'What is your right phone number?',
    body: (
      <WrongNumber
        mark={markUrl(env.PUBLIC_URL)}
        clinic={plain(provider.practiceName || provider.name)}
        phone={shownPhone(lead.phone)}
        url={answer.questionUrl}
        optOutUrl={optOutUrl}
      />
    ),
  }
}

type WrongNumberSlots = { mark: string; clinic: string; phone: string; url: string; optOutUrl: string }

const WrongNumber = slotted(({ mark, clinic, phone, url, optOutUrl }: WrongNumberSlots) => (
  <Layout
    preview="Your clinic could not reach you."
    mark={mark}
    title="What is your right phone number?"
    reason={TO_VISITOR}
    optOutUrl={optOutUrl}
  >
    <Paragraph>
      Your clinic could not reach you at {phone}. What is the right number? <Typed>{clinic}</Typed> gets it from us and
      calls you there.
    </Paragraph>
    <Actions of={[['Give the right number', url]]} />
    <Note>
      The link works once, for 60 days. If the number is right, or you would rather write to us, reply to this email.
    </Note>
  </Layout>
))

/** Returns what these e-mails need beside the lead. @throws Error without it, which the handler excludes */
function needed({ answer, provider }: LeadEmailContext): {
  answer: AnswerContext
  provider: NonNullable<LeadEmailContext['provider']>
} {
  if (!answer || !provider) throw new Error('No clinic has to answer')
  return { answer, provider }
}
