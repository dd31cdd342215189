import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { createApplication } from '../../core/applications/contract/applications.ts'
import { createLead } from '../../core/contract/lead-form.ts'
import { CARRY_FIELD, type PageFacts, type ReturnedForm } from '../../core/contract/page.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { Pages } from '../pages.ts'
import { answerRetryPage } from '../retry-page.ts'
import { refuse } from './errors.ts'
import { answerPage } from './web.ts'

/** The calls that take plain forms. */
export const FORM_CALLS = new Set<string>([createLead.path, createApplication.path])

type Options<Receipt> = {
  pages: Pages
  log: Logger
  /** The name of the form. */
  form: NonNullable<PageFacts['form']>
  /** The fields of the form. Other fields are dropped from the page. */
  shape: z.ZodObject
  /** Returns the page that follows an accepted form. */
  next: (receipt: Receipt, ctx: Context) => string
}

/** Returns whether a request posts a plain form to a call that takes one. */
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

function textsOf(body: unknown): Record<string, string> {
  const entries = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}
