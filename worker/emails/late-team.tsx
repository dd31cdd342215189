import { formatMoment } from '../../core/dates.ts'
import type { AnswerKind } from '../../core/leads/contract/outcomes.ts'
import { NotNeeded } from '../delivery-error.ts'
import { type AnswerContext, personFacts, readAnswer, readMissing, sentAt } from './answers.tsx'
import { defineEmail, type Settings } from './email.ts'
import { ToTheTeam } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { aboutAnswer } from './sample-people.ts'
import { clinicName, nameOf, replyTo, shownPhone } from './words.ts'

export const late_team = defineEmail({
  ...{ about: 'lead', purpose: 'late_team', to: 'team', label: 'Email to the team: answer late', awaitsAnswer: true },
  load: (task, reading) => readMissing(task, reading),
  draft(context) {
    const { lead, provider, answer, env } = context
    const since = sentAt(lead, env.NETWORK_TIME_ZONE)
    return {
      subject: `Lead ${lead.id}: ${clinicName(context.provider)} has not answered`,
      body: (
        <ToTheTeam preview="The visitor may still be waiting for a call." title="A provider has not answered">
          {answer.hasArrived ? (
            <Paragraph>
              <Typed>{clinicName(context.provider)}</Typed> has had this request since {since}, and has not reported an
              outcome
              {answer.dueAt !== null && `. The answer was due by ${formatMoment(answer.dueAt, env.NETWORK_TIME_ZONE)}`}.
            </Paragraph>
          ) : (
            <Paragraph>
              This request went to <Typed>{clinicName(context.provider)}</Typed> on {since}, but our email to{' '}
              {provider.requestEmail} did not arrive. The provider does not know about it. Please call the provider, or
              pass the request on.
            </Paragraph>
          )}
          <Waiting {...context} />
        </ToTheTeam>
      ),
    }
  },
  samples: {
    'late-team': ['To the team: an answer is late', aboutAnswer()],
    'late-team-unsent': ['To the team: a provider never got the request', aboutAnswer({ hasArrived: false })],
  },
})

/** The email to the team that an unanswered lead could not be passed on automatically. */
export const no_other_clinic = defineEmail({
  ...{ about: 'lead', purpose: 'no_other_clinic', to: 'team' },
  ...{ label: 'Email to the team: no other provider', awaitsAnswer: true },
  load: (task, reading) => readMissing(task, reading),
  draft: (context) => ({
    subject: `Lead ${context.lead.id} could not be passed on`,
    body: (
      <ToTheTeam preview="The visitor may still be waiting for a call." title="No other provider can take it">
        <Paragraph>
          <Typed>{clinicName(context.provider)}</Typed> has had this request since{' '}
          {sentAt(context.lead, context.env.NETWORK_TIME_ZONE)} and has not answered. It should have gone to the next
          provider automatically, but no other provider within {context.env.MATCH_RADIUS_MILES} miles can take it. It
          stays there until you decide.
        </Paragraph>
        <Waiting {...context} />
      </ToTheTeam>
    ),
  }),
  samples: { 'no-other-clinic': ['To the team: no provider to pass it on to', aboutAnswer()] },
})

/** The email to the team that a visitor was not called. Replies go to the visitor. */
export const not_called = defineEmail({
  ...{ about: 'lead', purpose: 'not_called', to: 'team' },
  ...{ label: 'Email to the team: visitor not called', awaitsAnswer: true },
  async load(task, reading) {
    const context = await readAnswer(task, reading)
    if (!context.answer.isUncalled) throw new NotNeeded('The visitor has been called.')
    return context
  },
  draft(context) {
    const { lead, answer } = context
    return {
      replyTo: replyTo(nameOf(lead), lead.email),
      subject: `Lead ${lead.id}: the visitor says nobody has called`,
      body: (
        <ToTheTeam preview="Please look at this request." title="Nobody has called this visitor">
          <Paragraph>
            We asked the visitor whether <Typed>{clinicName(context.provider)}</Typed> had called. The answer was: not
            yet.
            {answer.clinicSaid !== null && ` The provider had reported: ${WORDS[answer.clinicSaid]}.`}
          </Paragraph>
          <Waiting {...context} />
          <Note>Replies to this email go to the visitor.</Note>
        </ToTheTeam>
      ),
    }
  },
  samples: {
    'not-called': ['To the team: the visitor was not called', aboutAnswer({ isUncalled: true, clinicSaid: 'reached' })],
  },
})

/** What a provider has reported, in a sentence after a colon. */
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

function Waiting({ lead, provider, env }: AnswerContext & Settings) {
  const phone = provider.phone?.trim()
  return (
    <>
      <Facts
        of={[
          ['Lead', `no. ${lead.id}, with the provider since ${sentAt(lead, env.NETWORK_TIME_ZONE)}`],
          ...personFacts(lead),
          ['Provider', <Typed key="provider">{clinicName(provider)}</Typed>],
          ['Provider phone', phone && <Typed key="its">{shownPhone(phone)}</Typed>],
        ]}
      />
      <Actions of={[['Open the lead in the dashboard', `${env.PUBLIC_URL}/admin?lead=${lead.id}`]]} />
    </>
  )
}
