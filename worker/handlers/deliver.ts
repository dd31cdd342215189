import type { Job } from '../../core/stores/attempts.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { Composed } from '../emails/compose.ts'
import type { WorkerServices } from './handler.ts'

/** Sends the e-mail of a job. The Message-ID comes from the job's row, so every attempt is the same message. */
export async function deliver(
  { id }: Pick<Job, 'id'>,
  email: Composed,
  { env, mailer }: Pick<WorkerServices, 'env' | 'mailer'>,
): Promise<{ messageId: string; to: string; response: string; status?: number }> {
  const messageId = `<${id}@${new URL(env.PUBLIC_URL).hostname}>`
  const { to } = email
  const { response } = await mailer.send({ ...email, messageId }).catch((error) => {
    if (error instanceof DeliveryError) error.to = to
    throw error
  })
  const status = Number(/^\d{3}/.exec(response)?.[0])
  return { messageId, to, response, ...(status && { status }) }
}
