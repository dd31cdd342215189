import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import { Webhook } from 'standardwebhooks'
import { type CrmEvent, crmPage } from './crm-stand-in-page.ts'
import { openJournal } from './journal.ts'
import { servePages, sharedLook } from './pages.ts'

const KEPT_EVENTS = 1000
const LARGEST_BODY = 1024 * 1024

export interface CrmStandIn {
  /** Where to post the webhooks. */
  webhookUrl: string
  /** The page, and `GET /api/events` below it. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a CRM that is strict about Standard Webhooks 1.0.0: it keeps only what is signed with `secret` within the last
 * five minutes, once per webhook-id, and shows it on a page. What it has stays over restarts.
 * @throws Error when the port is taken. Port 0 lets the system choose.
 */
export async function startCrmStandIn(options: {
  dataDir: string
  secret: string
  port?: number
}): Promise<CrmStandIn> {
  const events = await openEvents(join(options.dataDir, 'crm-events.jsonl'))
  const web = await servePages(crmApp(events, new Webhook(options.secret)), options.port ?? 0)
  return { url: `http://localhost:${web.port}`, webhookUrl: `http://127.0.0.1:${web.port}/webhooks`, stop: web.stop }
}

type Events = Awaited<ReturnType<typeof openEvents>>

/** The journal has a line per delivery; the events are folded from it. */
async function openEvents(file: string) {
  const journal = await openJournal<CrmEvent>(file, KEPT_EVENTS)
  const events = new Map<string, CrmEvent>()
  for (const event of journal.entries) events.set(event.id, event)

  return {
    newestFirst: () => [...events.values()].reverse(),
    async receive(id: string, payload: { type: string }): Promise<CrmEvent> {
      const known = events.get(id)
      const event = known
        ? { ...known, deliveries: known.deliveries + 1 }
        : {
            id,
            externalId: externalId(id, payload),
            type: payload.type,
            receivedAt: new Date().toISOString(),
            deliveries: 1,
            payload,
          }
      // Remembered before it is written, so that the same event at the same moment is a repeat.
      events.set(id, event)
      await journal.append(event)
      return event
    },
  }
}

/** The same lead always has the same id here, whatever is sent about it. */
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
  router.post('/webhooks', async (ctx) => {
    if (!ctx.is('application/json')) return refuse(ctx, 415, 'The body must be application/json')
    const body = await readBody(ctx.req)
    if (body === null) return refuse(ctx, 413, 'The body is too large')

    try {
      webhook.verify(body, ctx.headers as Record<string, string>, { jsonParse: false })
    } catch (error) {
      return refuse(ctx, 401, (error as Error).message)
    }
    const payload = parsePayload(body)
    if (!payload) return refuse(ctx, 400, 'The body must be a JSON object with type, timestamp and data')
    const { externalId: id } = await events.receive(ctx.get('webhook-id'), payload)
    ctx.body = { id }
  })
  return new Koa().use(sharedLook).use(router.routes()).use(router.allowedMethods()).callback()
}

function refuse(ctx: Koa.Context, status: number, error: string): void {
  ctx.status = status
  ctx.body = { error }
}

/** The whole body, read to its end so that the sender gets the answer; null when it is too large. */
async function readBody(request: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks).toString('utf8')
}

function parsePayload(body: string): { type: string } | null {
  try {
    const payload = JSON.parse(body)
    const isEvent = typeof payload?.type === 'string' && 'timestamp' in payload && typeof payload.data === 'object'
    return isEvent ? payload : null
  } catch {
    return null
  }
}
