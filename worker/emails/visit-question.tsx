import { DAY } from '../../core/contract/time.ts'
import { formatWeekday } from '../../core/dates.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import { NotNeeded } from '../delivery-error.ts'
import { readAnswer } from './answers.tsx'
import { defineEmail } from './email.ts'
import { ToAClinic } from './layout.tsx'
import { Note, Paragraph, Tiles, Typed } from './parts.tsx'
import { aboutAnswer, hostile } from './sample-people.ts'
import { firstNameOf, nameOf } from './words.ts'

/** The question to the clinic whether a person came, once for each booking. Nobody else can say it. */
export const visit_question = defineEmail({
  ...{ about: 'lead', purpose: 'visit_question', to: 'clinic', payload: 'provider' },
  ...{ label: 'Question to the provider: did the person come?', awaitsAnswer: true },
  async load(task, reading) {
    const context = await readAnswer(task, reading)
    const current = (await outcomes.findCurrent(reading.db, [context.lead.id])).get(context.lead.id)
    const day = current?.kind === 'booked' && current.booked_for
    if (!day || Date.parse(day) + DAY > Date.parse(task.job.createdAt))
      throw new NotNeeded('The booking has an outcome, or another day.')
    return { ...context, day }
  },
  draft({ lead, answer: { requestUrl }, day }) {
    const question = `Did ${firstNameOf(lead)} come?`
    return {
      subject: `${question} (request no. ${lead.id})`,
      body: (
        <ToAClinic preview="One tap, and one to confirm." title={question}>
          <Paragraph>
            <Typed>{nameOf(lead)}</Typed> had an appointment with you on {formatWeekday(day, 'UTC')}.
          </Paragraph>
          <Tiles
            of={[
              ['Yes, they came', `${requestUrl}?answer=attended`],
              ['No', `${requestUrl}?answer=no_show`],
              ['New day', `${requestUrl}?answer=booked`],
            ]}
          />
          <Note>Each opens the request with that answer chosen, to send. We ask once for each appointment.</Note>
        </ToAClinic>
      ),
    }
  },
  samples: {
    'visit-question': ['To the clinic: did the person come?', { ...aboutAnswer(), day: '2026-11-24' }],
    'visit-question-hostile': [
      'To the clinic: did a person with a hostile name come?',
      { ...aboutAnswer(), lead: { ...aboutAnswer().lead, ...hostile }, day: '2026-11-24' },
    ],
  },
})
