import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'
import type { Context } from 'koa'
import { brand } from '../core/brand/brand.ts'
import { palette } from '../core/brand/colors.ts'
import type { AppError } from '../core/errors.ts'
import { allowStyle } from './middleware/security.ts'

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
