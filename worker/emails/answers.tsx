import { brand } from '../../core/brand/brand.ts'
import { dialable } from '../../core/contract/contact.ts'
import { formatMoment } from '../../core/dates.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { AnswerKind } from '../../core/leads/contract/outcomes.ts'
import { isAsked } from '../../core/leads/rules/outcomes.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { TaskAbout } from '../handlers/handler.ts'
import { personsLink } from '../handlers/opt-out-links.ts'
import { requestLink } from '../handlers/request-links.ts'
import { defineEmail, type Reading, type Settings, timeZoneOf } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Phone, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { aboutAnswer } from './sample-people.ts'
import { markUrl, nameOf, plain, replyTo, shownPhone, TO_A_CLINIC } from './words.ts'

/*
 * The e-mails about a clinic's answer: reminders and notices of a late one, and the question to the visitor.
 */

type Context = { lead: Lead; provider: Provider; answer: AnswerContext; timeZone: string }
type AnswerContext = {
  /** ISO 8601; null before it is worked out. */
  dueAt: string | null
  /** The clinic's page for the request. */
  requestUrl: string
  /** Whether the request has arrived at the clinic. */
  hasArrived: boolean
  /** Whether the visitor's last word is that nobody has called. */
  isUncalled: boolean
  /** The clinic's last answer, if it gave one. */
  clinicSaid: AnswerKind | null
}

/**
 * Reads what is known of the clinic's answer now, for an e-mail to the clinic or the team. `to` is the clinic's address
 * that gets it, if that is not the one for requests.
 * @throws NotNeeded when the clinic does not have the lead any more
 */
async function readAnswer(task: TaskAbout<'lead'>, reading: Reading, to?: string): Promise<Context> {
  const { row: lead, job } = task
  const { db, env } = reading
  const provider = clinicOf(task, reading)
  const matchedAt = lead.matched_at ?? ''
  const [clocks, all, hasArrived, timeZone] = await Promise.all([
    answerClocks.findMany(db, [lead.id]),
    outcomes.list(db, lead.id),
    jobs.hasArrived(db, lead, ['provider']),
    timeZoneOf(provider.id, reading),
  ])
  const mailed = { of: 'clinic', mailedAt: job.createdAt, to: to ?? provider.requestEmail } as const
  const requestUrl = requestLink(env, lead, mailed)
  if (!requestUrl) throw passedOn()
  const answers = all.filter(({ kind, at }) => kind !== 'opened' && at >= matchedAt)
  const last = answers.at(-1)
  const clinicSaid = answers.findLast(({ source }) => source === 'clinic')?.kind as AnswerKind | undefined
  const answer = {
    ...{ requestUrl, hasArrived },
    dueAt: clocks.get(lead.id)?.due_at ?? null,
    isUncalled: last?.source === 'visitor' && last.kind === 'no_answer',
    clinicSaid: clinicSaid ?? null,
  }
  return { lead, provider, answer, timeZone }
}

/** Reads the answer for an e-mail about a missing one. @throws NotNeeded when the answer has come by now */
async function readMissing(task: TaskAbout<'lead'>, reading: Reading, to?: string): Promise<Context> {
  const context = await readAnswer(task, reading, to)
  const { outcome } = context.lead
  const isOpen = outcome === null || outcome === 'opened' || context.answer.isUncalled
  if (!isOpen) throw new NotNeeded('The clinic has answered.')
  return context
}

/** Returns the clinic that the job is about. @throws NotNeeded when it does not have the lead any more */
function clinicOf({ job, row: lead }: TaskAbout<'lead'>, { known }: Reading): Provider {
  const provider = known.provider(job.payload.providerId ?? lead.provider_id)
  if (provider?.id !== lead.provider_id || job.createdAt < (lead.matched_at ?? '')) throw passedOn()
  return provider
}

const passedOn = () => new NotNeeded('The clinic does not have this lead any more.')

