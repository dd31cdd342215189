import { brand } from '../../core/brand/brand.ts'
import { formatMoment } from '../../core/dates.ts'
import type { EmailDraft, ErasureEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Facts, Paragraph } from './parts.tsx'
import { clinicZone, TO_A_CLINIC } from './words.ts'

/** Returns the e-mail that asks a clinic to delete its data of a permanently deleted lead. */
export function erasedEmail({ erased, clinic, ...context }: ErasureEmailContext): EmailDraft {
  const { id, sentAt, reason } = erased
  const why =
    reason === 'request'
      ? 'The person who sent this request asked us to delete their data.'
      : 'We deleted this request.'
  return {
    to: clinic.requestEmail,
    replyTo: { name: brand.company, address: brand.email },
    subject: `Please delete request no. ${id}`,
    body: (
      <Layout preview={why} title={`Please delete request no. ${id}`} reason={TO_A_CLINIC}>
        <Paragraph>Hello {clinic.practiceName || clinic.name},</Paragraph>
        <Paragraph>
          {why} Please do not contact them about it any more, and delete what you got from us: our e-mails about request
          no. {id}, and notes made from them. Records of a patient whom you have treated are not affected.
        </Paragraph>
        <Facts of={[['Request', `no. ${id}, ${formatMoment(sentAt, clinicZone(context))}`]]} />
      </Layout>
    ),
  }
}
