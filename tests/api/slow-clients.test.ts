import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createSiteServer } from '../../api/site-server.ts'

/** A server that answers once it has the whole request. Its limits are shorter than in production, to be seen sooner. */
async function start(limits: Parameters<typeof createSiteServer>[1]) {
  const server = createSiteServer((request, response) => {
    request.resume().once('end', () => response.end('answered'))
  }, limits)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { server, open: () => connect(port, '127.0.0.1') }
}

const HEAD = 'POST /api/leads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n'

it.each([
  ['a body that does not come', `${HEAD}\r\n{"first`],
  ['headers that do not end', HEAD],
])('ends the connection of a client with %s', async (_, sent) => {
  const { open } = await start({ requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 50 })
  const client = open()
  client.write(sent)
  expect(await text(client)).toMatch(/^HTTP\/1\.1 408 /)
})

it('allows a whole request 15 s, its headers 10 s, and so many connections', async () => {
  const { server } = await start({})
  expect(server).toMatchObject({ requestTimeout: 15_000, headersTimeout: 10_000, maxConnections: 4000 })
})

it('takes no more connections than allowed, and answers the others', async () => {
  const { server, open } = await start({ maxConnections: 1 })
  const first = open()
  await once(server, 'connection')
  expect(await text(open())).toBe('')
  first.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await text(first)).toContain('answered')
})
