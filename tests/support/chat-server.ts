import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { serveHttp } from './loopback.ts'

const Text = (max: number) =>
  z.union([
    z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max) }),
    z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max) }),
  ])

/** The part of Slack’s messages that an incoming webhook takes and we send. Source: https://docs.slack.dev/reference/block-kit/blocks */
const SlackMessage = z.strictObject({
  text: z.string().min(1),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal('header'), text: Text(150) }),
        z.strictObject({ type: z.literal('section'), text: Text(3000) }),
      ]),
    )
    .min(1)
    .max(50),
})

export type ChatServer = {
  /** The address of the incoming webhook of a chat, which is a secret. */
  slackUrl: string
  /** The address of a webhook that wants signatures by Standard Webhooks 1.0.0. */
  webhookUrl: string
  slack: z.output<typeof SlackMessage>[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  webhooks: { id: string; body: any }[]
  rejected: string[]
  /** From now on the webhook takes messages with this secret alone. */
  setSecret(secret: string): void
  /** The status of every answer from now on; 200 again after `reset`. */
  answer(status: number, text?: string): void
  reset(): void
  close(): Promise<void>
}

/** A chat and a webhook on loopback, which take what they document and nothing else. */
export async function startChatServer(): Promise<ChatServer> {
  const slack: ChatServer['slack'] = []
  const webhooks: ChatServer['webhooks'] = []
  const rejected: string[] = []
  let secret = ''
  let answer = { status: 200, text: 'ok' }

  const server = await serveHttp(async (request, response) => {
    const body = (await buffer(request)).toString('utf8')
    const end = (status: number, text: string) => response.writeHead(status).end(text)
    try {
      if (request.method !== 'POST') throw new Error('invalid_method')
      if (request.headers['content-type'] !== 'application/json') throw new Error('invalid_content_type')
      const take = request.url === '/services/T1/B2/secret1234' ? takeSlack : takeWebhook
      const keep = take(body, request.headers as Record<string, string>)
      if (answer.status >= 200 && answer.status < 300) keep()
      end(answer.status, answer.text)
    } catch (error) {
      rejected.push((error as Error).message)
      end(400, 'invalid_payload')
    }
  })
  function takeSlack(body: string) {
    const message = SlackMessage.parse(JSON.parse(body))
    return () => slack.push(message)
  }
  function takeWebhook(body: string, headers: Record<string, string>) {
    const verified = new Webhook(secret).verify(body, headers)
    return () => webhooks.push({ id: String(headers['webhook-id']), body: verified })
  }

  return {
    slackUrl: `${server.url}/services/T1/B2/secret1234`,
    webhookUrl: `${server.url}/hooks/alerts`,
    slack,
    webhooks,
    rejected,
    setSecret(value) {
      secret = value
    },
    answer(status, text = '') {
      answer = { status, text }
    },
    reset() {
      answer = { status: 200, text: 'ok' }
      slack.length = 0
      webhooks.length = 0
      rejected.length = 0
    },
    close: server.close,
  }
}
