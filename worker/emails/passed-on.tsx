import { brand } from '../../core/brand/brand.ts'
import { formatMoment } from '../../core/dates.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Facts, Paragraph, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { clinicZone, nameOf, TO_A_CLINIC } from './words.ts'

/**
 * Returns the e-mail that tells the previous clinic of a lead about the new one, so that they do not both call the
 * person.
 */
export function passedOnEmail({ lead, previous, ...context }: LeadEmailContext): EmailDraft {
  if (!previous) throw new Error('Nobody had this lead before')
  return {
    to: previous.requestEmail,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Request no. ${lead.id} was passed to another clinic`,
    body: (
      <PassedOn
        clinic={previous.practiceName || previous.name}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, clinicZone(context))}
      />
    ),
  }
}

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
