import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../core/contract/time.ts'
import { NotNeeded } from '../../worker/delivery-error.ts'
import { CRMS, createCrmSender } from '../../worker/senders/crm.ts'
import type { CrmSender } from '../../worker/senders/crm-sender.ts'
import { abacus } from '../support/abacus.ts'
import { asTheyAre, failure, leadEvent } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { waitFor } from '../support/wait.ts'

/** More than the buffers of a connection hold, so that the server is not done with it while nobody reads. */
const LONG = 'x'.repeat(20_000_000)

let answer: { status: number; headers?: Record<string, string>; body?: string }
let calls: { url?: string; key: unknown; body: { key: string } }[]
let open: number
const server = createServer(async (request, response) => {
  open += 1
  response.on('close', () => {
    open -= 1
  })
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  calls.push({ url: request.url, key: request.headers['x-api-key'], body: JSON.parse(String(Buffer.concat(chunks))) })
  response.writeHead(answer.status, answer.headers).end(answer.body)
})

let sender: CrmSender
beforeEach(async () => {
  answer = { status: 200 }
  calls = []
  open = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const env = testEnv({ CRM_KIND: 'abacus', ABACUS_URL: url, ABACUS_KEY: 'k' })
  sender = createCrmSender(env, [...CRMS, abacus]) as CrmSender
})
afterEach(async () => {
  sender.close?.()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('a third CRM', () => {
  it('takes a definition and a line in the list', async () => {
    expect(await sender.send(leadEvent(1), asTheyAre)).toEqual({ status: 200 })
    expect(calls).toEqual([{ url: '/leads', key: 'k', body: { key: 'msg_1', mail: 'visitor1@visitors.example' } }])
    const deleted = { ...leadEvent(), purpose: 'deleted', reason: 'deleted', crmId: null } as const
    await expect(sender.send(deleted, asTheyAre)).rejects.toBeInstanceOf(NotNeeded)
  })

  it('is described in docs/adding-a-crm.md by the file that these tests run', () => {
    const page = readFileSync(new URL('../../docs/adding-a-crm.md', import.meta.url), 'utf8')
    const [, sample] = /```ts\n\/\/ worker\/senders\/abacus\.ts\n(.+?)```/s.exec(page) ?? []
    const file = readFileSync(new URL('../support/abacus.ts', import.meta.url), 'utf8')
    expect(sample).toBe(file.replaceAll("'../../worker/senders/", "'./").replaceAll("'../../worker/", "'../"))
  })

  it.each([200, 400, 503])('leaves no connection behind, however much is said with %i', async (status) => {
    answer = { status, body: LONG }
    await sender.send(leadEvent(), asTheyAre).catch(() => {})
    await waitFor('the answer to be over', () => calls.length === 1 && open === 0)
  })

  it('that asks for a pause gets it', async () => {
    answer = { status: 429, headers: { 'retry-after': '60' } }
    expect(await failure(sender.send(leadEvent(), asTheyAre))).toMatchObject({ retry: 'later', retryAfter: MINUTE })

    answer = { status: 200 }
    const next = await failure(sender.send(leadEvent(8), asTheyAre))
    expect(next.message).toContain('The CRM’s rate limit is reached')
    expect(next.retryAfter).toBeGreaterThan(MINUTE / 2)
    expect(calls).toHaveLength(1)
  })
})
