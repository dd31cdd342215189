import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import { simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { openJournal } from './journal.ts'
import { inboxPage, type Mail, readerPage, safeMail } from './mail-inbox-pages.ts'
import { servePages, sharedLook } from './pages.ts'

const KEPT_MAILS = 1000
const LARGEST_MAIL = 10 * 1024 * 1024

export interface MailInbox {
  /** Where to send mail: `smtp://127.0.0.1:port`. */
  smtpUrl: string
  /** The page, and `GET /api/messages` below it. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a mail server that delivers nowhere: every mail ends in a page, and stays there over restarts.
 * @throws Error when a port is taken. Port 0 lets the system choose.
 */
export async function startMailInbox(options: {
  dataDir: string
  smtpPort?: number
  port?: number
}): Promise<MailInbox> {
  const mails = await openJournal<Mail>(join(options.dataDir, 'mails.jsonl'), KEPT_MAILS)
  let lastId = Number(mails.entries.at(-1)?.id ?? 0)

  const smtp = smtpServer(async (stream, session) => {
    const mail = await readMail(stream, session)
    await mails.append({ id: String(++lastId), ...mail })
  })
  const smtpPort = await listen(smtp, options.smtpPort ?? 0)
  const web = await servePages(inboxApp(mails.entries), options.port ?? 0).catch((error) => {
    smtp.close()
    throw error
  })
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://localhost:${web.port}`,
    async stop() {
      await Promise.all([web.stop(), new Promise<void>((resolve) => smtp.close(resolve))])
    },
  }
}

type Receive = (stream: SMTPServerDataStream, session: SMTPServerSession) => Promise<void>

function smtpServer(receive: Receive): SMTPServer {
  const server = new SMTPServer({
    // Loopback only: no certificate that clients would have to trust, and any login is as good as none.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (login, _session, answer) => answer(null, { user: login.username ?? 'anybody' }),
    size: LARGEST_MAIL,
    onData(stream, session, answer) {
      receive(stream, session).then(
        () =>
          answer(stream.sizeExceeded ? Object.assign(new Error('The mail is too large'), { responseCode: 552 }) : null),
        (error) => answer(Object.assign(new Error(`Not kept: ${error.message}`), { responseCode: 451 })),
      )
    },
  })
  // A client that hangs up is its own problem.
  server.on('error', () => {})
  return server
}

async function readMail(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<Omit<Mail, 'id'>> {
  const mail = await simpleParser(stream)
  const { name, address } = mail.from?.value[0] ?? { name: '', address: '' }
  return {
    from: name ? `${name} <${address}>` : address || (envelope.mailFrom ? envelope.mailFrom.address : ''),
    to: envelope.rcptTo.map(({ address }) => address),
    replyTo: mail.replyTo?.text ?? null,
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? null,
    html: mail.html || null,
    text: mail.text ?? null,
    receivedAt: new Date().toISOString(),
  }
}

function inboxApp(mails: readonly Mail[]): RequestListener {
  const router = new Router()
  router.get('/', (ctx) => {
    ctx.body = inboxPage(mails)
  })
  router.get('/messages/:id', (ctx) => {
    const mail = mails.find(({ id }) => id === ctx.params.id)
    if (!mail) return ctx.throw(404, 'This mail is not kept any more.')
    ctx.body = readerPage(mails, mail, ctx.query.view === 'text' || !mail.html ? 'text' : 'html')
  })
  router.get('/messages/:id/html', (ctx) => {
    const mail = mails.find(({ id }) => id === ctx.params.id)
    if (!mail?.html) return ctx.throw(404, 'This mail has no HTML.')
    const { body, policy } = safeMail(mail.html)
    ctx.set('content-security-policy', policy)
    ctx.body = body
  })
  router.get('/api/messages', (ctx) => {
    ctx.body = mails.toReversed()
  })
  return new Koa().use(sharedLook).use(router.routes()).callback()
}

function listen(smtp: SMTPServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.listen(port, '127.0.0.1', () => {
      smtp.off('error', reject)
      resolve((smtp.server.address() as AddressInfo).port)
    })
  })
}