const TO_SECOND = 'You received this e-mail because your clinic named this address for requests that have no answer.'
const TO_TEAM = 'You received this e-mail because this address is set as the team’s (TEAM_EMAIL).'
const TO_VISITOR = `You received this e-mail because you sent a request to ${brand.company}.`

/** The reminder to the clinic that a request waits for its call. */
const reminder = defineEmail({
  about: 'lead',
  purpose: 'reminder',
  load: (task, reading) => readMissing(task, reading),
  draft: (context) => ({
    subject: context.answer.isUncalled
      ? `Please call: request no. ${context.lead.id} says that nobody has called`
      : `Reminder: request no. ${context.lead.id} waits for your call`,
    body: <Reminder {...clinicSlots(context)} />,
  }),
  samples: {
    reminder: ['To the clinic: a reminder', aboutAnswer()],
    'reminder-not-called': ['To the clinic: the visitor says that nobody called', aboutAnswer({ isUncalled: true })],
  },
})

/** The e-mail to a clinic's second address that an answer is late. */
const late_clinic = defineEmail({
  about: 'lead',
  purpose: 'late_clinic',
  async load(task, reading) {
    const secondEmail = await clinicPeople.findLate(reading.db, clinicOf(task, reading).id)
    if (secondEmail === null) throw new NotNeeded('The clinic has no second address any more.')
    const { answer, ...context } = await readMissing(task, reading, secondEmail)
    return { ...context, answer: { ...answer, secondEmail } }
  },
  draft: (context) => ({
    subject: `Request no. ${context.lead.id} has no answer yet`,
    body: <LateClinic {...clinicSlots(context)} />,
  }),
  samples: {
    'late-clinic': ['To the clinic’s second address: an answer is late', aboutAnswer()],
    'late-clinic-unsent': [
      'To the clinic’s second address: our e-mail did not arrive',
      aboutAnswer({ hasArrived: false }),
    ],
  },
})

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
function clinicSlots({ lead, provider, answer, timeZone }: Context, zone = timeZone): ClinicSlots {
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

/** The e-mail to the clinic that the visitor no longer wants a consultation. */
const withdrawn = defineEmail({
  about: 'lead',
  purpose: 'withdrawn',
  async load(task, reading) {
    const provider = clinicOf(task, reading)
    if (task.row.outcome !== 'declined') throw new NotNeeded('The request is not withdrawn any more.')
    return { lead: task.row, provider, timeZone: await timeZoneOf(provider.id, reading) }
  },
  draft: ({ lead, provider, timeZone }) => ({
    subject: `Please do not call: request no. ${lead.id} was withdrawn`,
    body: (
      <Withdrawn
        clinic={provider.practiceName || provider.name}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, timeZone)}
      />
    ),
  }),
  samples: { withdrawn: ['To the clinic: a request was withdrawn', aboutAnswer()] },
})

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

/** The e-mail to the team that a clinic's answer is late. */
const late_team = defineEmail({
  about: 'lead',
  purpose: 'late_team',
  load: (task, reading) => readMissing(task, reading),
  draft(context) {
    const slots = teamSlots(context)
    const unsentTo = context.answer.hasArrived ? null : context.provider.requestEmail
    return {
      subject: `Lead ${slots.id}: ${slots.clinic} has not answered`,
      body: <LateTeam {...slots} unsentTo={unsentTo} />,
    }
  },
  samples: {
    'late-team': ['To the team: an answer is late', aboutAnswer()],
    'late-team-unsent': ['To the team: a clinic never got the request', aboutAnswer({ hasArrived: false })],
  },
})

/** The e-mail to the team that an unanswered lead could not be passed on by itself. */
const no_other_clinic = defineEmail({
  about: 'lead',
  purpose: 'no_other_clinic',
  load: (task, reading) => readMissing(task, reading),
  draft(context) {
    const slots = teamSlots(context)
    return {
      subject: `Lead ${slots.id} could not be passed on`,
      body: <NoOtherClinic {...slots} miles={`${context.env.MATCH_RADIUS_MILES}`} />,
    }
  },
  samples: { 'no-other-clinic': ['To the team: nobody to pass on to', aboutAnswer()] },
})

