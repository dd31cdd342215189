import type { Job } from '../../core/stores/attempts.ts'
import type { Composed } from '../emails/compose.ts'
import type { WorkerServices } from './handler.ts'

/** Sends the e-mail of a job. Its Message-ID is that of the row, so that every attempt is the same message. */
export async function deliver(
  { id }: Pick<Job, 'id'>,
  email: Composed,
  { env, mailer }: Pick<WorkerServices, 'env' | 'mailer'>,
): Promise<{ messageId: string; response: string; status?: number }> {
  const messageId = `<${id}@${new URL(env.PUBLIC_URL).hostname}>`
  const { response } = await mailer.send({ ...email, messageId })
  const status = Number(/^\d{3}/.exec(response)?.[0])
  return { messageId, response, ...(status && { status }) }
}
