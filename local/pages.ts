import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import escapeHtml from 'escape-html'
import type Koa from 'koa'
import { brand } from '../core/brand/brand.ts'
import { cssVariables } from '../core/brand/colors.ts'

const file = (name: string) => readFileSync(fileURLToPath(new URL(`pages/${name}`, import.meta.url)), 'utf8')
const STYLE = `:root {\n${cssVariables()}\n}\n${file('page.css')}`
const REFRESH = file('refresh.js')

/** Text that is already HTML. Every other value in `html` is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Builds HTML. Values in `${}` are escaped, unless they are HTML themselves or a list of it. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)))
}

function render(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return value === null || value === undefined || value === false ? '' : escapeHtml(String(value))
}

/** Shows a point in time in the time zone of this machine. */
export function time(iso: string): Html {
  const shown = new Date(iso).toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })
  return html`<time datetime="${iso}">${shown}</time>`
}

/** Builds a page of the local tools. Elements with an id and `data-live` refresh themselves every two seconds. */
export function page({ title, lead, main }: { title: string; lead: string; main: Html }): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand.company}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
<header><p class="brand">${brand.company}</p><h1>${title}</h1><p>${lead}</p></header>
${main}
</html>`.text
}

/** Serves a local tool on 127.0.0.1. @returns the port, and how to stop. */
export async function servePages(
  listener: RequestListener,
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Middleware for every local tool: the host names and the contents that it allows, and the two files of the shared look.
 * Only `localhost` and the loopback addresses are accepted as host names, so that no web site can have a browser read
 * the tool under a name of its own (DNS rebinding).
 */
export async function sharedLook(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(ctx.get('host'))) ctx.throw(403, 'Unknown host')
  ctx.set('content-security-policy', "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'")
  ctx.set('x-content-type-options', 'nosniff')
  ctx.set('cache-control', 'no-store')
  if (ctx.path === '/page.css') {
    ctx.type = 'css'
    ctx.body = STYLE
  } else if (ctx.path === '/page.js') {
    ctx.type = 'js'
    ctx.body = REFRESH
  } else {
    await next()
  }
}
