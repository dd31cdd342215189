import { telUrl } from '../../core/contract/phones.ts'
import { formatMoment } from '../../core/dates.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import { NotNeeded } from '../delivery-error.ts'
import { type AnswerContext, clinicOf, personFacts, readMissing, sentAt } from './answers.tsx'
import { defineEmail } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph } from './parts.tsx'
import { aboutAnswer } from './sample-people.ts'
import { shownPhone, TO_A_CLINIC } from './words.ts'

/** The reminder to the clinic that a request waits for its call. */
export const reminder = defineEmail({
  ...{ about: 'lead', purpose: 'reminder', to: 'clinic', payload: 'provider' },
  ...{ label: 'Reminder to the provider', awaitsAnswer: true },
  load: (task, reading) => readMissing(task, reading),
  draft({ lead, provider, answer, timeZone }) {
    const { isUncalled, dueAt } = answer
    return {
      subject: isUncalled
        ? `Please call: the person from request no. ${lead.id} says nobody has called`
        : `Reminder: request no. ${lead.id} is waiting for your call`,
      body: (
        <Layout preview="Please call, then tell us the outcome." title="This request is waiting" reason={TO_A_CLINIC}>
          <Paragraph>Hello {provider.practiceName || provider.name},</Paragraph>
          {isUncalled ? (
            <Paragraph>
              We sent you this request on {sentAt(lead, timeZone)}. The person told us that your clinic has not called
              yet. Please call now, then report the outcome with one click.
            </Paragraph>
          ) : (
            <Paragraph>
              We sent you this request on {sentAt(lead, timeZone)}, and you have not told us yet whether you reached the
              person. Please call{dueAt !== null && ` by ${formatMoment(dueAt, timeZone)}`}, then report the outcome
              with one click.
            </Paragraph>
          )}
          <Request lead={lead} answer={answer} timeZone={timeZone} />
        </Layout>
      ),
    }
  },
  samples: {
    reminder: ['To the clinic: a reminder', aboutAnswer()],
    'reminder-not-called': ['To the clinic: the visitor says that nobody called', aboutAnswer({ isUncalled: true })],
  },
})

/** The email to a clinic's second address that an answer is late. */
export const late_clinic = defineEmail({
  ...{ about: 'lead', purpose: 'late_clinic', to: 'second', payload: 'provider' },
  ...{ label: 'Email to the provider’s second address: answer late', awaitsAnswer: true },
  async load(task, reading) {
    const secondEmail = await clinicPeople.findLate(reading.db, clinicOf(task, reading).id)
    if (secondEmail === null) throw new NotNeeded('The clinic no longer has a second address.')
    const { answer, ...context } = await readMissing(task, reading, secondEmail)
    return { ...context, answer: { ...answer, secondEmail } }
  },
  draft: ({ lead, provider, answer, timeZone }) => ({
    subject: `Request no. ${lead.id} has no answer yet`,
    body: (
      <Layout
        preview="A person is waiting for a call."
        title="This request has no answer yet"
        reason="You received this email because your clinic chose this address for unanswered requests."
      >
        <Paragraph>Hello {provider.practiceName || provider.name},</Paragraph>
        {answer.hasArrived ? (
          <Paragraph>
            We sent this request to your clinic on {sentAt(lead, timeZone)} and have not heard back. Please call now,
            then tell us with one click whether you reached the person.
          </Paragraph>
        ) : (
          <Paragraph>
            This request has been with your clinic since {sentAt(lead, timeZone)}. Our email to {provider.requestEmail}{' '}
            did not arrive, so you may not know about it yet. Please call now, then tell us with one click whether you
            reached the person.
          </Paragraph>
        )}
        <Request lead={lead} answer={answer} timeZone={timeZone} />
        <Note>If nobody answers, the request may go to another clinic.</Note>
      </Layout>
    ),
  }),
  samples: {
    'late-clinic': ['To the clinic’s second address: an answer is late', aboutAnswer()],
    'late-clinic-unsent': [
      'To the clinic’s second address: our email did not arrive',
      aboutAnswer({ hasArrived: false }),
    ],
  },
})

function Request({ lead, answer, timeZone }: Omit<AnswerContext, 'provider'>) {
  return (
    <>
      <Facts of={[...personFacts(lead), ['Request', `no. ${lead.id}, ${sentAt(lead, timeZone)}`]]} />
      <Actions
        of={[
          [`Call ${shownPhone(lead.phone)}`, telUrl(lead.phone)],
          ['Report the outcome', answer.requestUrl],
        ]}
      />
    </>
  )
}
