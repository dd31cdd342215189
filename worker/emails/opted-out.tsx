import { formatMoment } from '../../core/dates.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { NotNeeded } from '../delivery-error.ts'
import { clinicsLink } from '../handlers/opt-out-links.ts'
import { defineEmail, timeZoneOf } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { aboutLead, env } from './sample-people.ts'
import { nameOf, TO_A_CLINIC } from './words.ts'

/** The e-mail that tells a clinic to stop contact with a lead's person and to confirm it. */
export const opted_out = defineEmail({
  about: 'lead',
  purpose: 'opted_out',
  async load({ row: lead, payload }, reading) {
    const provider = reading.known.provider(payload.providerId)
    if (!provider) throw new NotNeeded('The clinic is gone.')
    const [asked] = await suppressions.find(reading.db, { lead_id: lead.id, provider_id: provider.id })
    if (!asked) throw new NotNeeded('This person may be contacted again.')
    if (asked.confirmed_at) throw new NotNeeded('The clinic has confirmed already that it stopped.')
    const url = clinicsLink(reading.env, asked.id)
    return { lead, provider, url, dueAt: asked.due_at, timeZone: await timeZoneOf(provider.id, reading) }
  },
  draft: ({ lead, provider, url, dueAt, timeZone }) => ({
    subject: `Please do not contact this person any more (request no. ${lead.id})`,
    body: (
      <OptedOut
        clinic={provider.practiceName || provider.name}
        dueAt={formatMoment(dueAt, timeZone)}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, timeZone)}
        url={url}
      />
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

type OptedOutSlots = { clinic: string; dueAt: string; name: string; id: string; createdAt: string; url: string }

const OptedOut = slotted(({ clinic, dueAt, name, id, createdAt, url }: OptedOutSlots) => (
  <Layout
    preview="Please stop calls, texts and e-mails, and confirm it."
    title="Please do not contact this person any more"
    reason={TO_A_CLINIC}
  >
    <Paragraph>Hello {clinic},</Paragraph>
    <Paragraph>
      This person has asked not to be contacted any more. Please stop all calls, texts and e-mails about the request,
      also those that your own systems send, and confirm it by {dueAt}.
    </Paragraph>
    <Facts
      of={[
        ['Name', <Typed key="name">{name}</Typed>],
        ['Request', `no. ${id}, ${createdAt}`],
      ]}
    />
    <Actions of={[['Confirm that contact has stopped', url]]} />
    <Note>
      The page asks you again before anything is recorded. If this person is your patient already, care that they have
      agreed to with you goes on as agreed.
    </Note>
  </Layout>
))
