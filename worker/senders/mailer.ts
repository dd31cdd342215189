import nodemailer, { type SentMessageInfo } from 'nodemailer'
import { z } from 'zod'
import type { Env } from '../../core/env.ts'
import { sendEmail } from '../../core/jobs/send-email.ts'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import { printable } from '../printable.ts'

/** An e-mail to exactly one address. */
export type Mail = {
  messageId: string
  to: string
  replyTo?: { name: string; address: string }
  subject: string
  text: string
  html: string
}

export type Mailer = { send(mail: Mail): Promise<{ response: string }>; close(): void }

const DEADLINE = 15 * SECOND
const Recipient = z.email()

/** A pool of SMTP connections, one for each mail that is sent at the same time, so that none waits unseen. */
export function createMailer({ SMTP_URL, MAIL_FROM }: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  const transport = nodemailer.createTransport({
    url: SMTP_URL,
    pool: true,
    maxConnections: sendEmail.concurrency,
    // Once, for a connection that the server has closed while it was idle. More is the ledger's business.
    maxRequeues: 1,
    connectionTimeout: 5 * SECOND,
    greetingTimeout: 5 * SECOND,
    socketTimeout: 10 * SECOND,
    dnsTimeout: 5 * SECOND,
  })

  return {
    /** @throws DeliveryError with what the mail server said */
    async send({ messageId, to, replyTo, ...content }) {
      if (!Recipient.safeParse(to).success) {
        throw new DeliveryError('The recipient has no valid e-mail address.', { retry: 'never' })
      }
      const sending = transport.sendMail({
        ...content,
        from: MAIL_FROM,
        to: { name: '', address: to },
        replyTo,
        messageId,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const { response = '' } = await withDeadline(sending).catch((error) => {
        throw asDeliveryError(error)
      })
      return { response: printable(response) }
    },
    close: () => transport.close(),
  }
}

async function withDeadline(sending: Promise<SentMessageInfo>): Promise<SentMessageInfo> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within 15 seconds')), DEADLINE)
  })
  sending.catch(() => {})
  return Promise.race([sending, late]).finally(() => clearTimeout(timer))
}

/** 5xx says that this mail will never be taken; everything else, wrong credentials among it, may be mended by then. */
function asDeliveryError(error: Error & { code?: string; responseCode?: number; response?: string }): DeliveryError {
  const { code, responseCode: status, response, message } = error
  if (error instanceof DeliveryError) return error
  if (code === 'EAUTH') {
    const summary = 'The mail server refused our credentials'
    return new DeliveryError(`${summary}: ${response ?? message}`, { summary, retry: 'later', status })
  }
  if (status !== undefined) {
    const isFinal = status >= 500
    const summary = isFinal ? 'The mail server refused the e-mail' : 'The mail server could not take the e-mail yet'
    return new DeliveryError(`${summary}: ${response ?? status}`, {
      summary: `${summary} (${status})`,
      retry: isFinal ? 'never' : 'later',
      status,
    })
  }
  const summary = `The mail server could not be reached${code ? ` (${code})` : ''}`
  return new DeliveryError(`${summary}: ${message}`, { summary, retry: 'later', cause: error })
}
