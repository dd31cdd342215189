import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { SECOND } from '../core/time.ts'

/** Slow clients: a whole request, and its headers, must be there within this. */
const REQUEST_TIMEOUT = 15 * SECOND
const HEADERS_TIMEOUT = 10 * SECOND
/** How often the two are enforced. */
const TIMEOUT_CHECK_INTERVAL = 2 * SECOND
/** Longer than the 60 s that nginx keeps a connection, so that it never sends a form to one that is being closed. */
const KEEP_ALIVE_TIMEOUT = 65 * SECOND
const MAX_CONNECTIONS = 4000

type Limits = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout'
> & { maxConnections?: number }

/** Creates the HTTP server of the site, which slow and silent clients cannot hold. Nothing listens yet. */
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
