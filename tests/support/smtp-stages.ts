import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The stages of a session at which a server may refuse, in the order of SMTP. */
export const SMTP_STAGES = ['greeting', 'EHLO', 'AUTH', 'MAIL FROM', 'RCPT TO', 'DATA', 'end of data'] as const
export type SmtpStage = (typeof SMTP_STAGES)[number]

/** The answer at that stage: a refusal, any other line, a closed connection, or none. */
export type StageAnswer = { status: number; text: string } | { line: string } | 'drop' | 'silence'

export type StagedSmtpServer = {
  /** With a user and a password, so that AUTH is asked for. */
  url: string
  /** Every message that was received in full and taken. */
  messages: string[]
  /** The number of sessions that reached the end of a message. */
  deliveries(): number
  /** From now on; every other stage is as it should be. */
  answer(at: SmtpStage, answer: StageAnswer): void
  accept(): void
  close(): Promise<void>
}

const CRLF = '\r\n'
const ACCEPTED: Record<SmtpStage, string> = {
  greeting: '220 test.example ESMTP',
  EHLO: '250-test.example\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 welcome',
  'MAIL FROM': '250 2.1.0 ok',
  'RCPT TO': '250 2.1.5 ok',
  DATA: '354 go ahead',
  'end of data': '250 2.0.0 taken',
}

/**
 * An SMTP server on loopback that can refuse at every stage, which the library's cannot. Commands are answered one by
 * one.
 */
export async function startStagedSmtpServer(): Promise<StagedSmtpServer> {
  const answers = new Map<SmtpStage, StageAnswer>()
  const sockets = new Set<Socket>()
  const messages: string[] = []
  let deliveries = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})

    /** Returns whether the session passes the stage. */
    const pass = (stage: SmtpStage): boolean => {
      const answer = answers.get(stage)
      if (answer === 'drop') socket.destroy()
      else if (answer !== 'silence') socket.write((answer ? lineOf(answer) : ACCEPTED[stage]) + CRLF)
      return answer === undefined
    }

    let waiting = ''
    let isMessage = false
    const takeMessage = () => {
      const end = waiting.indexOf(`${CRLF}.${CRLF}`)
      if (end === -1) return false
      const message = waiting.slice(0, end)
      waiting = waiting.slice(end + 5)
      isMessage = false
      deliveries += 1
      if (pass('end of data')) messages.push(message)
      return true
    }
    const takeCommand = () => {
      const end = waiting.indexOf(CRLF)
      if (end === -1) return false
      const stage = stageOf(waiting.slice(0, end))
      waiting = waiting.slice(end + 2)
      if (stage === 'QUIT') socket.end(`221 bye${CRLF}`)
      else if (stage === null) socket.write(`250 ok${CRLF}`)
      else if (pass(stage)) isMessage = stage === 'DATA'
      return true
    }

    pass('greeting')
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1')
      while (isMessage ? takeMessage() : takeCommand());
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `smtp://worker:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    deliveries: () => deliveries,
    answer(at, answer) {
      answers.clear()
      answers.set(at, answer)
    },
    accept: () => answers.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const lineOf = (answer: Exclude<StageAnswer, string>) =>
  'line' in answer ? answer.line : `${answer.status} ${answer.text}`

function stageOf(command: string): SmtpStage | 'QUIT' | null {
  const verb = command.toUpperCase()
  if (/^(EHLO|HELO) /.test(verb)) return 'EHLO'
  if (verb === 'QUIT') return 'QUIT'
  return SMTP_STAGES.find((stage) => verb.startsWith(stage)) ?? null
}
