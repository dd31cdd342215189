import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type Koa from 'koa'
import { brand } from '../core/brand/brand.ts'
import { cssVariables } from '../core/brand/colors.ts'

const file = (name: string) => readFileSync(fileURLToPath(new URL(`pages/${name}`, import.meta.url)), 'utf8')
const STYLE = `:root {\n${cssVariables()}\n}\n${file('page.css')}`
const REFRESH = file('refresh.js')

/** Text that is already HTML. Everything else that goes into `html` is escaped. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

export type { Html }

/** Builds HTML: what stands in `${}` is escaped, unless it is HTML itself or a list of such. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)))
}

function render(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return value === null || value === undefined || value === false ? '' : escapeText(String(value))
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A point in time as the person at this machine reads it. */
export function time(iso: string): Html {
  const date = new Date(iso)
  const shown = date.toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })
  return html`<time datetime="${iso}">${shown}</time>`
}

/** A whole page of the local tools. What carries an id and `data-live` refreshes itself every two seconds. */
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

/**
 * Serves a local tool on 127.0.0.1. Only `localhost` and the loopback addresses are accepted as its host name, so that
 * no web site can have a visitor's browser read it under a name of its own (DNS rebinding).
 * @returns the port, and how to stop.
 */
export async function servePages(
  listener: RequestListener,
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer(listener)
  await listen(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Middleware for every local tool: who may ask, what a page may load, and the two files of the shared look. */
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

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
