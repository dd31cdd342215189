import nodemailer from 'nodemailer'
import pLimit from 'p-limit'
import { isEmailAddress } from '../../core/contract/forms.ts'
import { SECOND } from '../../core/contract/time.ts'
import type { Env } from '../../core/env.ts'
import { isInPrivateNetwork } from '../../core/settings/read-settings.ts'
import { DeliveryError, HandedBack, printable } from '../delivery-error.ts'
import { type MailFault, mailRefusal } from './mail-refusal.ts'

/** An email to exactly one address. */
export type Mail = {
  messageId: string
  to: string
  replyTo?: { name: string; address: string }
  /** The unsubscribe page, which also takes a POST from mail programs, and the unsubscribe address. */
  optOut?: { url: string; mailto: string }
  subject: string
  /** Whether it says in a header that it is a test. */
  isTest?: boolean
  text: string
  html: string
}

export type Mailer = {
  /** @throws DeliveryError with the mail server's reply; HandedBack when the mailer stops before it is sent */
  send(mail: Mail): Promise<{ response: string }>
  /** Begins no further email. Those that are being sent go on. */
  stop(): void
  close(): void
}

/** Emails that are sent at the same time, each over its own connection. */
export const CONNECTIONS = 10
/** In milliseconds, from the moment a connection is free for the email: a stopping worker waits little longer. */
const DEADLINE = 15 * SECOND

/** Prevents automatic replies. Source: RFC 3834, 5; the second header is Exchange's. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

/** `ca` is the trusted authority (PEM), if it is not one of Node's, which `NODE_EXTRA_CA_CERTS` adds to. */
export function createMailer(env: Pick<Env, 'MAIL_FROM' | 'SMTP_URL'>, ca?: string): Mailer {
  const from = parseSender(env.MAIL_FROM)
  const transport = nodemailer.createTransport({
    url: env.SMTP_URL,
    pool: true,
    maxConnections: CONNECTIONS,
    // One retry, for a connection that the server closed while idle. Further retries are the ledger's.
    maxRequeues: 1,
    // `?requireTLS=true` in the address asks for it in a private network, too.
    ...(!isInPrivateNetwork(env.SMTP_URL) && { requireTLS: true }),
    ...(ca && { tls: { ca } }),
    // The first timeout covers the name, the greeting and the encryption.
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    dnsTimeout: 10 * SECOND,
    socketTimeout: DEADLINE,
  })
  const whenFree = pLimit(CONNECTIONS)
  let isStopped = false

  const sendNow = async ({ messageId, to, replyTo, optOut, isTest, subject, text, html }: Mail) => {
    const headers = { ...AUTOMATIC, ...(optOut && unsubscribe(optOut)), ...(isTest && { 'X-Leadwell-Test': 'yes' }) }
    const sending = transport.sendMail({
      ...{ messageId, from, replyTo, subject, headers, text, html },
      to: { name: '', address: to },
      // Nodemailer would count the characters of each part to choose.
      textEncoding: 'quoted-printable',
      signal: AbortSignal.timeout(DEADLINE),
    })
    const { response = '' } = await sending.catch((fault: MailFault) => {
      throw mailRefusal(fault)
    })
    return { response: printable(response) }
  }

  return {
    async send(mail) {
      if (!isEmailAddress(mail.to)) {
        throw new DeliveryError('The recipient has no valid email address.', { cause: 'bad_address', retry: 'never' })
      }
      return whenFree(async () => {
        if (isStopped) throw new HandedBack('The worker stops.')
        return sendNow(mail)
      })
    },
    stop() {
      isStopped = true
    },
    close: () => transport.close(),
  }
}

/** Source: RFC 2369, section 3.2; RFC 8058, section 3.1. */
function unsubscribe({ url, mailto }: NonNullable<Mail['optOut']>) {
  return {
    // Encoded words would break the addresses in it.
    'List-Unsubscribe': { prepared: true, foldLines: true, value: `<${url}>, <${mailto}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** Parses `Name <address>`, also with a comma in the name, or the bare address. */
function parseSender(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}
