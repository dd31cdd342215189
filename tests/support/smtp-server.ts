import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export const MAIL = {
  messageId: '<one@leadwell.example>',
  to: 'clinic@clinics.example',
  subject: 'A subject',
  text: 'Plain words',
  html: '<p>Plain words</p>',
}

/** A mail with those it was really sent to, byte for byte as well; `isEncrypted` says how it came. */
export type ReceivedMail = ParsedMail & { recipients: string[]; raw: Buffer; isEncrypted: boolean }

/** The reaction to a message: accept it, answer with a status, or never answer. */
export type SmtpAnswer = 'accept' | 'hang' | { status: number; text?: string; at?: 'recipient' | 'data' }

export type TestSmtpServer = {
  url: string
  port: number
  mails: ReceivedMail[]
  /** The passwords that clients have shown, each with how the connection was. */
  logins: { password: string; isEncrypted: boolean }[]
  /** The number of connections so far. */
  connections(): number
  /** From now on. A function is asked for each message, at its recipient and at its data, and may take its time. */
  answer(answer: SmtpAnswer | Decision): void
  /** Forgets what came, and accepts every message again. */
  reset(): void
  close(): Promise<void>
}

type Decision = (recipient: string, stage: 'recipient' | 'data') => SmtpAnswer | Promise<SmtpAnswer>

/** A key and a certificate, as PEM, and whether the connection is encrypted from the start or by STARTTLS. */
export type SmtpTls = { key: string; cert: string; mode: 'implicit' | 'starttls' }

/** A real SMTP server on loopback, which takes any login; without `tls` it offers no encryption. */
export async function startSmtpServer({
  port = 0,
  tls,
}: {
  port?: number
  tls?: SmtpTls
} = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  const logins: TestSmtpServer['logins'] = []
  let connections = 0
  let decide: Decision = () => 'accept'
  const refusal = (answer: { status: number; text?: string }) =>
    Object.assign(new Error(answer.text ?? `refused with ${answer.status}`), { responseCode: answer.status })

  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ password }, session, done) {
      logins.push({ password: String(password), isEncrypted: session.secure })
      done(null, { user: 'worker' })
    },
    ...(tls && { key: tls.key, cert: tls.cert, secure: tls.mode === 'implicit' }),
    disabledCommands: tls ? [] : ['STARTTLS'],
    logger: false,
    // In milliseconds. Closing does not wait for the worker's pooled connections.
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    async onRcptTo({ address }, _session, done) {
      const answer = await decide(address, 'recipient')
      done(typeof answer === 'object' && answer.at === 'recipient' ? refusal(answer) : undefined)
    },
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      buffer(stream).then(async (raw) => {
        const mail = await simpleParser(raw)
        const answer = await decide(recipients[0] ?? '', 'data')
        if (answer === 'hang') return
        if (answer !== 'accept') return done(refusal(answer))
        mails.push({ ...mail, recipients, raw, isEncrypted: session.secure })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actual } = server.server.address() as AddressInfo

  return {
    url: `${tls?.mode === 'implicit' ? 'smtps' : 'smtp'}://127.0.0.1:${actual}`,
    port: actual,
    mails,
    logins,
    connections: () => connections,
    answer(answer) {
      decide = typeof answer === 'function' ? answer : () => answer
    },
    reset() {
      decide = () => 'accept'
      mails.length = 0
      logins.length = 0
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
