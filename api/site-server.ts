import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { SECOND } from '../core/time.ts'

/** Bound the time for a whole request and for its headers, so that slow clients do not hold connections. */
const REQUEST_TIMEOUT = 15 * SECOND
const HEADERS_TIMEOUT = 10 * SECOND
/** Sets how often the two are enforced. */
const TIMEOUT_CHECK_INTERVAL = 2 * SECOND
/** Longer than the 60 s that nginx keeps a connection, so that it never sends a form to one that is being closed. */
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

/** Checks so often for connections to close while the server stops. */
const CLOSE_INTERVAL = SECOND / 20

/**
 * Ends a server once the answers that are under way are sent. A connection whose answer was under way becomes idle later
 * than the others, and would be kept for as long as clients may keep one.
 */
export async function closeSiteServer(server: Server): Promise<void> {
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_INTERVAL)
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeIdleConnections()
  })
  clearInterval(timer)
}
