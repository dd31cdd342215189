import { formatMoment } from '../../core/dates.ts'
import { defineEmail, movedBetween, timeZoneOf } from './email.ts'
import { Layout } from './layout.tsx'
import { Facts, Paragraph, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { aboutLead, previous } from './sample-people.ts'
import { nameOf, TO_A_CLINIC } from './words.ts'

/** The e-mail that tells the previous clinic of a lead about the new one, so that they do not both call the person. */
export const passed_on = defineEmail({
  about: 'lead',
  purpose: 'passed_on',
  async load(task, reading) {
    const { previous } = movedBetween(task, reading)
    return { lead: task.row, previous, timeZone: await timeZoneOf(previous.id, reading) }
  },
  draft: ({ lead, previous, timeZone }) => ({
    subject: `Request no. ${lead.id} was passed to another clinic`,
    body: (
      <PassedOn
        clinic={previous.practiceName || previous.name}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, timeZone)}
      />
    ),
  }),
  samples: { 'passed-on': ['To the clinic that had the request before', { ...aboutLead(), previous }] },
})

type PassedOnSlots = { clinic: string; name: string; id: string; createdAt: string }

const PassedOn = slotted(({ clinic, name, id, createdAt }: PassedOnSlots) => (
  <Layout preview="Please do not call." title="This request was passed to another clinic" reason={TO_A_CLINIC}>
    <Paragraph>Hello {clinic},</Paragraph>
    <Paragraph>
      This request was passed to another clinic, please do not call. If you have already spoken with this person, please
      reply to this e-mail and let us know.
    </Paragraph>
    <Facts
      of={[
        ['Name', <Typed key="name">{name}</Typed>],
        ['Request', `no. ${id}, ${createdAt}`],
      ]}
    />
  </Layout>
))
