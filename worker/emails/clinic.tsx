import { brand } from '../../core/brand/brand.ts'
import { CLINIC_PATH, clinicPartPath } from '../../core/contract/page.ts'
import { formatMoment } from '../../core/dates.ts'
import type { ClinicEmail, ClinicEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { clinicZone, TO_A_CLINIC } from './words.ts'

const REPLY_TO = { name: brand.company, address: brand.email }

/** Returns the e-mail with the link that signs in to the pages of a clinic. */
export const clinicLinkEmail: ClinicEmail = ({ clinic, to, link, ...context }) => {
  const name = clinic.practiceName || clinic.name
  return {
    to,
    replyTo: REPLY_TO,
    subject: link?.invitedBy ? `You may see the requests of ${name}` : `Your link to the requests of ${name}`,
    body: (
      <Layout preview="The link works once." title="Sign in to your requests" reason={TO_A_CLINIC}>
        <Paragraph>
          {link?.invitedBy
            ? `${link.invitedBy} has added this address to those that may sign in to the pages of `
            : 'Somebody asked for a link to the pages of '}
          <Typed>{name}</Typed>. Its requests, answers and settings are there.
        </Paragraph>
        <Actions of={[['Open your requests', link?.url ?? null]]} />
        <Paragraph>
          The link works once, until {link && formatMoment(link.expiresAt, clinicZone(context))}. Do not forward this
          email: anyone with the link can see the requests.
          {link?.invitedBy && ` Later, ask for another link at ${context.env.PUBLIC_URL}${CLINIC_PATH}.`}
        </Paragraph>
        <Note>
          {link?.invitedBy ? 'If you do not know this clinic' : 'If you did not ask for it'}, you can ignore this email.
        </Note>
      </Layout>
    ),
  }
}

/** Tells the address in use until then, and that of WordPress, that somebody else gets or sees the requests of a clinic, and how to end it. */
export const addressChangedEmail: ClinicEmail = ({ clinic, to, at, act, env, ...context }) => {
  if (!act) throw new Error('No address was changed')
  const name = clinic.practiceName || clinic.name
  const { title, text, address } = wordsOf(act, clinic)
  return {
    to,
    replyTo: REPLY_TO,
    subject: `${title}: ${name}`,
    body: (
      <Layout preview="If you do not know of it, undo it." title={title} reason={TO_A_CLINIC}>
        <Paragraph>
          This is about the requests of <Typed>{name}</Typed>. {text}
        </Paragraph>
        <Facts
          of={[
            ['Address', address],
            ['Changed by', String(act.details.by ?? (act.actor === 'clinic' ? 'your clinic' : 'our team'))],
            ['When', formatMoment(at, clinicZone({ ...context, env }))],
          ]}
        />
        <Actions of={[['See who gets the requests', `${env.PUBLIC_URL}${clinicPartPath('people')}`]]} />
        <Note>If you do not know of it, undo it there, and reply to this email.</Note>
      </Layout>
    ),
  }
}

function wordsOf(
  { action, details }: NonNullable<ClinicEmailContext['act']>,
  clinic: ClinicEmailContext['clinic'],
): { title: string; text: string; address: string } {
  const address = String(details.to ?? details.email)
  if (action === 'add-person')
    return {
      title: 'Another person may see your requests',
      text: 'The address below may sign in to its pages.',
      address,
    }
  if (action === 'remove-person') {
    const text = 'They go to the address below from now on.'
    return { title: 'Requests no longer come to this address', text, address: clinic.email }
  }
  if (action === 'confirm-email') {
    const text =
      'Our records have the address below from now on, which may see your requests. They go there unless your clinic has chosen another person.'
    return { title: 'Another address replaces this one', text, address }
  }
  if (details.use === 'late') {
    const text = 'It gets a notice, with name and phone number, when a request has no answer in time.'
    return { title: 'Another address is told of late answers now', text, address }
  }
  return { title: 'Requests go to another address now', text: 'The address below gets them from now on.', address }
}
