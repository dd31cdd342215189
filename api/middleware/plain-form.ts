import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'
import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { createApplication } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import { palette } from '../../core/brand/palette.ts'
import { createLead } from '../../core/contract/forms.ts'
import { CARRY_FIELD, type PageFacts, type ReturnedForm } from '../../core/contract/page.ts'
import type { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { Pages } from '../pages.ts'
import { refuse } from './errors.ts'
import { allowStyle } from './security.ts'
import { answerPage } from './web.ts'

const STYLE = `
  body { margin: 0; padding: 4rem 1.5rem; background: ${palette.background}; color: ${palette.foreground}; font: 1rem/1.6 system-ui, sans-serif }
  main { max-width: 32rem; margin: 0 auto }
  h1 { font-size: 1.5rem; line-height: 1.25 }
  button { min-height: 3rem; padding: 0 1.5rem; border: 0; border-radius: .5rem; background: ${palette.primary}; color: ${palette.background}; font: inherit; font-weight: 600; cursor: pointer }
`
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

/**
 * Answers a plain form beyond the limit with a small page that holds what was typed and sends it again at the press of a
 * button. For a page beyond the limit the values are those of its query. The form's own page is not rendered, because a flood of forms must cost less than the forms themselves.
 */
export function answerRetryPage(ctx: Context, values: Record<string, string>, { message }: AppError): void {
  const fields = Object.entries(values).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const isForm = ctx.method === 'POST'
  ctx.type = 'html'
  ctx.set('Cache-Control', 'no-store')
  allowStyle(ctx, STYLE_HASH)
  ctx.body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Please try again - ${escapeHtml(brand.company)}</title><style>${STYLE}</style></head>
<body><main>
<h1>Please try again in a minute</h1>
<p>${escapeHtml(message)}${isForm ? ' What you typed is kept here.' : ''}</p>
<form method="${isForm ? 'post' : 'get'}" action="${escapeHtml(ctx.url)}">${fields.join('')}<button>${isForm ? 'Send again' : 'Try again'}</button></form>
</main></body>
</html>
`
}

export const FORM_CALLS = new Set<string>([createLead.path, createApplication.path])

type Options<Receipt> = {
  pages: Pages
  log: Logger
  form: NonNullable<PageFacts['form']>
  /** The fields of the form. Other fields are dropped from the page. */
  shape: z.ZodObject
  /** Returns the page that follows an accepted form. */
  next: (receipt: Receipt, ctx: Context) => string
}

export function isPlainForm(ctx: Context): boolean {
  return FORM_CALLS.has(ctx.path) && Boolean(ctx.is('urlencoded'))
}

/**
 * Accepts forms that the browser posts natively, before or without our scripts. Redirects to the next page, or returns
 * the form with its values and its errors. A form with `CARRY_FIELD` is returned without errors, and nothing is stored.
 */
export function plainForm<Receipt>({ pages, log, next: pathAfter, ...where }: Options<Receipt>): Middleware {
  return async (ctx, next) => {
    if (!isPlainForm(ctx)) return next()

    const values = textsOf(ctx.request.body)
    const returnForm = async (errors: ReturnedForm['errors']) =>
      answerForm(ctx, pages, await pageOf(pages, values, where), { values: typedIn(values, where), errors })
    if (values[CARRY_FIELD] !== undefined) return returnForm({})
    ctx.request.body = { ...values, acceptance_consent: isTicked(values) }
    try {
      await next()
    } catch (error) {
      const refusal = refuse(ctx, error, log)
      if (refusal.code === 'rate_limited') return answerRetryPage(ctx, values, refusal)
      return returnForm(refusal.fields ?? { form: refusal.message })
    }
    ctx.status = 303
    ctx.redirect(pathAfter(ctx.body as Receipt, ctx))
  }
}

async function answerForm(
  ctx: Context,
  pages: Pages,
  { pathname, search }: URL,
  returned: Pick<ReturnedForm, 'values' | 'errors'>,
) {
  const form: ReturnedForm = { url: pathname + search, ...returned }
  const address = { path: pathname, querystring: search.slice(1) }
  await answerPage(ctx, pages, await pages.render(await pages.siteOf(ctx), address, { form }))
  ctx.set('Cache-Control', 'no-store')
}

/** Returns the page that the form names, or else the first page with this form. */
async function pageOf(
  pages: Pages,
  { page = '' }: Record<string, string>,
  { form }: Pick<Options<unknown>, 'form'>,
): Promise<URL> {
  const { rows } = await pages.built()
  const paths = [...rows.values()].filter((row) => row.form === form).map(({ path }) => path)
  const usual = new URL(paths[0] ?? '/', 'http://main.invalid/')
  const url = page && URL.canParse(page, usual) ? new URL(page, usual) : usual
  return paths.includes(url.pathname) ? url : usual
}

function typedIn(values: Record<string, string>, { shape }: Pick<Options<unknown>, 'shape'>): ReturnedForm['values'] {
  const known = Object.entries(values).filter(([name]) => name in shape.shape)
  return { ...Object.fromEntries(known), acceptance_consent: isTicked(values) }
}

/** What other programs than browsers send for a box that is not ticked. */
const UNTICKED = /^(|0|false|no|off|null|undefined)$/i

/** Returns whether the consent is ticked. Browsers do not send an unticked checkbox. */
function isTicked({ acceptance_consent: consent }: Record<string, string>): boolean {
  return consent !== undefined && !UNTICKED.test(consent.trim())
}

/** Returns the fields of a form that are texts. */
export function textsOf(body: unknown): Record<string, string> {
  const entries = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}
