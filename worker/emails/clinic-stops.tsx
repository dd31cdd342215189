import { formatMoment } from '../../core/dates.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { NotNeeded } from '../delivery-error.ts'
import { clinicOf } from './answers.tsx'
import { defineEmail, movedBetween, timeZoneOf } from './email.ts'
import { ToAClinic } from './layout.tsx'
import { clinicsLink } from './links.ts'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { aboutAnswer, aboutLead, env, previous } from './sample-people.ts'
import { nameOf } from './words.ts'

/** The email to the previous clinic of a lead that has a new one, so that they do not both call the person. */
export const passed_on = defineEmail({
  ...{ about: 'lead', purpose: 'passed_on', to: 'previous_clinic', payload: 'previous_provider' },
  label: 'Email to the previous provider',
  async load(task, reading) {
    const { previous } = movedBetween(task, reading)
    return { lead: task.row, previous, timeZone: await timeZoneOf(previous.id, reading) }
  },
  draft: ({ lead, previous, timeZone }) => ({
    subject: `Request no. ${lead.id} was passed to another clinic`,
    body: (
      <ToAClinic preview="Please do not call." title="This request was passed to another clinic" hello={previous}>
        <Paragraph>
          This request was passed to another clinic. Please do not call. If you have already spoken with this person,
          please reply to this email and let us know.
        </Paragraph>
        <Request lead={lead} timeZone={timeZone} />
      </ToAClinic>
    ),
  }),
  samples: { 'passed-on': ['To the clinic that had the request before', { ...aboutLead(), previous }] },
})

export const withdrawn = defineEmail({
  ...{ about: 'lead', purpose: 'withdrawn', to: 'clinic', payload: 'provider' },
  label: 'Email to the provider: request withdrawn',
  async load(task, reading) {
    const provider = clinicOf(task, reading)
    if (task.row.outcome !== 'declined') throw new NotNeeded('The request is no longer withdrawn.')
    return { lead: task.row, provider, timeZone: await timeZoneOf(provider.id, reading) }
  },
  draft: ({ lead, provider, timeZone }) => ({
    subject: `Please do not call: request no. ${lead.id} was withdrawn`,
    body: (
      <ToAClinic preview="Please do not call." title="This request was withdrawn" hello={provider}>
        <Paragraph>
          This person told us that they no longer want a consultation. Please do not call about this request. If you
          already have an appointment with them, please reply to this email and let us know.
        </Paragraph>
        <Request lead={lead} timeZone={timeZone} />
      </ToAClinic>
    ),
  }),
  samples: { withdrawn: ['To the clinic: a request was withdrawn', aboutAnswer()] },
})

export const opted_out = defineEmail({
  ...{ about: 'lead', purpose: 'opted_out', to: 'clinic', payload: 'provider' },
  label: 'Email to the provider: no more contact',
  async load({ row: lead, payload }, reading) {
    const provider = reading.known.provider(payload.providerId)
    if (!provider) throw new NotNeeded('The clinic is gone.')
    const [asked] = await suppressions.find(reading.db, { lead_id: lead.id, provider_id: provider.id })
    if (!asked) throw new NotNeeded('This person may be contacted again.')
    if (asked.confirmed_at) throw new NotNeeded('The clinic has already confirmed that it stopped.')
    const url = clinicsLink(reading.env, asked.id)
    return { lead, provider, url, dueAt: asked.due_at, timeZone: await timeZoneOf(provider.id, reading) }
  },
  draft: ({ lead, provider, url, dueAt, timeZone }) => ({
    subject: `Please stop contacting this person (request no. ${lead.id})`,
    body: (
      <ToAClinic
        preview="Please stop calls, texts and emails, and confirm it."
        title="Please stop contacting this person"
        hello={provider}
      >
        <Paragraph>
          This person has asked not to be contacted. Please stop all calls, texts and emails about the request,
          including those that your own systems send, and confirm it by {formatMoment(dueAt, timeZone)}.
        </Paragraph>
        <Request lead={lead} timeZone={timeZone} />
        <Actions of={[['Confirm that contact has stopped', url]]} />
        <Note>
          The page asks you again before anything is recorded. If this person is already your patient, the care they
          agreed to with you continues as agreed.
        </Note>
      </ToAClinic>
    ),
  }),
  samples: {
    'opted-out': [
      'To the clinic: no more contact',
      {
        ...aboutLead(),
        url: `${env.PUBLIC_URL}/do-not-contact/clinic?t=clinic.9.sample`,
        dueAt: '2026-12-04T09:41:00.000Z',
      },
    ],
  },
})

export const erased = defineEmail({
  ...{ about: 'erased lead', purpose: 'erased', to: 'previous_clinic', payload: 'previous_provider' },
  label: 'Email to the provider: please delete',
  async load({ row: erased, payload }, reading) {
    const previous = reading.known.provider(payload.previousProviderId)
    if (!previous) throw new NotNeeded('The clinic is gone.')
    if (!erased) throw new NotNeeded('No record of the deletion is left.')
    return { erased, previous, timeZone: await timeZoneOf(previous.id, reading) }
  },
  draft({ erased: { id, sentAt, reason }, previous, timeZone }) {
    const why =
      reason === 'request'
        ? 'The person who sent this request asked us to delete their data.'
        : 'We deleted this request.'
    return {
      subject: `Please delete request no. ${id}`,
      body: (
        <ToAClinic preview={why} title={`Please delete request no. ${id}`} hello={previous}>
          <Paragraph>
            {why} Please do not contact them about it again, and delete what you received from us: our emails about
            request no. {id}, and any notes made from them. Records of a patient you have treated are not affected.
          </Paragraph>
          <Facts of={[['Request', `no. ${id}, ${formatMoment(sentAt, timeZone)}`]]} />
        </ToAClinic>
      ),
    }
  },
  samples: {
    erased: [
      'To the clinic: please delete a request',
      {
        erased: { id: 4211, sentAt: '2026-11-03T15:04:00.000Z', reason: 'request', crmId: null, isTest: false },
        previous,
        timeZone: env.NETWORK_TIME_ZONE,
      },
    ],
  },
})

function Request({ lead, timeZone }: { lead: Lead; timeZone: string }) {
  return (
    <Facts
      of={[
        ['Name', <Typed key="name">{nameOf(lead)}</Typed>],
        ['Request', `no. ${lead.id}, ${formatMoment(lead.created_at, timeZone)}`],
      ]}
    />
  )
}
