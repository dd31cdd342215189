import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = ParsedMail & { recipients: string[] }

/** What the server does with a message: takes it, answers with a status, or never answers. */
export type SmtpAnswer = 'accept' | 'hang' | { status: number; text?: string; at?: 'recipient' | 'data' }

export type TestSmtpServer = {
  url: string
  port: number
  mails: ReceivedMail[]
  /** How many connections were opened so far. */
  connections(): number
  /** From now on. A function is asked for each message, at its recipient and at its data, and may take its time. */
  answer(answer: SmtpAnswer | Decision): void
  close(): Promise<void>
}

type Decision = (recipient: string, stage: 'recipient' | 'data') => SmtpAnswer | Promise<SmtpAnswer>

/** A real SMTP server on loopback. */
export async function startSmtpServer({ port = 0 } = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  let connections = 0
  let decide: Decision = () => 'accept'
  const refusal = (answer: { status: number; text?: string }) =>
    Object.assign(new Error(answer.text ?? `refused with ${answer.status}`), { responseCode: answer.status })

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // In milliseconds: whoever closes it does not wait for the worker's pooled connections to go.
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
      simpleParser(stream).then(async (mail) => {
        const answer = await decide(recipients[0] ?? '', 'data')
        if (answer === 'hang') return
        if (answer !== 'accept') return done(refusal(answer))
        mails.push({ ...mail, recipients })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actual } = server.server.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${actual}`,
    port: actual,
    mails,
    connections: () => connections,
    answer(answer) {
      decide = typeof answer === 'function' ? answer : () => answer
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
