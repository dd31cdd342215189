import { dialable } from '../../core/contract/texts.ts'
import { formatDayAndTime } from '../../core/dates.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import { NotNeeded } from '../delivery-error.ts'
import { type AnswerContext, AnswerTiles, CallFirst, clinicOf, readMissing, sentAt } from './answers.tsx'
import { defineEmail } from './email.ts'
import { Layout, ToAClinic } from './layout.tsx'
import { Actions, Note, Paragraph } from './parts.tsx'
import { aboutAnswer } from './sample-people.ts'
import { nameOf, shownPhone } from './words.ts'

export const reminder = defineEmail({
  ...{ about: 'lead', purpose: 'reminder', to: 'clinic', payload: 'provider' },
  ...{ label: 'Reminder to the provider', awaitsAnswer: true },
  load: (task, reading) => readMissing(task, reading),
  draft(context) {
    const { lead, answer } = context
    return {
      subject: answer.isUncalled
        ? `Please call: the person from request no. ${lead.id} says nobody has called`
        : `Reminder: request no. ${lead.id} is waiting for your call`,
      body: (
        <ToAClinic preview="Please call, then tell us the outcome." title="This request is waiting">
          <Request {...context}>
            {answer.isUncalled
              ? 'The person says that your clinic has not called yet. Please call now.'
              : `You have not said yet whether you reached them. Please call${dueBy(context)}.`}
          </Request>
        </ToAClinic>
      ),
    }
  },
  samples: {
    reminder: ['To the clinic: a reminder', aboutAnswer()],
    'reminder-not-called': ['To the clinic: the visitor says that nobody called', aboutAnswer({ isUncalled: true })],
  },
})

export const late_clinic = defineEmail({
  ...{ about: 'lead', purpose: 'late_clinic', to: 'second', payload: 'provider' },
  ...{ label: 'Email to the provider’s second address: answer late', awaitsAnswer: true },
  async load(task, reading) {
    const secondEmail = await clinicPeople.findLate(reading.db, clinicOf(task, reading).id)
    if (secondEmail === null) throw new NotNeeded('The clinic no longer has a second address.')
    const { answer, ...context } = await readMissing(task, reading, secondEmail)
    return { ...context, answer: { ...answer, secondEmail } }
  },
  draft: (context) => ({
    subject: `Request no. ${context.lead.id} has no answer yet`,
    body: (
      <Layout
        preview="A person is waiting for a call."
        title="This request has no answer yet"
        reason="You received this email because your clinic chose this address for unanswered requests."
      >
        <Request {...context}>
          {context.answer.hasArrived
            ? `Your clinic was to call${dueBy(context)}, and we have not heard back.`
            : `Our email to ${context.provider.requestEmail} did not arrive, so you may not know of this request yet.`}{' '}
          Please call now. If nobody answers, the request may go to another clinic.
        </Request>
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

const dueBy = ({ answer: { dueAt }, timeZone }: AnswerContext) =>
  dueAt === null ? '' : ` by ${formatDayAndTime(dueAt, timeZone)}`

function Request({ lead, answer, place, timeZone, children }: AnswerContext & { children: React.ReactNode }) {
  const { requestUrl } = answer
  const dial = dialable(lead.phone)
  return (
    <>
      <CallFirst name={nameOf(lead)} phone={shownPhone(lead.phone)} {...{ dial, requestUrl }} />
      <Paragraph>{children}</Paragraph>
      <AnswerTiles requestUrl={requestUrl} />
      <Actions quiet of={[['Open the request', dial === null ? null : requestUrl]]} />
      <Note>
        {place} · request no. {lead.id}, sent on {sentAt(lead, timeZone)}
      </Note>
    </>
  )
}
