import { formatMoment } from '../../core/dates.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, timeZoneOf } from './email.ts'
import { Layout } from './layout.tsx'
import { Facts, Paragraph } from './parts.tsx'
import { env, previous } from './sample-people.ts'
import { TO_A_CLINIC } from './words.ts'

/** The e-mail that asks a clinic to delete its data of a permanently deleted lead. */
export const erased = defineEmail({
  about: 'erased lead',
  purpose: 'erased',
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
        <Layout preview={why} title={`Please delete request no. ${id}`} reason={TO_A_CLINIC}>
          <Paragraph>Hello {previous.practiceName || previous.name},</Paragraph>
          <Paragraph>
            {why} Please do not contact them about it any more, and delete what you got from us: our e-mails about
            request no. {id}, and notes made from them. Records of a patient whom you have treated are not affected.
          </Paragraph>
          <Facts of={[['Request', `no. ${id}, ${formatMoment(sentAt, timeZone)}`]]} />
        </Layout>
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
