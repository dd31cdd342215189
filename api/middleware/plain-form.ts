import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { createApplication } from '../../core/contract/applications.ts'
import { createLead } from '../../core/contract/leads.ts'
import type { RefusedForm } from '../../core/contract/page.ts'
import type { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { Pages } from '../pages.ts'
import { answerRetryPage } from '../retry-page.ts'
import { refuse } from './errors.ts'
import { allowForPage, withNonce } from './security.ts'

/** The calls that take plain forms. */
export const FORM_CALLS = new Set<string>([createLead.path, createApplication.path])

type Options<Receipt> = {
  pages: Pages
  log: Logger
  /** The paths of the pages that have the form. */
  formPages: RegExp
  /** What the form holds; whatever else is sent has no place in a page. */
  shape: z.ZodObject
  /** Which of them it is if the form does not say. */
  home: string
  /** Where the browser goes once the form is taken. */
  next: (receipt: Receipt, ctx: Context) => string
}

/** Whether this call brings a plain form to where one is taken. */
export function isPlainForm(ctx: Context): boolean {
  return FORM_CALLS.has(ctx.path) && Boolean(ctx.is('urlencoded'))
}

/**
 * Lets a browser send a form as a plain one: while our scripts are not there, or never come. It goes on to the next
 * page, or gets the form back with what was typed and what is wrong with it.
 */
export function plainForm<Receipt>({ pages, log, next: pathAfter, ...where }: Options<Receipt>): Middleware {
  return async (ctx, next) => {
    if (!isPlainForm(ctx)) return next()

    const values = textsOf(ctx.request.body)
    ctx.request.body = { ...values, acceptance_consent: isTicked(values) }
    try {
      await next()
    } catch (error) {
      const refusal = refuse(ctx, error, log)
      if (refusal.code === 'rate_limited') return answerRetryPage(ctx, values, refusal)
      return returnForm(ctx, pages, pageOf(values, where), typedIn(values, where), refusal)
    }
    ctx.status = 303
    ctx.redirect(pathAfter(ctx.body as Receipt, ctx))
  }
}

async function returnForm(
  ctx: Context,
  pages: Pages,
  { pathname, search }: URL,
  values: RefusedForm['values'],
  { fields, message }: AppError,
) {
  const form: RefusedForm = {
    url: pathname + search,
    values,
    errors: fields ?? { form: message },
  }
  const address = { path: pathname, querystring: search.slice(1) }
  const { html, provider } = await pages.render(await pages.siteOf(ctx), address, { form })
  const nonce = allowForPage(ctx, { ...(await pages.built()), path: pathname, provider })
  ctx.body = nonce ? withNonce(html, nonce) : html
  ctx.type = 'html'
  ctx.set('Cache-Control', 'no-store')
}

/** The page that the form says it is on, if it can be there. */
function pageOf(
  { page = '' }: Record<string, string>,
  { formPages, home }: Pick<Options<unknown>, 'formPages' | 'home'>,
): URL {
  const usual = new URL(home, 'http://main.invalid/')
  const url = page && URL.canParse(page, usual) ? new URL(page, usual) : usual
  return formPages.test(url.pathname) ? url : usual
}

function typedIn(values: Record<string, string>, { shape }: Pick<Options<unknown>, 'shape'>): RefusedForm['values'] {
  const known = Object.entries(values).filter(([name]) => name in shape.shape)
  return { ...Object.fromEntries(known), acceptance_consent: isTicked(values) }
}

/** A checkbox that is not ticked is not sent. */
function isTicked(values: Record<string, string>): boolean {
  return values.acceptance_consent !== undefined
}

function textsOf(body: unknown): Record<string, string> {
  const entries = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}
