import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { SECOND } from '../core/contract/time.ts'

/** Limits the time for a whole request and for its headers, so that slow clients do not hold connections. */
const REQUEST_TIMEOUT = 15 * SECOND
const HEADERS_TIMEOUT = 10 * SECOND
/** The interval at which both timeouts are enforced. */
const TIMEOUT_CHECK_INTERVAL = 2 * SECOND
/** Longer than the 60 s for which nginx keeps a connection, so that nginx never sends a form to a closing one. */
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
const MAX_CONNECTIONS = 4000

type Limits = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout'
> & { maxConnections?: number }

/** Creates the HTTP server of the site, with limits for slow clients and many connections. It does not listen yet. */
export function createSiteServer(answer: RequestListener, limits: Limits = {}): Server {
  const { maxConnections = MAX_CONNECTIONS, ...timeouts } = limits
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      ...timeouts,
    },
    answer,
  )
  server.maxConnections = maxConnections
  return server
}

const CLOSE_INTERVAL = SECOND / 20

/** Closes a server once the responses under way are sent, and their connections, which clients could keep open. */
export async function closeSiteServer(server: Server): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_INTERVAL)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeIdleConnections()
  })
  clearInterval(timer)
}
