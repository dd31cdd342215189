import { type Html, html, page, time } from './pages.ts'

/** One received mail. `to` are the addresses that it was really sent to; `receivedAt` is ISO 8601. */
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

const TITLE = { title: 'Mail inbox', lead: 'Every e-mail of this demo ends here. Nothing leaves this machine.' }

/** The list of mails, newest first. */
export function inboxPage(mails: readonly Mail[]): string {
  const choose = html`<article class="reader"><p class="empty">Choose a mail to read it.</p></article>`
  return page({
    ...TITLE,
    main: html`<main id="main" data-live>${mails.length ? html`<div class="inbox">${list(mails)}${choose}</div>` : EMPTY}</main>`,
  })
}

/** One mail beside the list. */
export function readerPage(mails: readonly Mail[], mail: Mail, view: 'html' | 'text'): string {
  return page({
    ...TITLE,
    main: html`<main><div class="inbox reading">${list(mails, mail)}${reader(mail, view)}</div></main>`,
  })
}

/**
 * A mail's HTML and the policy that it is shown under: no scripts, no requests to other machines (pictures may come from
 * the site itself), and links open a new tab.
 */
export function safeMail(mailHtml: string): { body: string; policy: string } {
  return {
    body: `<base target="_blank">${mailHtml}`,
    policy: [
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data: http://localhost:* http://*.localhost:* http://127.0.0.1:*',
    ].join('; '),
  }
}

const EMPTY = html`<p class="empty"><strong>No mail yet</strong>Send a lead from the site: the clinic's and the visitor's mails
appear here by themselves.</p>`

function list(mails: readonly Mail[], current?: Mail): Html {
  const items = mails.toReversed().map(
    (mail) => html`<a href="/messages/${mail.id}"${mail === current && html` aria-current="page"`}>
<b>${mail.subject || '(no subject)'}</b><span>to ${mail.to.join(', ')}</span><span>${time(mail.receivedAt)}</span></a>`,
  )
  return html`<nav id="list" class="mails" data-live aria-label="Mails">${items}</nav>`
}

function reader(mail: Mail, view: 'html' | 'text'): Html {
  const tab = (name: 'html' | 'text', label: string) =>
    html`<a href="/messages/${mail.id}?view=${name}"${view === name && html` aria-current="true"`}>${label}</a>`
  const content =
    view === 'html'
      ? html`<iframe title="The mail's content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/messages/${mail.id}/html"></iframe>`
      : html`<pre class="text">${mail.text ?? '(This mail has no text part.)'}</pre>`
  return html`<article class="reader">
<a class="back" href="/">All mails</a>
<h2>${mail.subject || '(no subject)'}</h2>
<dl><dt>From</dt><dd>${mail.from}</dd><dt>To</dt><dd>${mail.to.join(', ')}</dd>${mail.replyTo && html`<dt>Reply-To</dt><dd>${mail.replyTo}</dd>`}<dt>Received</dt><dd>${time(mail.receivedAt)}</dd>
<dt>Message-ID</dt><dd>${mail.messageId ?? 'none'}</dd></dl>
<div class="views">${mail.html && tab('html', 'HTML')}${tab('text', 'Text')}</div>
${content}</article>`
}