/** The e-mail to the team that a visitor was not called. Replies go to the visitor. */
const not_called = defineEmail({
  about: 'lead',
  purpose: 'not_called',
  async load(task, reading) {
    const context = await readAnswer(task, reading)
    if (!context.answer.isUncalled) throw new NotNeeded('The visitor was called by now.')
    return context
  },
  draft(context) {
    const { lead, answer } = context
    const slots = teamSlots(context)
    return {
      replyTo: replyTo(nameOf(lead), lead.email),
      subject: `Lead ${slots.id}: the visitor says that nobody has called`,
      body: <NotCalled {...slots} said={answer.clinicSaid && WORDS[answer.clinicSaid]} />,
    }
  },
  samples: {
    'not-called': ['To the team: the visitor was not called', aboutAnswer({ isUncalled: true, clinicSaid: 'reached' })],
  },
})

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

function teamSlots(context: Context & Settings): TeamSlots {
  const { lead, provider, env } = context
  const { clinic, name, phone, dial, id, sentAt, dueAt } = clinicSlots(context, env.NETWORK_TIME_ZONE)
  const clinicPhone = provider.phone?.trim() || null
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

/** Reads a question to the visitor, with the link to its page. @throws NotNeeded when the clinic does not have the lead any more */
function readQuestion(task: TaskAbout<'lead'>, reading: Reading, asks: 'called' | 'number') {
  const { row: lead, job } = task
  const provider = clinicOf(task, reading)
  const questionUrl = requestLink(reading.env, lead, { of: 'visitor', mailedAt: job.createdAt, to: lead.email, asks })
  if (!questionUrl) throw passedOn()
  return { lead, provider, questionUrl, optOutUrl: personsLink(reading.env, lead.email, lead.id) }
}

/** The question to the visitor whether the clinic has called. It must not name a treatment. */
const visitor_question = defineEmail({
  about: 'lead',
  purpose: 'visitor_question',
  load(task, reading) {
    const context = readQuestion(task, reading, 'called')
    if (!isAsked(task.row.outcome)) throw new NotNeeded('It is known by now what became of the lead.')
    return context
  },
  draft: ({ lead, provider, questionUrl, optOutUrl, env }) => ({
    subject: 'Did the clinic call you?',
    body: (
      <Question
        mark={markUrl(env.PUBLIC_URL)}
        clinic={plain(provider.practiceName || provider.name)}
        sentAt={formatMoment(lead.matched_at ?? lead.created_at, env.NETWORK_TIME_ZONE)}
        yes={`${questionUrl}?answer=yes`}
        notYet={`${questionUrl}?answer=not_yet`}
        noLonger={`${questionUrl}?answer=no_longer`}
        optOutUrl={optOutUrl}
      />
    ),
  }),
  samples: { 'visitor-question': ['To the visitor: did the clinic call?', aboutAnswer()] },
})

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

/** The question to the visitor for the right phone number. It must not name a treatment. */
const wrong_number = defineEmail({
  about: 'lead',
  purpose: 'wrong_number',
  load(task, reading) {
    const context = readQuestion(task, reading, 'number')
    if (task.row.outcome !== 'wrong_number') throw new NotNeeded('The phone number is not wrong any more.')
    return context
  },
  draft: ({ lead, provider, questionUrl, optOutUrl, env }) => ({
    subject: 'What is your right phone number?',
    body: (
      <WrongNumber
        mark={markUrl(env.PUBLIC_URL)}
        clinic={plain(provider.practiceName || provider.name)}
        phone={shownPhone(lead.phone)}
        url={questionUrl}
        optOutUrl={optOutUrl}
      />
    ),
  }),
  samples: { 'visitor-wrong-number': ['To the visitor: what is the right number?', aboutAnswer()] },
})

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

export const answerEmails = {
  ...{ reminder, late_clinic, late_team, no_other_clinic, not_called, withdrawn },
  ...{ visitor_question, wrong_number },
}
