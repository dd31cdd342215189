import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { CRM_SECRET } from './env.ts'
import { serveHttp } from './loopback.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
export type ReceivedEvent = { id: string; timestamp: number; type: string; data: any }

/** The reaction to a verified event. Instead of a status, write the response yourself, or never. */
export type CrmAnswer =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | 'hang'
  | 'garbage'
  | 'endless'

export type TestCrmServer = {
  url: string
  events: ReceivedEvent[]
  /** Requests whose signature or shape was wrong. A test expects none. */
  rejected: string[]
  signatures: string[]
  /** Every verified body, as it came. */
  bodies: unknown[]
  answer(answer: CrmAnswer | ((event: ReceivedEvent) => CrmAnswer | Promise<CrmAnswer>)): void
  /** Forgets what came, and accepts every event again. */
  reset(): void
  close(): Promise<void>
}

/** A CRM on loopback that takes webhooks by Standard Webhooks 1.0.0 and nothing else. */
export async function startCrmServer({ secret = CRM_SECRET } = {}): Promise<TestCrmServer> {
  const webhook = new Webhook(secret)
  const events: ReceivedEvent[] = []
  const rejected: string[] = []
  const signatures: string[] = []
  const bodies: unknown[] = []
  const accept = (event: ReceivedEvent): CrmAnswer => ({
    status: 200,
    body: JSON.stringify({ id: `crm-${event.data.lead?.id}` }),
  })
  let decide: (event: ReceivedEvent) => CrmAnswer | Promise<CrmAnswer> = accept

  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = request.headers as Record<string, string>
    let event: ReceivedEvent
    try {
      const body = webhook.verify(Buffer.concat(chunks).toString('utf8'), headers)
      bodies.push(body)
      signatures.push(String(headers['webhook-signature']))
      const { type, data } = body as ReceivedEvent
      event = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), type, data }
    } catch (error) {
      rejected.push((error as Error).message)
      return response.writeHead(401).end()
    }
    events.push(event)
    respond(response, await decide(event))
  })

  return {
    url: `${server.url}/hooks/leads`,
    events,
    rejected,
    signatures,
    bodies,
    answer(answer) {
      decide = typeof answer === 'function' ? answer : () => answer
    },
    reset() {
      decide = accept
      for (const list of [events, rejected, signatures, bodies]) list.length = 0
    },
    close: server.close,
  }
}

/** Answers so: without a body, with a text as it is, with all else as JSON. */
export function respond(response: ServerResponse, answer: CrmAnswer): void {
  if (answer === 'hang') return
  if (answer === 'endless') return void answerWithoutEnd(response)
  if (answer === 'garbage') return void response.socket?.end('this is not HTTP\r\n\r\n')
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body)
}

/** A success whose body goes on until the other side hangs up. */
export function answerWithoutEnd(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const endless = new Readable({
    read() {
      this.push(' '.repeat(64 * 1024))
    },
  })
  endless.pipe(response)
  response.on('close', () => endless.destroy())
}
