import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import { type EmailSample, emailSamples } from '../worker/emails/emails.ts'
import { mailViews, sendMailHtml } from './mail-inbox.ts'
import { type Html, html, page, servePages, sharedLook } from './pages.ts'

/** Serves every email, about fictional people, on 127.0.0.1. Port 0 is any free one. */
export async function startMailPreview({ port = 0 } = {}): Promise<{ url: string; stop(): Promise<void> }> {
  const web = await servePages(previewApp(emailSamples()), port)
  return { url: `http://localhost:${web.port}`, stop: web.stop }
}

function previewApp(samples: EmailSample[]): RequestListener {
  const router = new Router()
  const named = (name?: string) => samples.find((sample) => sample.name === name)
  router.get('/', (ctx) => {
    ctx.body = previewPage(samples, samples[0] as EmailSample, 'html')
  })
  router.get('/:name', (ctx) => {
    const sample = named(ctx.params.name)
    if (!sample) return ctx.throw(404, 'There is no such email.')
    ctx.body = previewPage(samples, sample, ctx.query.view === 'text' ? 'text' : 'html')
  })
  router.get('/:name/html', (ctx) => {
    const sample = named(ctx.params.name)
    if (!sample) return ctx.throw(404, 'There is no such email.')
    sendMailHtml(ctx, sample.mail.html)
  })
  return new Koa().use(sharedLook).use(router.routes()).callback()
}

function previewPage(samples: EmailSample[], shown: EmailSample, view: 'html' | 'text'): string {
  const list = samples.map(
    (sample) => html`<a href="/${sample.name}?view=${view}"${sample === shown && html` aria-current="page"`}>
<b>${sample.title}</b><span>${sample.mail.subject}</span></a>`,
  )
  return page({
    title: 'Emails',
    lead: 'Every email, about people who do not exist. Nothing is sent.',
    main: html`<main><div class="inbox reading"><nav class="mails" aria-label="Emails">${list}</nav>${reader(shown, view)}</div></main>`,
  })
}

/** The mail as an inbox shows it. Its HTML has another address once a template is saved, so that an open page shows it. */
function reader({ name, mail }: EmailSample, view: 'html' | 'text'): Html {
  const version = createHash('sha256').update(mail.html).digest('hex').slice(0, 12)
  return html`<article id="mail" class="reader" data-live>
<a class="back" href="/">All emails</a>
<h2>${mail.subject}</h2>
<dl><dt>To</dt><dd>${mail.to}</dd>${mail.replyTo && html`<dt>Reply-To</dt><dd>${mail.replyTo.name} (${mail.replyTo.address})</dd>`}
${mail.optOut && html`<dt>List-Unsubscribe</dt><dd>${mail.optOut}</dd>`}</dl>
${mailViews({ address: `/${name}`, view, source: `/${name}/html?version=${version}`, text: mail.text })}</article>`
}
