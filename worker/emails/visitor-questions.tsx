import { formatWeekday } from '../../core/dates.ts'
import { isAsked } from '../../core/leads/rules/outcomes.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { TaskAbout } from '../handlers/handler.ts'
import { clinicOf, passedOn } from './answers.tsx'
import { defineEmail, type Reading } from './email.ts'
import { ToVisitor } from './layout.tsx'
import { personsLink, requestLink } from './links.ts'
import { Actions, Note, Paragraph, Typed } from './parts.tsx'
import { aboutAnswer } from './sample-people.ts'
import { clinicName, shownPhone } from './words.ts'

/** Reads a question to the visitor, with the link to its page. @throws NotNeeded when the clinic no longer has the lead */
function readQuestion(task: TaskAbout<'lead'>, reading: Reading, asks: 'called' | 'number') {
  const { row: lead, job } = task
  const provider = clinicOf(task, reading)
  const questionUrl = requestLink(reading.env, lead, { of: 'visitor', mailedAt: job.createdAt, to: lead.email, asks })
  if (!questionUrl) throw passedOn()
  return { lead, provider, questionUrl, optOutUrl: personsLink(reading.env, lead.email, lead.id) }
}

/** The question to the visitor whether the clinic has called. It must not name a treatment. */
export const visitor_question = defineEmail({
  ...{ about: 'lead', purpose: 'visitor_question', to: 'visitor' },
  ...{ label: 'Question to the visitor: did the provider call?', awaitsAnswer: true },
  load(task, reading) {
    const context = readQuestion(task, reading, 'called')
    if (!isAsked(task.row.outcome)) throw new NotNeeded('The lead already has an outcome.')
    return context
  },
  draft: ({ lead, provider, questionUrl, optOutUrl, env }) => ({
    subject: 'Did the clinic call you?',
    body: (
      <ToVisitor preview="One tap is enough." title="Did the clinic call you?" {...{ optOutUrl, env }}>
        <Paragraph>
          Your request went to <Typed>{clinicName(provider)}</Typed> on{' '}
          {formatWeekday(lead.matched_at ?? lead.created_at, env.NETWORK_TIME_ZONE)}. They should have called you by
          now. Did they?
        </Paragraph>
        <Actions
          of={[
            ['Yes, they called', `${questionUrl}?answer=yes`],
            ['Not yet', `${questionUrl}?answer=not_yet`],
            ['I no longer want this', `${questionUrl}?answer=no_longer`],
          ]}
        />
        <Note>Each button opens a page that asks you to confirm. We ask this only once for each clinic.</Note>
      </ToVisitor>
    ),
  }),
  samples: { 'visitor-question': ['To the visitor: did the clinic call?', aboutAnswer()] },
})

/** The question to the visitor for the right phone number. It must not name a treatment. */
export const wrong_number = defineEmail({
  ...{ about: 'lead', purpose: 'wrong_number', to: 'visitor' },
  ...{ label: 'Email to the visitor: right phone number?', awaitsAnswer: true },
  load(task, reading) {
    const context = readQuestion(task, reading, 'number')
    if (task.row.outcome !== 'wrong_number') throw new NotNeeded('The phone number is no longer wrong.')
    return context
  },
  draft: ({ lead, provider, questionUrl, optOutUrl, env }) => ({
    subject: 'What is your right phone number?',
    body: (
      <ToVisitor
        preview="Your clinic could not reach you."
        title="What is your right phone number?"
        {...{ optOutUrl, env }}
      >
        <Paragraph>
          Your clinic could not reach you at {shownPhone(lead.phone)}. What is the right number?{' '}
          <Typed>{clinicName(provider)}</Typed> gets it from us and calls you there.
        </Paragraph>
        <Actions of={[['Give the right number', questionUrl]]} />
        <Note>
          The link works once, for 60 days. If the number is right, or you would rather write to us, reply to this
          email.
        </Note>
      </ToVisitor>
    ),
  }),
  samples: { 'visitor-wrong-number': ['To the visitor: what is the right number?', aboutAnswer()] },
})
