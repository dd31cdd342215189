import { randomUUID } from 'node:crypto'
import nodemailer from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import { Pool } from 'undici'
import * as leads from '../core/leads/stores/leads.ts'
import { openDb } from '../core/platform/db.ts'
import * as providers from '../core/providers/stores/providers.ts'
import { compose } from '../worker/emails/emails.ts'
import { provider as toClinic } from '../worker/emails/provider.tsx'
import { visitor } from '../worker/emails/visitor.tsx'
import { webhookPayload } from '../worker/senders/webhook.ts'

/*
 * The baseline of the worker: the same emails and CRM calls, already rendered, through nodemailer's pool and undici,
 * without database and queue. As many connections as the worker has. A process of its own, as the worker is.
 */

/** The leads whose emails are sent over and over. */
const SAMPLE = 100
const CONNECTIONS = 10

const { DATABASE_URL = '', SMTP_URL, CRM_WEBHOOK_URL = '', CRM_WEBHOOK_SECRET = '', PUBLIC_URL = '' } = process.env
const deliveries = await render()

process.on('message', async (count: number) => {
  const started = performance.now()
  const used = process.cpuUsage()
  await send(count)
  const { user, system } = process.cpuUsage(used)
  process.send?.({ seconds: (performance.now() - started) / 1000, cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

/** Renders the emails to the clinic and the visitor and the CRM call of each lead in the sample. */
async function render() {
  const db = openDb(DATABASE_URL)
  const sample = await leads.findMany(db, await db('leads').orderBy('id').limit(SAMPLE).pluck('id'))
  const provider = await providers.find(db, Number(sample[0]?.provider_id))
  await db.destroy()
  if (!provider) throw new Error('The leads of the benchmark have a provider.')
  const env = {
    PUBLIC_URL,
    TEAM_EMAIL: 'team@leadwell.example',
    NETWORK_TIME_ZONE: 'America/New_York',
    MATCH_RADIUS_MILES: 100,
  }
  return sample.flatMap((lead) => {
    const context = {
      lead,
      provider,
      ...{
        earlier: null,
        formerPhone: null,
        callBy: null,
        calling: null,
        place: lead.zip_code,
        timeZone: env.NETWORK_TIME_ZONE,
      },
      optOutUrl: `${PUBLIC_URL}/stop/${'x'.repeat(120)}`,
      requestUrl: `${PUBLIC_URL}/r/${'x'.repeat(42)}`,
      env,
    }
    const event = {
      messageId: `msg_${randomUUID()}`,
      occurredAt: lead.created_at,
      purpose: 'created',
      lead,
      provider,
    } as const
    return [
      { mail: compose(toClinic.draft(context)) },
      { mail: compose(visitor.draft(context)) },
      { call: JSON.stringify(webhookPayload(event)) },
    ]
  })
}

async function send(count: number): Promise<void> {
  const mailer = nodemailer.createTransport({
    url: SMTP_URL,
    pool: true,
    maxConnections: CONNECTIONS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { origin, pathname } = new URL(CRM_WEBHOOK_URL)
  const crm = new Pool(origin, { connections: CONNECTIONS })
  const signer = new Webhook(CRM_WEBHOOK_SECRET)

  const one = async (position: number): Promise<void> => {
    const { mail, call } = deliveries[position % deliveries.length] ?? {}
    if (mail) {
      const { optOut, ...content } = mail
      await mailer.sendMail({
        ...content,
        from: { name: 'Leadwell', address: 'care@leadwell.example' },
        messageId: `<${randomUUID()}@localhost>`,
        list: optOut && { unsubscribe: [[optOut.url, optOut.mailto]] },
      })
      return
    }
    const body = call ?? ''
    const id = `msg_${randomUUID()}`
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signer.sign(id, now, body),
    }
    const answer = await crm.request({ method: 'POST', path: pathname, headers, body })
    await answer.body.text()
  }

  // Emails and calls at once, as the worker's queues do.
  const positions = Array.from({ length: count }, (_, position) => position)
  const lane = async (kind: 'mail' | 'call') => {
    const own = positions.filter((position) => (position % 3 === 2) === (kind === 'call')).values()
    const work = async () => {
      for (const position of own) await one(position)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }
  await Promise.all([lane('mail'), lane('call')])
  mailer.close()
  await crm.close()
}
