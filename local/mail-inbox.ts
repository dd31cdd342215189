import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import { simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { openJournal } from './files.ts'
import { type Html, html, page, servePages, sharedLook, time } from './pages.ts'

const MAX_MAILS = 1000
const MAX_MAIL_BYTES = 10 * 1024 * 1024

/** One received mail. `to` are the addresses of the envelope; `receivedAt` is ISO 8601. */
export interface Mail {
  id: string
  from: string
  to: string[]
  /** Where an answer goes; absent in mails that were kept before it was. */
  replyTo?: string | null
  subject: string
  messageId: string | null
  html: string | null
  text: string | null
  receivedAt: string
}

export interface MailInbox {
  /** Where to send mail: `smtp://127.0.0.1:port`. */
  smtpUrl: string
  /** The page, and `GET /api/messages` below it. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a mail server that delivers nowhere: every mail is shown on a page, also after a restart.
 * @throws Error when a port is taken. Port 0 is any free one.
 */
export async function startMailInbox(options: {
  dataDir: string
  smtpPort?: number
  port?: number
}): Promise<MailInbox> {
  const mails = openJournal<Mail>(join(options.dataDir, 'mails.jsonl'), MAX_MAILS)
  const smtp = smtpServer(async (stream, session) => {
    const mail = await readMail(stream, session)
    mails.append({ id: String(Number(mails.entries.at(-1)?.id ?? 0) + 1), ...mail })
  })
  const listener = smtp.listen(options.smtpPort ?? 0, '127.0.0.1')
  await once(listener, 'listening')
  const stopSmtp = () => new Promise<void>((resolve) => smtp.close(resolve))
  const web = await servePages(inboxApp(mails.entries), options.port ?? 0).catch(async (error) => {
    await stopSmtp()
    throw error
  })
  return {
    smtpUrl: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    url: `http://localhost:${web.port}`,
    async stop() {
      await Promise.all([web.stop(), stopSmtp()])
    },
  }
}

type Receive = (stream: SMTPServerDataStream, session: SMTPServerSession) => Promise<void>

function smtpServer(receive: Receive): SMTPServer {
  const server = new SMTPServer({
    // On loopback there is no certificate that clients could trust, and any login is accepted.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (login, _session, answer) => answer(null, { user: login.username ?? 'anybody' }),
    size: MAX_MAIL_BYTES,
    onData(stream, session, answer) {
      receive(stream, session).then(
        () =>
          answer(stream.sizeExceeded ? Object.assign(new Error('The mail is too large'), { responseCode: 552 }) : null),
        (error) => answer(Object.assign(new Error(`Not kept: ${error.message}`), { responseCode: 451 })),
      )
    },
  })
  // A client that hangs up must not end the launcher.
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
    if (!mail) return ctx.throw(404, 'This mail is no longer kept.')
    ctx.body = inboxPage(mails, mail, ctx.query.view === 'text' || !mail.html ? 'text' : 'html')
  })
  router.get('/messages/:id/html', (ctx) => {
    const mail = mails.find(({ id }) => id === ctx.params.id)
    if (!mail?.html) return ctx.throw(404, 'This mail has no HTML.')
    sendMailHtml(ctx, mail.html)
  })
  router.get('/api/messages', (ctx) => {
    ctx.body = mails.toReversed()
  })
  return new Koa().use(sharedLook).use(router.routes()).callback()
}

/**
 * Answers with a mail's HTML, under a policy without scripts and without requests to other machines (pictures may come
 * from the site itself); links open a new tab.
 */
export function sendMailHtml(ctx: Koa.Context, mailHtml: string): void {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data: http://localhost:* http://*.localhost:* http://127.0.0.1:*',
  ]
  ctx.set('content-security-policy', policy.join('; '))
  ctx.body = `<base target="_blank">${mailHtml}`
}

const EMPTY = html`<p class="empty"><strong>No mail yet</strong>Send a lead from the site: the clinic's and the visitor's mails
appear here by themselves.</p>`
const NONE_CHOSEN = html`<article class="reader"><p class="empty">Choose a mail to read it.</p></article>`

/** The list of mails, newest first, and the chosen one next to it. Only the list refreshes itself while a mail is read. */
function inboxPage(mails: readonly Mail[], mail?: Mail, view: 'html' | 'text' = 'html'): string {
  const inbox = html`<div class="inbox${mail && ' reading'}">${list(mails, mail)}${mail ? reader(mail, view) : NONE_CHOSEN}</div>`
  return page({
    title: 'Mail inbox',
    lead: 'Every email of this demo ends here. Nothing leaves this machine.',
    main: mail ? html`<main>${inbox}</main>` : html`<main id="main" data-live>${mails.length ? inbox : EMPTY}</main>`,
  })
}

function list(mails: readonly Mail[], current?: Mail): Html {
  const items = mails.toReversed().map(
    (mail) => html`<a href="/messages/${mail.id}"${mail === current && html` aria-current="page"`}>
<b>${mail.subject || '(no subject)'}</b><span>to ${mail.to.join(', ')}</span><span>${time(mail.receivedAt)}</span></a>`,
  )
  return html`<nav id="list" class="mails" data-live aria-label="Mails">${items}</nav>`
}

function reader(mail: Mail, view: 'html' | 'text'): Html {
  const address = `/messages/${mail.id}`
  return html`<article class="reader">
<a class="back" href="/">All mails</a>
<h2>${mail.subject || '(no subject)'}</h2>
<dl><dt>From</dt><dd>${mail.from}</dd><dt>To</dt><dd>${mail.to.join(', ')}</dd>${mail.replyTo && html`<dt>Reply-To</dt><dd>${mail.replyTo}</dd>`}<dt>Received</dt><dd>${time(mail.receivedAt)}</dd>
<dt>Message-ID</dt><dd>${mail.messageId ?? 'none'}</dd></dl>
${mailViews({ address, view, source: mail.html && `${address}/html`, text: mail.text ?? '(This mail has no text part.)' })}</article>`
}

/** The tabs HTML and Text of a mail, and its content. `source` is the address of its HTML, if it has any. */
export function mailViews(mail: { address: string; view: 'html' | 'text'; source: string | null; text: string }): Html {
  const tab = (name: 'html' | 'text', label: string) =>
    html`<a href="${mail.address}?view=${name}"${mail.view === name && html` aria-current="true"`}>${label}</a>`
  const content =
    mail.view === 'html'
      ? html`<iframe title="The mail's content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${mail.source}"></iframe>`
      : html`<pre class="text">${mail.text}</pre>`
  return html`<div class="views">${mail.source && tab('html', 'HTML')}${tab('text', 'Text')}</div>
${content}`
}
