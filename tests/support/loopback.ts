import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LoopbackServer = { url: string; close(): Promise<void> }

/** Serves HTTP on a free port of this machine. `close` also ends every connection. */
export async function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
