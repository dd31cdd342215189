import { brand } from '../../core/brand/brand.ts'
import { formatMoment } from '../../core/dates.ts'
import type { ClinicEmail } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Note, Paragraph, Typed } from './parts.tsx'
import { TO_A_CLINIC } from './words.ts'

const REPLY_TO = { name: brand.company, address: brand.email }

/** Returns the e-mail with the link that signs in to the pages of a clinic. */
export const clinicLinkEmail: ClinicEmail = ({ clinic, to, link, env }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Your link to the requests of ${clinic.practiceName || clinic.name}`,
  body: (
    <Layout preview="The link works once, for 15 minutes." title="Sign in to your requests" reason={TO_A_CLINIC}>
      <Paragraph>
        Somebody asked for a link to the pages of <Typed>{clinic.practiceName || clinic.name}</Typed>. It shows your
        requests, your answers and your settings.
      </Paragraph>
      <Actions of={[['Open your requests', link?.url ?? null]]} />
      <Paragraph>
        The link works once, until {link && formatMoment(link.expiresAt, env.NETWORK_TIME_ZONE)}. Do not forward this
        e-mail: anyone with the link can see your requests.
      </Paragraph>
      <Note>If you did not ask for it, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/** Returns the notice to a clinic that another address may sign in to its pages. */
export const clinicPersonEmail: ClinicEmail = ({ clinic, to, person }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Another address may see the requests of ${clinic.practiceName || clinic.name}`,
  body: (
    <Layout
      preview="If you do not know this address, reply to us."
      title="Another address may sign in"
      reason={TO_A_CLINIC}
    >
      <Paragraph>
        {person?.addedBy} has allowed {person?.email} to sign in to the pages of{' '}
        <Typed>{clinic.practiceName || clinic.name}</Typed>, and to see your requests there.
      </Paragraph>
      <Paragraph>
        If you do not know this address, remove it under “People” on your pages, or reply to this e-mail.
      </Paragraph>
    </Layout>
  ),
})
