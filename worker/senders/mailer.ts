import nodemailer from 'nodemailer'
import { z } from 'zod'
import type { Env } from '../../core/env.ts'
import { sendEmail } from '../../core/jobs/send-email.ts'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import { printable } from '../printable.ts'
import { type MailFault, mailRefusal } from './mail-refusal.ts'
import { type MailIdentityEnv, readMailIdentity } from './mail-settings.ts'

/** An e-mail to exactly one address. */
export type Mail = {
  messageId: string
  to: string
  replyTo?: { name: string; address: string }
  /** The unsubscribe page, which also takes a POST from mail programs, and the unsubscribe address. */
  optOut?: { url: string; mailto: string }
  subject: string
  text: string
  html: string
}

export type Mailer = { send(mail: Mail): Promise<{ response: string }>; close(): void }

/** In milliseconds, for a whole attempt: a stopping worker waits little longer. */
const DEADLINE = 15 * SECOND
const Recipient = z.email()

/** Prevents automatic replies. Source: RFC 3834, 5; the second header is Exchange's. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

/** Source: RFC 8058, section 3.1. */
const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/**
 * Makes a mailer with a pool of SMTP connections, one per concurrent e-mail, so that none waits unseen.
 * @throws SettingsError when a file or a key that the settings name cannot be used
 */
export function createMailer(
  env: MailIdentityEnv & Pick<Env, 'SMTP_URL' | 'SMTP_PASSWORD' | 'SMTP_REQUIRE_TLS'>,
): Mailer {
  const { from, ca, dkim } = readMailIdentity(env)
  const transport = nodemailer.createTransport({
    url: withPassword(env.SMTP_URL, env.SMTP_PASSWORD),
    pool: true,
    maxConnections: sendEmail.concurrency,
    // One retry, for a connection that the server closed while idle. Further retries are the ledger's.
    maxRequeues: 1,
    requireTLS: env.SMTP_REQUIRE_TLS,
    tls: { ca },
    dkim,
    // The first timeout covers the name, the greeting and the encryption.
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    dnsTimeout: 10 * SECOND,
    socketTimeout: DEADLINE,
  })

  return {
    /** @throws DeliveryError with the mail server's reply */
    async send({ messageId, to, replyTo, optOut, ...content }) {
      if (!Recipient.safeParse(to).success) {
        throw new DeliveryError('The recipient has no valid e-mail address.', { cause: 'bad_address', retry: 'never' })
      }
      const sending = transport.sendMail({
        ...content,
        envelope: { from: from.address, to: [to] },
        from,
        to: { name: '', address: to },
        replyTo,
        messageId,
        headers: { ...AUTOMATIC, ...(optOut && ONE_CLICK) },
        list: optOut && { unsubscribe: [[optOut.url, optOut.mailto]] },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(DEADLINE),
      })
      const { response = '' } = await sending.catch((fault: MailFault) => {
        throw mailRefusal(fault)
      })
      return { response: printable(response) }
    },
    close: () => transport.close(),
  }
}

function withPassword(address: string, password = ''): string {
  if (!password) return address
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}
