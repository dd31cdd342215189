import { EmailPurpose } from '../../core/contract/jobs.ts'
import * as providers from '../../core/stores/providers.ts'
import { DeliveryError } from '../delivery-error.ts'
import { composeEmail } from '../emails/compose.ts'
import type { Handler } from './handler.ts'

export const sendEmail: Handler = async (job, lead, { db, env, mailer }) => {
  const purpose = EmailPurpose.parse(job.purpose)
  const provider = lead.provider_id === null ? null : await providers.find(db, lead.provider_id)
  if (purpose === 'provider' && !provider) {
    throw new DeliveryError('The lead has no provider to write to.', { retry: 'never' })
  }

  const email = await composeEmail(purpose, { lead, provider, env })
  const messageId = `<${job.id}@${new URL(env.PUBLIC_URL).hostname}>`
  const { response } = await mailer.send({ ...email, messageId })
  return { result: { messageId, response } }
}
