import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { Webhook } from 'standardwebhooks'
import { openJournal, parseJson } from './files.ts'
import { type Html, html, page, servePages, sharedLook, time } from './pages.ts'

const MAX_EVENTS = 1000
const MAX_BODY = '1mb'

/** One verified event. `id` is its webhook-id; `externalId` is the CRM's id of the lead; `receivedAt` is ISO 8601. */
export interface CrmEvent {
  id: string
  externalId: string
  type: string
  receivedAt: string
  /** How often it was delivered; a repeat changes nothing else. */
  deliveries: number
  payload: unknown
}

export interface CrmStandIn {
  /** Where to post the webhooks. */
  webhookUrl: string
  /** The page, and `GET /api/events` below it. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a CRM that is strict about Standard Webhooks 1.0.0: it keeps only what is signed with `secret` within the last
 * five minutes, once per webhook-id, and shows it on a page. Its events outlive a restart.
 * @throws Error when the port is taken. Port 0 is any free one.
 */
export async function startCrmStandIn(options: {
  dataDir: string
  secret: string
  port?: number
}): Promise<CrmStandIn> {
  const events = openEvents(join(options.dataDir, 'crm-events.jsonl'))
  const web = await servePages(crmApp(events, new Webhook(options.secret)), options.port ?? 0)
  return { url: `http://localhost:${web.port}`, webhookUrl: `http://127.0.0.1:${web.port}/webhooks`, stop: web.stop }
}

type Events = ReturnType<typeof openEvents>

/** The journal has a line per delivery; the last line of an event counts. */
function openEvents(file: string) {
  const journal = openJournal<CrmEvent>(file, MAX_EVENTS)
  const events = new Map(journal.entries.map((event) => [event.id, event]))
  return {
    newestFirst: () => [...events.values()].reverse(),
    receive(id: string, payload: { type: string }): CrmEvent {
      const { deliveries, ...known } = events.get(id) ?? {
        id,
        externalId: externalId(id, payload),
        type: payload.type,
        receivedAt: new Date().toISOString(),
        deliveries: 0,
        payload,
      }
      const event = { ...known, deliveries: deliveries + 1 }
      events.set(id, event)
      journal.append(event)
      return event
    },
  }
}

/** Returns the same id for the same lead, whatever is sent about it. */
function externalId(webhookId: string, payload: unknown): string {
  const lead = (payload as { data?: { lead?: { id?: unknown } } }).data?.lead
  const source = lead?.id === undefined ? `webhook ${webhookId}` : `lead ${String(lead.id)}`
  return `crm_${createHash('sha256').update(source).digest('hex').slice(0, 12)}`
}

function crmApp(events: Events, webhook: Webhook): RequestListener {
  const router = new Router()
  router.get('/', (ctx) => {
    ctx.body = crmPage(events.newestFirst())
  })
  router.get('/api/events', (ctx) => {
    ctx.body = events.newestFirst()
  })
  // Read as text, because the signature covers the bytes that were sent.
  const readText = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    textLimit: MAX_BODY,
  })
  router.post('/webhooks', readText, (ctx) => {
    if (!ctx.is('application/json')) return refuse(ctx, 415, 'The body must be application/json')
    const body = String(ctx.request.body)
    try {
      webhook.verify(body, ctx.headers as Record<string, string>, { jsonParse: false })
    } catch (error) {
      return refuse(ctx, 401, (error as Error).message)
    }
    const payload = parsePayload(body)
    if (!payload) return refuse(ctx, 400, 'The body must be a JSON object with type, timestamp and data')
    ctx.body = { id: events.receive(ctx.get('webhook-id'), payload).externalId }
  })
  return new Koa().use(sharedLook).use(router.routes()).use(router.allowedMethods()).callback()
}

function refuse(ctx: Koa.Context, status: number, error: string): void {
  ctx.status = status
  ctx.body = { error }
}

function parsePayload(body: string): { type: string } | null {
  const payload = parseJson<{ type?: unknown; data?: unknown }>(body)
  const isEvent = typeof payload?.type === 'string' && 'timestamp' in payload && typeof payload.data === 'object'
  return isEvent ? (payload as { type: string }) : null
}

/** Every verified event, newest first. The payload is shown as it was sent, whatever fields it has. */
function crmPage(events: CrmEvent[]): string {
  return page({
    title: 'CRM stand-in',
    lead: 'Plays the part of your CRM: what arrives here was signed, verified and counted once.',
    main: html`<main id="main" data-live>${events.length ? html`<div class="events">${events.map(card)}</div>` : EMPTY}</main>`,
  })
}

const EMPTY = html`<p class="empty"><strong>No leads yet</strong>Send a lead from the site: once its signature is verified it
appears here by itself.</p>`

function card(event: CrmEvent): Html {
  const data = fieldsOf(fieldsOf(event.payload).data)
  const lead = fieldsOf(data.lead)
  const name = [lead.first_name, lead.last_name].filter((part) => typeof part === 'string').join(' ')
  return html`<section class="event">
<h2>${name || event.externalId} <span class="badge">${event.type}</span> <span class="badge good">Verified</span>
${event.deliveries > 1 && html`<span class="badge">Delivered ${event.deliveries} times</span>`} ${time(event.receivedAt)}</h2>
<div class="columns">${part('Lead', lead)}${event.type !== 'lead.deleted' && part('Provider', fieldsOf(data.provider), 'None in reach yet.')}</div>
<p class="ids">In this CRM ${event.externalId} · webhook-id ${event.id}</p>
<details id="payload-${event.id}"><summary>Payload</summary><pre>${JSON.stringify(event.payload, null, 2)}</pre></details>
</section>`
}

function part(title: string, fields: Record<string, unknown>, whenEmpty = 'No fields.'): Html {
  const rows = Object.entries(fields).map(([name, value]) => html`<dt>${name}</dt><dd>${shown(value)}</dd>`)
  return html`<div><h3>${title}</h3>${rows.length ? html`<dl>${rows}</dl>` : html`<p>${whenEmpty}</p>`}</div>`
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
