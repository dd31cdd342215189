import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { safeMail } from './mail-inbox-pages.ts'
import { type MailSample, mailSamples } from './mail-samples.ts'
import { type Html, html, page, servePages, sharedLook } from './pages.ts'

/** Serves every e-mail with made-up people in it, on 127.0.0.1. Port 0 lets the system choose. */
export async function startMailPreview({ port = 0 } = {}): Promise<{ url: string; stop(): Promise<void> }> {
  const web = await servePages(previewApp(mailSamples()), port)
  return { url: `http://localhost:${web.port}`, stop: web.stop }
}

function previewApp(samples: MailSample[]): RequestListener {
  const router = new Router()
  const named = (name?: string) => samples.find((sample) => sample.name === name)
  router.get('/', (ctx) => {
    ctx.body = previewPage(samples, samples[0] as MailSample, 'html')
  })
  router.get('/:name', (ctx) => {
    const sample = named(ctx.params.name)
    if (!sample) return ctx.throw(404, 'There is no such e-mail.')
    ctx.body = previewPage(samples, sample, ctx.query.view === 'text' ? 'text' : 'html')
  })
  router.get('/:name/html', (ctx) => {
    const sample = named(ctx.params.name)
    if (!sample) return ctx.throw(404, 'There is no such e-mail.')
    const { body, policy } = safeMail(sample.mail.html)
    ctx.set('content-security-policy', policy)
    ctx.body = body
  })
  return new Koa().use(sharedLook).use(router.routes()).callback()
}

function previewPage(samples: MailSample[], shown: MailSample, view: 'html' | 'text'): string {
  const list = samples.map(
    (sample) => html`<a href="/${sample.name}?view=${view}"${sample === shown && html` aria-current="page"`}>
<b>${sample.title}</b><span>${sample.mail.subject}</span></a>`,
  )
  return page({
    title: 'E-mails',
    lead: 'Every e-mail, about people who do not exist. Nothing is sent.',
    main: html`<main><div class="inbox reading"><nav class="mails" aria-label="E-mails">${list}</nav>${reader(shown, view)}</div></main>`,
  })
}

/** The mail as an inbox shows it. An open page shows a template that was saved: its HTML then has another address. */
function reader({ name, mail }: MailSample, view: 'html' | 'text'): Html {
  const tab = (target: 'html' | 'text', label: string) =>
    html`<a href="/${name}?view=${target}"${view === target && html` aria-current="true"`}>${label}</a>`
  const version = createHash('sha256').update(mail.html).digest('hex').slice(0, 12)
  const content =
    view === 'html'
      ? html`<iframe title="The mail's content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/${name}/html?version=${version}"></iframe>`
      : html`<pre class="text">${mail.text}</pre>`
  return html`<article id="mail" class="reader" data-live>
<a class="back" href="/">All e-mails</a>
<h2>${mail.subject}</h2>
<dl><dt>To</dt><dd>${mail.to}</dd>${mail.replyTo && html`<dt>Reply-To</dt><dd>${mail.replyTo.name} (${mail.replyTo.address})</dd>`}
${mail.optOut && html`<dt>List-Unsubscribe</dt><dd>${mail.optOut}</dd>`}</dl>
<div class="views">${tab('html', 'HTML')}${tab('text', 'Text')}</div>
${content}</article>`
}
