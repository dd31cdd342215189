import { brand } from '../../core/brand/brand.ts'
import { formatMoment } from '../../core/dates.ts'
import type { EmailDraft, LeadEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { slotted } from './render.tsx'
import { clinicZone, nameOf, TO_A_CLINIC } from './words.ts'

/** Returns the e-mail that tells a clinic to stop contact with a lead's person and to confirm it. */
export function optedOutEmail(context: LeadEmailContext): EmailDraft {
  const { lead, provider, stopped } = context
  if (!provider || !stopped) throw new Error('No clinic was asked to stop')
  const zone = clinicZone(context)
  return {
    to: provider.requestEmail,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Please do not contact this person any more (request no. ${lead.id})`,
    body: (
      <OptedOut
        clinic={provider.practiceName || provider.name}
        dueAt={formatMoment(stopped.dueAt, zone)}
        name={nameOf(lead)}
        id={`${lead.id}`}
        createdAt={formatMoment(lead.created_at, zone)}
        url={stopped.url}
      />
    ),
  }
}

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
