import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Peers that answer at once, and when (performance.now()) they answered for whom. */
export type Peers = {
  env: Record<string, string>
  /** By the visitor's email address. */
  mailed: Map<string, number>
  /** By the visitor's email address. */
  synced: Map<string, number>
  /** The emails and calls that were accepted so far. */
  accepted(): number
  close(): Promise<void>
}

/** A mail server and a CRM on loopback that take everything. */
export async function startPeers(): Promise<Peers> {
  const mailed = new Map<string, number>()
  const synced = new Map<string, number>()
  let accepted = 0

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      done()
      accepted += 1
      const isToProvider = envelope.rcptTo[0]?.address.endsWith('@clinics.example')
      const [visitor] = /visitor\d+@visitors\.example/.exec(Buffer.concat(chunks).toString()) ?? []
      if (isToProvider && visitor) mailed.set(visitor, performance.now())
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))

  const crm = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}')
    accepted += 1
    synced.set(JSON.parse(Buffer.concat(chunks).toString()).data.lead.email, performance.now())
  })
  await new Promise<void>((resolve) => crm.listen(0, '127.0.0.1', resolve))

  const secret = Buffer.from('a secret of thirty-two bytes ...').toString('base64')
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      CRM_KIND: 'webhook',
      CRM_WEBHOOK_URL: `http://127.0.0.1:${(crm.address() as AddressInfo).port}/`,
      CRM_WEBHOOK_SECRET: `whsec_${secret}`,
    },
    mailed,
    synced,
    accepted: () => accepted,
    async close() {
      crm.close()
      crm.closeAllConnections()
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
}
